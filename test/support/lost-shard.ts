import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@libsql/client/http';
import { expect, vi } from 'vitest';
import { backUp } from '../../scripts/operate/backup.ts';
import { restore } from '../../scripts/operate/restore.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { requireDatabases } from '../../scripts/shared/database-addresses.ts';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { migrate } from '../../scripts/shared/migrate.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { type Creation, startCreations } from './creations.ts';

/** Text that SQL, shells and dumps could misread. */
const ODD = 'أحمد \u{1F69A} it\'s "quoted" \\n -- ; COMMIT; /* \u2028\u0301\uFEFF\u{10FFFD} %s $1 ?';

/** A shard that was lost under load and restored from a backup. */
export interface LostShard {
  readonly merchant: Merchant;
  /** A company that is newer than the backup. */
  readonly late: Merchant;
  readonly quiet: Awaited<ReturnType<typeof quietShipments>>;
  readonly linkToken: string;
  readonly planted: string;
  /** Creations acknowledged before the backup began, and those acknowledged until the shard was lost. */
  readonly before: readonly Creation[];
  readonly made: readonly Creation[];
  readonly beganAt: string;
  /** An event from before the backup, and a cursor after it. */
  readonly seenId: string;
  readonly cursor: string;
  /** The service's log. */
  readonly lines: readonly string[];
}

export async function loseShard(environment: OwnEnvironment, folder: string): Promise<LostShard> {
  const merchant = await merchantOf(environment, await addCompany(environment, 'shard-2'));
  const quiet = await quietShipments(merchant);
  const { token: linkToken } = await createLink(merchant, quiet[0]?.shipmentId ?? '');
  const planted = await plant(environment);
  const seenId = (await readEventPage(await merchant.get(`${EVENTS}?limit=2`))).data.at(-1)?.id ?? '';
  const creations = startCreations(merchant);
  await creations.acknowledged(20);
  const before = [...creations.made];
  const dumps = await backUp(databasesOf(environment), join(folder, 'shard'));
  const dump = dumps.find(({ database }) => database === 'shard-2');
  await creations.acknowledged(creations.made.length + 20);
  await creations.stop();
  const cursor = await lastCursor(merchant);
  const late = await merchantOf(environment, await addCompany(environment, 'shard-2'));
  const lines = await lose(environment, 'shard-2', join(folder, 'shard', 'shard-2.sql'));
  const { made } = creations;
  return {
    ...{ merchant, late, quiet, linkToken, planted, before, made, seenId, cursor, lines },
    beganAt: dump?.beganAt ?? '',
  };
}

/** Stops the service, loses a database with its disk, and follows the runbook. Returns the service's log. */
export async function lose(environment: OwnEnvironment, id: 'directory' | 'shard-2', dump: string): Promise<string[]> {
  const { directory, shards } = environment.databases;
  const server = id === 'directory' ? directory : shards[id];
  const lines = [...environment.service.logs()];
  await server.kill();
  rmSync(server.folder, { recursive: true });
  const identity = { kind: id === 'directory' ? 'directory' : 'shard', id, deployment: 'local' } as const;
  await restore({ identity, dump, folder: server.folder });
  await server.restart();
  expect(await migrate({ ...identity, url: server.url })).toEqual([]);
  await environment.restart({});
  // sqld starts without syncing commits, so the first write enables it.
  const company = await addCompany(environment, id === 'directory' ? 'shard-1' : id);
  await (await merchantOf(environment, company)).create();
  // The service asked at its start, before that write, and an answer of /ready counts for two seconds.
  await vi.waitFor(async () => expect((await environment.fetch('/ready')).status).toBe(200), { timeout: 10_000 });
  return lines;
}

export function databasesOf(environment: OwnEnvironment) {
  return requireDatabases({ ...environment.variables });
}

/** Shipments that no longer change, with their response texts. */
async function quietShipments(merchant: Merchant) {
  const recipient = { name: ODD, phone: '0512345678' };
  const made = [
    await merchant.createApproved({ recipient, items: [{ description: ODD, quantity: 1, weightKilograms: 0.5 }] }),
    await merchant.createApproved({ declaredValue: JSON.rawJSON('1234567890123456.78') }),
    await merchant.createApproved(),
  ];
  await merchant.cancel(made[2]?.shipmentId ?? '');
  return Promise.all(
    made.map(async ({ shipmentId }) => ({
      shipmentId,
      text: await (await merchant.get(`${SHIPMENTS}/${shipmentId}`)).text(),
    })),
  );
}

/** Values that no column holds today but a later one may, in a separate table. */
async function plant(environment: OwnEnvironment): Promise<string> {
  const client = createClient({ url: environment.databaseUrls['shard-2'] });
  await client.execute('create table planted (whole integer, words text, bytes blob)');
  const rows = [
    [9_223_372_036_854_775_807n, `${ODD}\r\n\t\u0001 \\r and a line\n`, new Uint8Array([0, 39, 92, 255])],
    [-9_223_372_036_854_775_808n, '', new Uint8Array()],
    [9_007_199_254_740_993n, 'NULL', null],
  ];
  for (const args of rows) await client.execute({ sql: 'insert into planted values (?, ?, ?)', args });
  client.close();
  return readPlanted(environment);
}

export async function readPlanted(environment: OwnEnvironment): Promise<string> {
  const select = 'select group_concat(cast(whole as text) || hex(words) || quote(bytes)) as all_of_it from planted';
  const [row] = await environment.sql('shard-2', select);
  const { all_of_it: text } = row ?? {};
  if (typeof text !== 'string' || !text.includes('9223372036854775807')) throw new Error('Nothing is planted');
  return text;
}

/** The cursor after all events of a company but the last. */
async function lastCursor(merchant: Merchant): Promise<string> {
  for (let query = 'limit=100'; ; ) {
    const { page, data } = await readEventPage(await merchant.get(`${EVENTS}?${query}`));
    if (page.nextCursor !== null) query = `limit=100&cursor=${page.nextCursor}`;
    else {
      const begin = query.replace('limit=100', `limit=${data.length - 1}`);
      const { nextCursor } = (await readEventPage(await merchant.get(`${EVENTS}?${begin}`))).page;
      return nextCursor ?? '';
    }
  }
}
