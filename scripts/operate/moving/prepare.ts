import { randomUUID } from 'node:crypto';
import type { DatabaseOfService } from '../../shared/database-addresses.ts';
import { requireIdentity } from '../../shared/require-identity.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { type End, openEnd, type Send } from './end.ts';
import { type Run, readMoveRow } from './move-row.ts';

/* Finds the two shards of a move, and checks that it is the only move of its company. */

export interface MoveOptions {
  readonly databases: readonly DatabaseOfService[];
  readonly companyId: string;
  readonly to: string;
  readonly requireDurable: boolean;
  /** Called after each step. */
  readonly onStep: (step: string) => Promise<void> | void;
  /** How long, in ms, the move waits for drivers to finish the company's shipments and for its replays, before it fails. */
  readonly drainMs: number;
  /** How long processes may use what they know of moves: see `MoveBook`, plus the time of a read. */
  readonly settleMs?: number;
  /** Replaces network access to databases in tests. */
  readonly fetch?: Send;
}

export interface Move extends MoveOptions {
  readonly run: Run;
  readonly directory: End;
  readonly source: End;
  readonly target: End;
}

/** Undefined if the company already lives there and no rows are left elsewhere. */
export async function prepare(options: MoveOptions): Promise<Move | undefined> {
  const { databases, companyId, to, requireDurable, fetch } = options;
  for (const database of databases) await requireIdentity(database, undefined, fetch);
  const ends = new Map(databases.map((database) => [database.id, openEnd(database, requireDurable, fetch)]));
  const [directory, target] = [ends.get('directory'), ends.get(to)];
  if (directory === undefined || target === undefined || to === 'directory') {
    throw new SetupError(`There is no shard ${to} in LIBSQL_SHARDS.`);
  }
  const [company] = await directory.read('select shard from companies where id = ?', [companyId]);
  if (company === undefined) throw new SetupError(`The directory has no company ${companyId}.`);
  const source = company[0] === to ? await leftBehindFor(ends, companyId, to) : ends.get(String(company[0]));
  if (source === undefined && company[0] === to) return undefined;
  if (source === undefined) throw new SetupError(`LIBSQL_SHARDS does not have ${String(company[0])}, where it lives.`);
  await requireNoOther(source, companyId, to);
  return { ...options, directory, source, target, run: { companyId, id: randomUUID() } };
}

/** A shard that has sent the company here and still holds rows of it. */
async function leftBehindFor(ends: ReadonlyMap<string, End>, companyId: string, to: string): Promise<End | undefined> {
  for (const end of ends.values()) {
    if (end.id === 'directory' || end.id === to) continue;
    const standing = await readMoveRow(end, companyId);
    if (standing?.state === 'MOVED' && standing.forwardTo === to) return end;
  }
  return undefined;
}

async function requireNoOther(source: End, companyId: string, to: string): Promise<void> {
  const standing = await readMoveRow(source, companyId);
  if (standing === undefined || standing.state === 'ARRIVED' || standing.otherShard === to) return;
  throw new SetupError(`A move to ${standing.otherShard} is in progress; finish it first.`);
}
