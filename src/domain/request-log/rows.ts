import type { Writer } from '../../../db/writer.ts';
import { fromBase64, toBase64 } from '../../core/base64url.ts';
import { sha256, toHex } from '../../core/crypto.ts';
import { addSeconds, instantFromMillis } from '../../core/instant.ts';
import { FAILURES_LOGGED_DAYS, SUCCESSES_LOGGED_DAYS } from '../../core/limits.ts';
import { millisOf, type Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type LogRow, rowInsert } from './store.ts';

const DAY_SECONDS = 24 * 3600;

/** One call that waits to be written. */
export interface Entry {
  readonly requestId: Uuid;
  readonly companyId: Uuid;
  readonly isFailure: boolean;
  readonly text: string;
  readonly idempotencyKey: string | undefined;
  /** Equal reads that followed. */
  repeats: number;
}

export interface LogDependencies {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly random: Random;
}

/** Writes the entries, in one row for the successes and one for the failures of each company. False if it failed. */
export async function writeEntries(
  { writer, clock, random }: LogDependencies,
  entries: readonly Entry[],
): Promise<boolean> {
  const groups = Map.groupBy(entries, ({ companyId, isFailure }) => `${companyId} ${isFailure}`);
  const now = clock.now();
  const rows = [...groups.values()].map(async (group): Promise<LogRow[]> => {
    const [first] = group;
    if (first === undefined) return [];
    const millis = group.map(({ requestId }) => millisOf(requestId));
    const days = first.isFailure ? FAILURES_LOGGED_DAYS : SUCCESSES_LOGGED_DAYS;
    return [
      {
        id: random.uuid(),
        companyId: first.companyId,
        isFailure: first.isFailure ? 1 : 0,
        firstAt: instantFromMillis(Math.min(...millis)),
        lastAt: instantFromMillis(Math.max(...millis)),
        expiresAt: addSeconds(now, days * DAY_SECONDS),
        entries: await pack((await Promise.all(group.map(lineOf))).join('\n')),
      },
    ];
  });
  const statements = (await Promise.all(rows)).flat().map(rowInsert);
  const { status } = await writer.commit({ statements });
  return status === 'committed';
}

async function lineOf({ text, idempotencyKey, repeats }: Entry): Promise<string> {
  const hash = idempotencyKey === undefined ? null : `"${toHex((await sha256(idempotencyKey)).slice(0, 8))}"`;
  return `${text.slice(0, -1)},"idempotencyKeyHash":${hash},"repeats":${repeats}}`;
}

/** A text in gzip (RFC 1952) and base64. */
async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** The text that `pack` has packed. */
export async function unpack(packed: string): Promise<string> {
  const stream = new Blob([fromBase64(packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}
