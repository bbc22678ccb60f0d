import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@libsql/client/http';
import { freePort } from '../shared/ports.ts';
import { type Sqld, startSqld } from '../shared/sqld.ts';

/** An sqld that can be stopped and restarted on the same folder and ports. */
export class BenchDatabase {
  readonly name: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #adminPort: number;
  #sqld: Sqld;

  private constructor(name: string, place: { folder: string; port: number; adminPort: number }, sqld: Sqld) {
    this.name = name;
    this.#folder = place.folder;
    this.#port = place.port;
    this.#adminPort = place.adminPort;
    this.#sqld = sqld;
  }

  /** Starts it durable: every commit reaches the disk. */
  static async start(name: string, parent: string): Promise<BenchDatabase> {
    const place = { folder: join(parent, name), port: await freePort(), adminPort: await freePort() };
    return new BenchDatabase(name, place, await startSqld(place));
  }

  get url(): string {
    return this.#sqld.url;
  }
  get adminUrl(): string {
    return this.#sqld.adminUrl;
  }
  get pid(): number {
    return this.#sqld.pid;
  }

  /** Rows of one statement, as objects. */
  async query(sql: string, args: (string | number)[] = []): Promise<Record<string, unknown>[]> {
    const client = createClient({ url: this.url, fetch: fetchInTime });
    try {
      const { rows, columns } = await client.execute({ sql, args });
      return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
    } finally {
      client.close();
    }
  }

  /** Ids of `count` shipments, spread evenly over the first `among` rows. */
  async idsOf(companyId: string, among: number, count: number): Promise<string[]> {
    const sql = 'SELECT id FROM shipments WHERE company_id = ? AND rowid % ? = 0 LIMIT ?';
    const rows = await this.query(sql, [companyId, Math.floor(among / count), count]);
    return rows.map(({ id }) => String(id));
  }

  async setApprovalPolicy(companyId: string, policy: 'AUTOMATIC' | 'MANUAL'): Promise<void> {
    await this.query(
      `INSERT INTO company_settings (company_id, approval_policy) VALUES (?, ?)
       ON CONFLICT (company_id) DO UPDATE SET approval_policy = excluded.approval_policy`,
      [companyId, policy],
    );
  }

  /** Without a sync for each commit and with a minute for each transaction, so that it can be filled quickly. */
  async setDurable(isDurable: boolean): Promise<void> {
    const mode = isDurable
      ? { durability_mode: 'strong', txn_timeout_s: 5 }
      : { durability_mode: 'relaxed', txn_timeout_s: 60 };
    const response = await fetch(`${this.adminUrl}/v1/namespaces/default/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ block_reads: false, block_writes: false, ...mode }),
      signal: AbortSignal.timeout(2000),
    });
    if (!response.ok) throw new Error(`The admin address of ${this.name} answered ${response.status}`);
    await response.body?.cancel();
  }

  /** Further databases with the same contents, byte for byte. */
  async copyTo(names: readonly string[], parent: string): Promise<BenchDatabase[]> {
    await this.#sqld.stop();
    for (const name of names) {
      await cp(this.#folder, join(parent, name), { recursive: true });
      await rm(join(parent, name, 'sqld.pid.json'), { force: true });
    }
    await this.restart();
    return Promise.all(names.map((name) => BenchDatabase.start(name, parent)));
  }

  /** Stops it, by SIGKILL if necessary, and restarts it on its folder and ports. */
  async restart(): Promise<void> {
    await this.#sqld.stop();
    this.#sqld = await startSqld({ folder: this.#folder, port: this.#port, adminPort: this.#adminPort });
  }

  stop(): Promise<void> {
    return this.#sqld.stop();
  }
}

const STATEMENT_TIMEOUT_MS = 60_000;

function fetchInTime(request: Request): Promise<Response> {
  return fetch(request, { signal: AbortSignal.timeout(STATEMENT_TIMEOUT_MS) });
}
