import type { Writer } from '../../../db/writer.ts';
import { addSeconds } from '../../core/instant.ts';
import { OFFERS_MISSED_MAX, SEEN_SECONDS } from '../../core/limits.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import { entryStatement } from '../audit/change.ts';
import { settle } from '../settle.ts';
import { commitLeave, type LeaveDependencies } from './leave.ts';
import { seenMark, silentDrivers, silentDutyEnd } from './store.ts';

/*
 * Promise: a driver who does not answer keeps no search waiting. Who let three offers in a row run out, or sent nothing for half an
 * hour on duty, is put off duty. The parcels in hand stay with the driver, and operators see them as stranded goods. A sandbox's own
 * driver is the only one of its company and stays on duty.
 */

export interface SilenceDependencies extends LeaveDependencies {
  readonly writer: Writer;
  readonly clock: Clock;
  /** `silenceSeconds`: null leaves silent drivers on duty. */
  readonly waits: { readonly silenceSeconds: number | null };
}

/** Puts silent drivers of the shard off duty. For the sweep. One that fails is found again by the next sweep. */
export async function putSilentOffDuty(dependencies: SilenceDependencies): Promise<void> {
  const { database, clock, waits } = dependencies;
  if (waits.silenceSeconds === null) return;
  const silentSince = addSeconds(clock.now(), -(waits.silenceSeconds + SEEN_SECONDS));
  const found = await database.read(silentDrivers({ silentSince, offersMissed: OFFERS_MISSED_MAX }));
  if (!found.ok) return;
  for (const { id, missedOffers } of found.rows)
    await putOffDuty(dependencies, { driverId: id, isMissing: missedOffers >= OFFERS_MISSED_MAX, silentSince });
}

interface Silent {
  readonly driverId: Uuid;
  readonly isMissing: boolean;
  readonly silentSince: ReturnType<typeof addSeconds>;
}

async function putOffDuty(dependencies: SilenceDependencies, { driverId, isMissing, silentSince }: Silent) {
  const { writer, clock, random } = dependencies;
  const now = clock.now();
  const reason = isMissing ? 'OFFERS_MISSED' : 'SILENT';
  const condition = { silentSince, offersMissed: OFFERS_MISSED_MAX };
  const entry = entryStatement({
    scope: undefined,
    actor: { personId: null, clientId: 'service', address: null, requestId: random.uuid() },
    id: random.uuid(),
    action: 'driver.off_duty',
    subject: driverId,
    at: now,
    detail: { reason },
  });
  const own = [silentDutyEnd({ driverId, reason, now, ...condition }), entry];
  await commitLeave(dependencies, driverId, async (givenUp) =>
    settle(await writer.commit({ ...givenUp, statements: [...own, ...givenUp.statements] })),
  );
}

/** Writes that the driver sent something. */
export function noteSeen({ writer, clock }: Pick<SilenceDependencies, 'writer' | 'clock'>, driverId: Uuid) {
  return writer.commit({ statements: [seenMark(driverId, clock.now())] });
}
