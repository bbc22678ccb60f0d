import type { Instant } from '../../core/instant.ts';
import { expiredRevocationsDelete } from '../../domain/credentials/store.ts';
import { expiredKeysDelete } from '../../domain/idempotency/store.ts';
import type { CommandDependencies } from '../../domain/shipments/command.ts';
import { runDue } from '../../domain/shipments/due.ts';

/**
 * Finds on one shard what every alarm has missed, and forgets idempotency keys that are past their time. Answers when
 * the next shipment falls due, `null` when none waits, `undefined` when the database did not answer.
 */
export async function sweepShard(dependencies: CommandDependencies): Promise<Instant | null | undefined> {
  await forgetExpiredKeys(dependencies);
  return runDue(dependencies);
}

export async function forgetExpiredKeys({
  writer,
  clock,
}: Pick<CommandDependencies, 'writer' | 'clock'>): Promise<void> {
  await writer.commit({ statements: [expiredKeysDelete(clock.now())] });
}

/** Forgets revocations of tokens that have expired by themselves. */
export async function sweepDirectory({ writer, clock }: Pick<CommandDependencies, 'writer' | 'clock'>): Promise<void> {
  await writer.commit({ statements: [expiredRevocationsDelete(clock.now())] });
}
