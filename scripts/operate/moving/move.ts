import { setTimeout as delay } from 'node:timers/promises';
import { OWNED_TABLES } from '../../../db/shard/ownership.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { clear, copyPastDrivers, copyTable, mustCommit, nameOf, readTable } from './copy.ts';
import type { End } from './end.ts';
import { changeMoveRow, type MoveRow, type Run, readMoveRow, takeOver, withWritesAllowed } from './move-row.ts';
import { type Move, type MoveOptions, prepare } from './prepare.ts';

/*
 * Guarantee: two shards never accept writes for one company at the same time, and the shard that does has every
 * acknowledged write. A run may be killed at any moment and started again with the same arguments: the databases hold its
 * progress. docs/decisions/0101-moving-a-company.md describes the states and their order.
 */

/** `KEPT_MS` of the move book, and the longest time that a read waits for its turn. */
const SETTLE_MS = 12_000;
const DRAIN_POLL_MS = 250;

const FOUND_BY_TOKEN = OWNED_TABLES.filter(({ foundByToken }) => foundByToken);

export async function moveCompany(options: MoveOptions): Promise<void> {
  const move = await prepare(options);
  if (move === undefined) return options.onStep('lives there already, and nothing is left to do');
  const { source, target, run, onStep } = move;
  const standing = await readMoveRow(source, run.companyId);
  if (standing?.state !== 'MOVED' || standing.forwardTo !== target.id) await bring(move);
  else await takeBoth(move);
  await settle(source, run, move.settleMs);
  await clear(source, run.companyId, withWritesAllowed(run, 'MOVED'), FOUND_BY_TOKEN);
  await onStep('links follow');
  await arrive(move);
  await onStep('it lives there');
  await enterDirectory(move);
  await onStep('directory');
  await clear(source, run.companyId, withWritesAllowed(run, 'MOVED'));
  await onStep('the old rows are gone');
}

/** Takes back an unfinished move: the company stays and accepts writes again. */
export async function abandonMove(options: MoveOptions): Promise<void> {
  const move = await prepare(options);
  const begun = move === undefined ? undefined : await readMoveRow(move.source, move.run.companyId);
  if (move === undefined || begun === undefined || !(await canBeAbandoned(move, begun))) {
    throw new SetupError('No such move is under way.');
  }
  requireNotMoved(begun);
  const { source, target, run, onStep } = move;
  await takeOver(source, run, { state: 'DRAINING', otherShard: target.id });
  const copied = await hasCopy(move);
  if (copied) await takeOver(target, run, { state: 'FROZEN', otherShard: source.id });
  // From here on no other run can finish the move. One may have finished it before.
  const standing = await requireHeld(source, run);
  requireNotMoved(standing);
  if (copied) await pointBack(move);
  if (standing.state !== 'ARRIVED') {
    await renewWaiting(source, run);
    const arrived = { to: 'ARRIVED', otherShard: target.id, forwardTo: null } as const;
    await mustChange(source, run, { from: ['DRAINING', 'FROZEN'], ...arrived });
    await onStep('takes writes');
  }
  if (copied) await clear(target, run.companyId, withWritesAllowed(run, 'FROZEN'));
  await onStep(`it stays in ${source.id}`);
}

function requireNotMoved({ state }: MoveRow): void {
  if (state === 'MOVED') throw new SetupError('The company has already moved; run the move until it finishes.');
}

/** A company that has arrived is no longer moving, unless this move was being abandoned and its copy still exists. */
async function canBeAbandoned(move: Move, { state, otherShard }: MoveRow): Promise<boolean> {
  return state !== 'ARRIVED' || (otherShard === move.target.id && (await hasCopy(move)));
}

/** Whether the new shard holds rows of this move, complete or not, that must not be touched. */
async function hasCopy({ source, target, run }: Move): Promise<boolean> {
  const standing = await readMoveRow(target, run.companyId);
  return standing?.state === 'FROZEN' && standing.otherShard === source.id;
}

/** Sends processes that still know the new shard to the old one, before that changes and before the copy is deleted. */
async function pointBack({ source, target, run, onStep, settleMs }: Move): Promise<void> {
  const standing = await readMoveRow(target, run.companyId);
  if (standing?.forwardTo !== source.id) {
    const back = { otherShard: source.id, forwardTo: source.id };
    await mustChange(target, run, { from: ['FROZEN'], to: 'FROZEN', ...back });
  }
  await onStep(`${target.id} points back`);
  await settle(target, run, settleMs);
}

/** All steps up to the moment when the old shard records that the company has moved. */
async function bring(move: Move): Promise<void> {
  const { source, target, run, onStep, settleMs = SETTLE_MS } = move;
  await requireServiceLevels(move);
  await takeOver(source, run, { state: 'DRAINING', otherShard: target.id });
  const begun = { otherShard: target.id, forwardTo: null };
  await changeMoveRow(source, run, { from: ['ARRIVED'], to: 'DRAINING', ...begun });
  await onStep('begun');
  await freeze(move);
  await onStep('frozen');
  // Processes may still look for the company there, because of an earlier move or an earlier run.
  const wasThere = (await readMoveRow(target, run.companyId)) !== undefined;
  await takeOver(target, run, { state: 'FROZEN', otherShard: source.id });
  // Processes that look for the company here are sent to its other shard until its rows are here again.
  const empty = { otherShard: source.id, forwardTo: wasThere ? source.id : null };
  await mustChange(target, run, { from: ['MOVED', 'FROZEN'], to: 'FROZEN', ...empty });
  await clear(target, run.companyId, withWritesAllowed(run, 'FROZEN'));
  await onStep('room made');
  await copyPastDrivers(source, target, run.companyId);
  for (const owned of OWNED_TABLES) {
    const read = await copyTable(source, target, owned, run.companyId, withWritesAllowed(run, 'FROZEN'));
    const kept = await readTable(target, owned, run.companyId);
    if (read.rows !== kept.rows || read.sha256 !== kept.sha256) {
      throw new SetupError(`${nameOf(owned)} is not the same in ${target.id}; run it again, it copies anew.`);
    }
    await onStep(`${nameOf(owned)}: ${kept.rows}`);
  }
  // Its sweep looks for old rows from the beginning again.
  await mustCommit(target, [{ sql: 'delete from sweep_marks', args: [] }], 'marks of the sweep');
  // A run that abandons the move now finds rows in the new shard. One that did so before left none.
  await requireHeld(source, run);
  await mustChange(target, run, { from: ['FROZEN'], to: 'FROZEN', otherShard: source.id, forwardTo: null });
  await onStep('both have the same');
  // Otherwise some processes would be sent back and forth.
  if (wasThere) await delay(settleMs);
  await mustChange(source, run, { from: ['FROZEN'], to: 'MOVED', otherShard: target.id, forwardTo: target.id });
  await onStep('moved');
}

/**
 * Waits until all processes have read the last change of this shard. Meanwhile both shards have the same rows and accept
 * no writes, so a process that still asks the other one gets the right answer.
 */
async function settle(end: End, run: Run, settleMs = SETTLE_MS): Promise<void> {
  const standing = await readMoveRow(end, run.companyId);
  const sinceMs = Date.now() - Number((standing?.changedAt ?? 0n) / 1000n);
  await delay(Math.min(settleMs, Math.max(0, settleMs - sinceMs)));
}

/** Waits until the shard's own drivers have no parcel of the company, and no replay uses its positions. */
const IS_FREE = `not exists (select 1 from shipments join offers on offers.shipment_id = shipments.id join drivers on drivers.id = offers.driver_id
    where shipments.company_id = ?1
    and offers.state in ('OPEN', 'ACCEPTED') and drivers.company_id is null)
  and not exists (select 1 from resolutions join shipments on shipments.id = resolutions.shipment_id join drivers on drivers.id = shipments.driver_id
    where resolutions.company_id = ?1 and resolutions.state = 'OPEN' and drivers.company_id is null)
  and not exists (select 1 from webhook_replays where company_id = ?1 and state = 'RUNNING')
  and not exists (select 1 from shipment_batches where company_id = ?1 and state = 'RUNNING')`;

async function freeze({ source, target, run, drainMs }: Move): Promise<void> {
  const deadline = performance.now() + drainMs;
  const order = { to: 'FROZEN', otherShard: target.id, forwardTo: null, when: IS_FREE } as const;
  while (!(await changeMoveRow(source, run, { from: ['DRAINING', 'FROZEN'], ...order }))) {
    if (performance.now() > deadline) {
      throw new SetupError(
        'Drivers still have parcels of the company, also failed ones that nobody has decided on, or a replay is under way. It takes writes, and nothing new is offered; run it again.',
      );
    }
    await delay(DRAIN_POLL_MS);
  }
}

/** From here on the new shard accepts writes. The search for drivers starts only now. */
async function arrive({ source, target, run }: Move): Promise<void> {
  const standing = await readMoveRow(target, run.companyId);
  if (standing?.state === 'ARRIVED') return;
  await renewWaiting(target, run);
  await mustChange(target, run, { from: ['FROZEN'], to: 'ARRIVED', otherShard: source.id, forwardTo: null });
}

/**
 * No driver was searched during the move, so searches that had begun start again, and are due at once: the drivers who are
 * free in this shard have been free for long, and only a driver who becomes free starts a look. A search that begins later,
 * or is held, stays as it is.
 */
async function renewWaiting(end: End, run: Run): Promise<void> {
  const args = [BigInt(Date.now()) * 1000n, run.companyId];
  const ofReady = "company_id = ?2 and state = 'READY_FOR_DISPATCH'";
  const wait = `update shipments set ready_since = max(?1, ready_since), search_since = max(?1, coalesce(search_since, 0))
    where ready_since is not null and ${ofReady}`;
  const due = `update shipments set due_at = max(?1, coalesce(search_from, 0)) where due_at is not null and ${ofReady}`;
  const statements = [wait, due].map((sql) => ({ sql, args }));
  const isResting = (await readMoveRow(end, run.companyId))?.state === 'FROZEN';
  await mustCommit(end, isResting ? withWritesAllowed(run, 'FROZEN')(statements) : statements, 'the new waiting');
}

async function enterDirectory({ directory, source, target, run }: Move): Promise<void> {
  const own = await target.read('select id from drivers where company_id = ?', [run.companyId]);
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
    { sql: `update challenges set shard = ? where ${drivers}`, args: [target.id, ids] },
  ];
  await mustCommit(directory, statements, 'the entry');
}

async function requireServiceLevels({ source, target, run }: Move): Promise<void> {
  const used = await source.read(
    `select distinct service_level_code from shipments where company_id = ? and ended_at is null and service_level_code is not null`,
    [run.companyId],
  );
  const offered = new Set((await target.read('select code from service_levels')).map(([code]) => code));
  const missing = used.flatMap(([code]) => (offered.has(code ?? null) ? [] : [String(code)]));
  if (missing.length === 0) return;
  throw new SetupError(
    `${target.id} does not have the service levels ${missing.join(', ')}, which shipments wait with.`,
  );
}

async function takeBoth({ source, target, run }: Move): Promise<void> {
  await takeOver(source, run, { state: 'MOVED', otherShard: target.id });
  await takeOver(target, run, { state: 'FROZEN', otherShard: source.id });
}

async function mustChange(end: End, run: Run, order: Parameters<typeof changeMoveRow>[2]): Promise<void> {
  if (await changeMoveRow(end, run, order)) return;
  throw anotherRun(end);
}

async function requireHeld(end: End, run: Run): Promise<MoveRow> {
  const standing = await readMoveRow(end, run.companyId);
  if (standing?.run === run.id) return standing;
  throw anotherRun(end);
}

function anotherRun({ id }: End): SetupError {
  return new SetupError(`${id} has another run of this move; let that end, or run this again.`);
}
