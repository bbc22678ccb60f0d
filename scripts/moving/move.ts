import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OWNED_TABLES } from '../../db/shard/ownership.ts';
import type { DatabaseOfService } from '../database-addresses.ts';
import { SetupError } from '../setup-error.ts';
import { clear, copyPastDrivers, copyTable, mustCommit, nameOf, readTable } from './copy.ts';
import { type End, openEnd } from './end.ts';
import { change, type Run, standingAt, take, withinRest } from './standing.ts';

/*
 * Promise: at no moment do two shards take writes for one company, and whatever was acknowledged is in the one that does.
 * It may be ended at any moment and run again, with the same arguments: what it finds in the databases says where to go on.
 * docs/decisions/0101-moving-a-company.md has the states and why they come in this order.
 */

export interface MoveOptions {
  readonly databases: readonly DatabaseOfService[];
  readonly companyId: string;
  readonly to: string;
  readonly requireDurable: boolean;
  /** Told of each step when it is done. */
  readonly onStep: (step: string) => Promise<void> | void;
  /** How long it may wait until no driver has anything of the company. */
  readonly drainMs: number;
  /** How long processes may go on with what they knew of moves: see `MoveBook`, and the time of a read. */
  readonly settleMs?: number;
}

/** `KEPT_MS` of the book, and a read that waits for its place as long as it may. */
const SETTLE_MS = 12_000;
const DRAIN_POLL_MS = 250;

interface Move extends MoveOptions {
  readonly run: Run;
  readonly directory: End;
  readonly source: End;
  readonly target: End;
}

export async function moveCompany(options: MoveOptions): Promise<void> {
  const move = await prepare(options);
  if (move === undefined) return options.onStep('lives there already, and nothing is left to do');
  const { source, target, run, onStep } = move;
  const standing = await standingAt(source, run.companyId);
  if (standing?.state !== 'MOVED' || standing.forwardTo !== target.id) await bring(move);
  else await takeBoth(move);
  await settle(source, run, move.settleMs);
  await clear(source, run.companyId, withinRest(run, 'MOVED'), OWNED_TABLES.filter(isFollowedByToken));
  await onStep('links follow');
  await arrive(move);
  await onStep('it lives there');
  await enterDirectory(move);
  await onStep('directory');
  await clear(source, run.companyId, withinRest(run, 'MOVED'));
  await onStep('the old rows are gone');
}

/** Takes a move back that has not come to its end: the company stays, and takes writes again. */
export async function abandonMove(options: MoveOptions): Promise<void> {
  const move = await prepare(options);
  const standing = move === undefined ? undefined : await standingAt(move.source, move.run.companyId);
  if (move === undefined || standing === undefined) throw new SetupError('No such move is under way.');
  const { source, target, run } = move;
  if (standing.state === 'MOVED') throw new SetupError('It has moved already; run the move to its end.');
  await take(source, run, { state: 'DRAINING', otherShard: target.id });
  await sendBack(move);
  await renewWaiting(source, run);
  const arrived = { to: 'ARRIVED', otherShard: target.id, forwardTo: null } as const;
  await mustChange(source, run, { from: ['DRAINING', 'FROZEN', 'ARRIVED'], ...arrived });
  await removeCopy(move);
  await options.onStep(`it stays in ${source.id}`);
}

/**
 * Whoever names the target from an earlier time was about to find the company there. He is sent after it again before it
 * takes writes, else he would find an old copy, and then nothing, for as long as his token lives.
 */
async function sendBack({ source, target, run, settleMs = SETTLE_MS }: Move): Promise<void> {
  const standing = await standingAt(target, run.companyId);
  if (standing?.state !== 'FROZEN' || standing.otherShard !== source.id) return;
  await take(target, run, { state: 'FROZEN', otherShard: source.id });
  if (standing.forwardTo === null) {
    await mustChange(target, run, { from: ['FROZEN'], to: 'FROZEN', otherShard: source.id, forwardTo: source.id });
  }
  await settle(target, run, settleMs);
}

/** What a move that was given up had copied: the company's data, and rows that nobody may touch while they rest there. */
async function removeCopy({ source, target, run }: Move): Promise<void> {
  const standing = await standingAt(target, run.companyId);
  if (standing?.state !== 'FROZEN' || standing.otherShard !== source.id) return;
  await take(target, run, { state: 'FROZEN', otherShard: source.id });
  await clear(target, run.companyId, withinRest(run, 'FROZEN'));
}

/** What is looked for by a token alone, and found wherever it is found first. */
function isFollowedByToken(owned: (typeof OWNED_TABLES)[number]): boolean {
  return ['tracking_links', 'driver_sessions'].includes(nameOf(owned));
}

/** Everything up to the moment when the old shard says that the company is elsewhere. */
async function bring(move: Move): Promise<void> {
  const { source, target, run, onStep, settleMs = SETTLE_MS } = move;
  await requireServiceLevels(move);
  await take(source, run, { state: 'DRAINING', otherShard: target.id });
  const begun = { otherShard: target.id, forwardTo: null };
  await change(source, run, { from: ['ARRIVED'], to: 'DRAINING', ...begun });
  await onStep('begun');
  await freeze(move);
  await onStep('frozen');
  // Processes may still know of it there from an earlier time, or from an earlier run.
  const wasThere = (await standingAt(target, run.companyId)) !== undefined;
  await take(target, run, { state: 'FROZEN', otherShard: source.id });
  // Whoever names this shard from an earlier time is sent after the company until its rows are here again.
  const empty = { otherShard: source.id, forwardTo: wasThere ? source.id : null };
  await mustChange(target, run, { from: ['MOVED', 'FROZEN'], to: 'FROZEN', ...empty });
  await clear(target, run.companyId, withinRest(run, 'FROZEN'));
  await onStep('room made');
  await copyPastDrivers(source, target, run.companyId);
  for (const owned of OWNED_TABLES) {
    const read = await copyTable(source, target, owned, run.companyId, withinRest(run, 'FROZEN'));
    const kept = await readTable(target, owned, run.companyId);
    if (read.rows !== kept.rows || read.sha256 !== kept.sha256) {
      throw new SetupError(`${nameOf(owned)} is not the same in ${target.id}; run it again, it copies anew.`);
    }
    await onStep(`${nameOf(owned)}: ${kept.rows}`);
  }
  await mustChange(target, run, { from: ['FROZEN'], to: 'FROZEN', otherShard: source.id, forwardTo: null });
  // Else some would be sent to and fro.
  if (wasThere) await delay(settleMs);
  await mustChange(source, run, { from: ['FROZEN'], to: 'MOVED', otherShard: target.id, forwardTo: target.id });
  await onStep('moved');
}

/** Since its last change both have the same and neither takes writes: whoever still asks the wrong one is answered right. */
async function settle(end: End, run: Run, settleMs = SETTLE_MS): Promise<void> {
  const standing = await standingAt(end, run.companyId);
  const sinceMs = Date.now() - Number((standing?.changedAt ?? 0n) / 1000n);
  await delay(Math.min(settleMs, Math.max(0, settleMs - sinceMs)));
}

/** Where the shard's own drivers have nothing of it, and no replay counts its positions. */
const IS_FREE = `not exists (select 1 from shipments join offers on offers.shipment_id = shipments.id join drivers on drivers.id = offers.driver_id
    where shipments.company_id = ?1 and shipments.state in ('OFFERED', 'ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY')
    and offers.state in ('OPEN', 'ACCEPTED') and drivers.company_id is null)
  and not exists (select 1 from webhook_replays where company_id = ?1 and state = 'RUNNING')`;

async function freeze({ source, target, run, drainMs }: Move): Promise<void> {
  const deadline = performance.now() + drainMs;
  const order = { to: 'FROZEN', otherShard: target.id, forwardTo: null, when: IS_FREE } as const;
  while (!(await change(source, run, { from: ['DRAINING', 'FROZEN'], ...order }))) {
    if (performance.now() > deadline) {
      throw new SetupError(
        'Drivers still have shipments of the company, or a replay is under way. It takes writes, and nothing new is offered; run it again.',
      );
    }
    await delay(DRAIN_POLL_MS);
  }
}

/** From here on the new shard takes writes. Drivers begin to be looked for only now. */
async function arrive({ source, target, run }: Move): Promise<void> {
  const standing = await standingAt(target, run.companyId);
  if (standing?.state === 'ARRIVED') return;
  await renewWaiting(target, run);
  await mustChange(target, run, { from: ['FROZEN'], to: 'ARRIVED', otherShard: source.id, forwardTo: null });
}

/** Nobody was looked for meanwhile, so that their time to find a driver begins anew. */
async function renewWaiting(end: End, run: Run): Promise<void> {
  const ready = `update dispatches set ready_since = ? where ready_since is not null and shipment_id in
    (select id from shipments where company_id = ? and state = 'READY_FOR_DISPATCH')`;
  const statement = { sql: ready, args: [BigInt(Date.now()) * 1000n, run.companyId] };
  const isResting = (await standingAt(end, run.companyId))?.state === 'FROZEN';
  await mustCommit(end, isResting ? withinRest(run, 'FROZEN')([statement]) : [statement], 'the new waiting');
}

async function enterDirectory({ directory, source, target, run }: Move): Promise<void> {
  const own = (await target.read('select id from drivers where company_id = ?', [run.companyId])) ?? [];
  const ids = JSON.stringify(own.map(([id]) => id));
  const drivers = 'driver_id in (select value from json_each(?))';
  const statements = [
    {
      sql: 'update companies set shard = ? where id = ? and shard in (?, ?)',
      args: [target.id, run.companyId, source.id, target.id],
      mustChange: true,
    },
    { sql: 'update registrations set shard = ? where company_id = ?', args: [target.id, run.companyId] },
    { sql: `update driver_phones set shard = ? where ${drivers}`, args: [target.id, ids] },
    { sql: `update driver_challenges set shard = ? where ${drivers}`, args: [target.id, ids] },
  ];
  await mustCommit(directory, statements, 'the entry');
}

async function prepare(options: MoveOptions): Promise<Move | undefined> {
  const { databases, companyId, to, requireDurable } = options;
  const ends = new Map(databases.map((database) => [database.id, openEnd(database, requireDurable)]));
  const [directory, target] = [ends.get('directory'), ends.get(to)];
  if (directory === undefined || target === undefined || to === 'directory') {
    throw new SetupError(`There is no shard ${to} in LIBSQL_SHARDS.`);
  }
  const [company] = (await directory.read('select shard from companies where id = ?', [companyId])) ?? [];
  if (company === undefined) throw new SetupError(`The directory has no company ${companyId}.`);
  const source = company[0] === to ? await leftBehindFor(ends, companyId, to) : ends.get(String(company[0]));
  if (source === undefined && company[0] === to) return undefined;
  if (source === undefined) throw new SetupError(`LIBSQL_SHARDS does not have ${String(company[0])}, where it lives.`);
  await requireNoOther(source, companyId, to);
  return { ...options, directory, source, target, run: { companyId, id: randomUUID() } };
}

/** A shard that has sent the company here and still has rows of it. */
async function leftBehindFor(ends: ReadonlyMap<string, End>, companyId: string, to: string): Promise<End | undefined> {
  for (const end of ends.values()) {
    if (end.id === 'directory' || end.id === to) continue;
    const standing = await standingAt(end, companyId);
    if (standing?.state === 'MOVED' && standing.forwardTo === to) return end;
  }
  return undefined;
}

async function requireNoOther(source: End, companyId: string, to: string): Promise<void> {
  const standing = await standingAt(source, companyId);
  if (standing === undefined || standing.state === 'ARRIVED' || standing.otherShard === to) return;
  throw new SetupError(`A move to ${standing.otherShard} is under way; end that first.`);
}

async function requireServiceLevels({ source, target, run }: Move): Promise<void> {
  const used = await source.read(
    `select distinct service_level_code from dispatches where company_id = ? and ended_at is null and service_level_code is not null`,
    [run.companyId],
  );
  const offered = new Set((await target.read('select code from service_levels'))?.map(([code]) => code));
  const missing = (used ?? []).flatMap(([code]) => (offered.has(code ?? null) ? [] : [String(code)]));
  if (missing.length === 0) return;
  throw new SetupError(
    `${target.id} does not have the service levels ${missing.join(', ')}, which shipments wait with.`,
  );
}

async function takeBoth({ source, target, run }: Move): Promise<void> {
  await take(source, run, { state: 'MOVED', otherShard: target.id });
  await take(target, run, { state: 'FROZEN', otherShard: source.id });
}

async function mustChange(end: End, run: Run, order: Parameters<typeof change>[2]): Promise<void> {
  if (await change(end, run, order)) return;
  throw new SetupError(`${end.id} has another run of this move; let that end, or run this again.`);
}
