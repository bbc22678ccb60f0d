import { resolve } from 'node:path';
import { expect } from 'vitest';
import { startChild } from '../../scripts/shared/child-group.ts';
import type { OwnEnvironment, TestCompany } from '../../scripts/shared/connection.ts';
import { EVENTS, type EventBody, readEventPage } from '../../scripts/shared/events.ts';
import { type Merchant, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { verified } from '../../scripts/shared/receiver.ts';
import type { ShardId } from '../../scripts/shared/sql.ts';
import { until } from '../../scripts/shared/until.ts';
import { ownedRows } from './owned-rows.ts';
import type { Subscription } from './subscription.ts';

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

export interface CommandOptions {
  readonly to?: ShardId;
  readonly isAbandoned?: boolean;
  /** It is killed when it prints a line that begins so, */
  readonly killedAtLine?: string;
  /** or when this is so. */
  readonly killedWhen?: () => Promise<boolean>;
}

/** Runs the command; answers what ended it. */
export async function runCommand(
  environment: OwnEnvironment,
  { companyId }: TestCompany,
  { to = 'shard-2', isAbandoned = false, killedAtLine, killedWhen }: CommandOptions = {},
): Promise<string> {
  const child = startChild({
    command: process.execPath,
    args: [
      ...[resolve('scripts/operate/move-company.ts'), '--company', companyId, '--to', to],
      ...(isAbandoned ? ['--abandon'] : []),
    ],
    cwd: process.cwd(),
    env: { ...process.env, ...environment.variables },
    onLine: (printed) => {
      if (killedAtLine !== undefined && printed.startsWith(killedAtLine)) child.kill('SIGKILL');
    },
  });
  if (killedWhen !== undefined) {
    await until('it is to be killed', async () => ((await killedWhen()) ? true : undefined), { withinMs: 30_000 });
    child.kill('SIGKILL');
  }
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

/** The feed from behind an event, or from its beginning, to its end. */
export async function eventsAfter(merchant: Merchant, after?: string): Promise<EventBody[]> {
  const found: EventBody[] = [];
  for (let last = after; ; ) {
    const begin = last === undefined ? '' : `&after=${last}`;
    const { data } = await readEventPage(await merchant.get(`${EVENTS}?limit=100${begin}`));
    found.push(...data);
    const next = data.at(-1);
    if (next === undefined) return found;
    last = next.id;
  }
}

/** The sequences of each shipment's events, as they come. */
export function sequencesOf(events: readonly EventBody[]): Map<string, number[]> {
  const sequences = new Map<string, number[]>();
  for (const { shipmentId, sequence } of events) {
    if (shipmentId !== null) sequences.set(shipmentId, [...(sequences.get(shipmentId) ?? []), sequence]);
  }
  return sequences;
}

/** Failed attempts after which an event does not hold up the next of its shipment any more, as merchants are promised. */
const PATIENCE = 3;

/** What a receiver was sent before it was that event's turn: before the one before was taken, or had failed as often. */
export function outOfTurn(sent: readonly Sent[]): string[] {
  const failures = new Map<string, number>();
  return sent.flatMap(({ event: { shipmentId, sequence, type }, isTaken }) => {
    if (shipmentId === null) return [];
    const before = failures.get(`${shipmentId} ${sequence - 1}`) ?? 0;
    const name = `${shipmentId} ${sequence}`;
    failures.set(name, isTaken ? PATIENCE : (failures.get(name) ?? 0) + 1);
    return sequence === 1 || before >= PATIENCE ? [] : [`${name} ${type}`];
  });
}

export interface Sent {
  readonly event: EventBody;
  readonly isTaken: boolean;
}

/** Everything that came to the receiver, in its order; each is signed as it should be. */
export function sentTo({ receiver, endpoint }: Subscription): Sent[] {
  return receiver.received.map((each) => ({
    event: verified(endpoint.signingSecret, each),
    isTaken: each.status === 200,
  }));
}

export async function expectOnlyIn(environment: OwnEnvironment, company: TestCompany, shard: ShardId): Promise<void> {
  const { companyId } = company;
  const emptied = shard === 'shard-1' ? 'shard-2' : 'shard-1';
  for (const [table, rows] of Object.entries(await ownedRows(environment, { shard: emptied, companyId }))) {
    expect(rows, `${table} in ${emptied}`).toEqual([]);
  }
  const [row] = await environment.sql('directory', 'select shard from companies where id = ?', [companyId]);
  expect(row).toEqual({ shard });
  expect(await takingWrites(environment, { companyId })).toEqual([shard]);
}

/** True when the company's events were all taken, and no delivery is open or was given up. */
export async function allDelivered(environment: OwnEnvironment, one: Subscription): Promise<true | undefined> {
  const { companyId } = one.company;
  const [home] = await environment.sql('directory', 'select shard from companies where id = ?', [companyId]);
  const shard = home?.['shard'] === 'shard-1' ? 'shard-1' : 'shard-2';
  const select = 'select distinct status from webhook_deliveries where company_id = ?';
  const statuses = (await environment.sql(shard, select, [companyId])).map(({ status }) => status);
  const taken = new Set(sentTo(one).flatMap(({ event, isTaken }) => (isTaken ? [event.id] : [])));
  const events = await environment.sql(shard, 'select id from events where company_id = ?', [companyId]);
  const areTaken = events.length > 0 && events.every(({ id }) => taken.has(String(id)));
  return areTaken && statuses.every((status) => status === 'SUCCEEDED') ? true : undefined;
}
