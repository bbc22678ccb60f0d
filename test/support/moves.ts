import { resolve } from 'node:path';
import { expect } from 'vitest';
import { startChild } from '../../scripts/child-group.ts';
import type { OwnEnvironment, TestCompany } from './connection.ts';
import { EVENTS, readEventPage } from './events.ts';
import { type Merchant, SHIPMENTS } from './merchant.ts';
import type { ShardId } from './sql.ts';
import { until } from './until.ts';

/** Shards that have rows of the company and let them be written. */
export async function takingWrites(
  environment: OwnEnvironment,
  { companyId }: Pick<TestCompany, 'companyId'>,
): Promise<ShardId[]> {
  const shards: ShardId[] = [];
  for (const shard of ['shard-1', 'shard-2'] as const) {
    const write = 'update shipments set version = version where company_id = ? returning id';
    const rows = await environment.sql(shard, write, [companyId]).catch((error: Error) => {
      expect(error.message).toContain('company is moving');
      return [];
    });
    if (rows.length > 0) shards.push(shard);
  }
  return shards;
}

/** What the service is told after a move of which its processes have yet to hear. */
export function readPatiently(merchant: Merchant, shipmentId: string): Promise<string> {
  return until('it is found', async () => {
    const response = await merchant.get(`${SHIPMENTS}/${shipmentId}`);
    const text = await response.text();
    return response.status === 200 ? text : undefined;
  });
}

/** Runs the command; with `line`, until it prints a line that begins so: then it is killed. Answers what ended it. */
export async function runCommand(environment: OwnEnvironment, company: TestCompany, line?: string): Promise<string> {
  const child = startChild({
    command: process.execPath,
    args: [resolve('scripts/move-company.ts'), '--company', company.companyId, '--to', 'shard-2'],
    cwd: process.cwd(),
    env: { ...process.env, ...environment.variables },
    onLine: (printed) => {
      if (line !== undefined && printed.startsWith(line)) child.kill('SIGKILL');
    },
  });
  return child.exited;
}

/** Reads the same again and again; answers the statuses that were not 200. */
export function startReads(merchant: Merchant, path: string) {
  let isStopped = false;
  const others: number[] = [];
  const running = (async () => {
    while (!isStopped) {
      const response = await merchant.get(path);
      await response.body?.cancel();
      if (response.status !== 200) others.push(response.status);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await running;
      return others;
    },
  };
}

export async function idsAfter(merchant: Merchant, after: string): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (let last = after; ; ) {
    const { data } = await readEventPage(await merchant.get(`${EVENTS}?limit=100&after=${last}`));
    found.push(...data.map(({ shipmentId }) => shipmentId));
    const next = data.at(-1);
    if (next === undefined) return found;
    last = next.id;
  }
}

/** True when nothing waits to be delivered to the company's endpoints any more, and nothing was given up. */
export async function allSettled(environment: OwnEnvironment, { companyId }: TestCompany): Promise<true | undefined> {
  const select = 'select status, count(*) as total from webhook_deliveries where company_id = ? group by status';
  const rows = await environment.sql('shard-2', select, [companyId]);
  return rows.length === 1 && rows[0]?.['status'] === 'SUCCEEDED' ? true : undefined;
}
