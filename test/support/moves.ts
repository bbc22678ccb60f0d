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

/** The shards that have rows of the company and accept writes to them. */
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

/** Reads a shipment until it is found, because processes learn of a move with a delay. */
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
  /** Kills the command when it prints a line with this beginning, */
  readonly killedAtLine?: string;
  /** or when this resolves to true. */
  readonly killedWhen?: () => Promise<boolean>;
}

/** Runs the command; returns how it ended. */
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

/** Repeats a read; returns the statuses other than 200. */
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

/** The feed after an event, or from its beginning, to its end. */
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

/** The sequences of each shipment's events, in the order received. */
export function sequencesOf(events: readonly EventBody[]): Map<string, number[]> {
  const sequences = new Map<string, number[]>();
  for (const { shipmentId, sequence } of events) {
    if (shipmentId !== null) sequences.set(shipmentId, [...(sequences.get(shipmentId) ?? []), sequence]);
  }
  return sequences;
}

/** The documented number of failed attempts after which an event no longer blocks the next one of its shipment. */
const PATIENCE = 3;

/** Events sent too early: before the previous event was accepted or had failed this often. */
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

/** Everything the receiver got, in order, with verified signatures. */
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

/** True when all events of the company were accepted and every delivery has succeeded. */
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
