import type { DriverPrincipal } from '../../access/driver-token.ts';
import { scopeForDriver } from '../../access/require.ts';
import type { DriverShipment } from '../../contract/driver.ts';
import { addSeconds } from '../../core/instant.ts';
import { ATTEMPT_AGAIN_MINUTES } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type BindDependencies, bindAnswer, findAnswer, fingerprintOf, type KeyClaim } from '../idempotency/once.ts';
import { settle } from '../settle.ts';
import { type ChooseDependencies, choose, refuseClosed } from '../shipments/resolution-choice.ts';
import { assignmentOf, recipientLooksInsert } from './store.ts';
import { presentToDriver } from './view.ts';

export type AttemptDependencies = ChooseDependencies & BindDependencies;

export interface AttemptOrder {
  readonly shipmentId: Uuid;
  readonly actionId?: string | undefined;
  readonly correlationId: Uuid;
}

export interface Attempted {
  readonly shipment: DriverShipment;
  /** Whether an earlier request with the same `actionId` began the attempt. */
  readonly isReplayed: boolean;
}

interface AttemptAnswer {
  readonly shipmentId: Uuid;
}

/**
 * Begins another attempt for the driver who has reported a failure too early, at the cost of the carrier. A shipment that is not the
 * driver's is refused like one that nobody has to decide on.
 */
export async function attemptAgain(
  dependencies: AttemptDependencies,
  driver: DriverPrincipal,
  { shipmentId, actionId, correlationId }: AttemptOrder,
): Promise<Result<Attempted>> {
  const { database, clock } = dependencies;
  const found = await database.read(assignmentOf(driver.driverId, shipmentId));
  if (!found.ok) return unavailable();
  const [assignment] = found.rows;
  if (assignment === undefined) return refuse('RESOLUTION_NOT_OPEN');
  const scope = scopeForDriver(driver, assignment);
  const claim = await claimOf(shipmentId, actionId);
  const find = async () =>
    claim === undefined ? ok(undefined) : findAnswer<AttemptAnswer>(dependencies, scope, claim);
  const earlier = await find();
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return show(dependencies, driver, earlier.value.body.shipmentId, true);
  const chosen = await choose(dependencies, scope, {
    shipmentId,
    kind: 'REDELIVER',
    actor: 'DRIVER',
    payer: 'CARRIER',
    correlationId,
    objection: ({ failedAt }, driverId) => {
      const isInTime = clock.now() <= addSeconds(failedAt, ATTEMPT_AGAIN_MINUTES * 60);
      return isInTime && driverId === driver.driverId ? undefined : refuseClosed(assignment.state);
    },
    bind: (unit, { followUp }) => {
      if (claim === undefined || followUp === null) return Promise.resolve(unit);
      const answer = { status: 201, body: { shipmentId: followUp.id } satisfies AttemptAnswer, headers: {} };
      return bindAnswer(dependencies, scope, claim, { unit, answer });
    },
  });
  if (chosen.ok && chosen.value.followUp !== null) return show(dependencies, driver, chosen.value.followUp.id, false);
  // A request with the same id may have been faster.
  const faster = await find();
  if (faster.ok && faster.value !== undefined) return show(dependencies, driver, faster.value.body.shipmentId, true);
  return chosen.ok ? unavailable() : chosen;
}

async function claimOf(shipmentId: Uuid, actionId: string | undefined): Promise<KeyClaim | undefined> {
  if (actionId === undefined) return undefined;
  return { operation: 'driver.attemptAgain', key: actionId, fingerprint: await fingerprintOf({ shipmentId }) };
}

/** The follow-up as its driver sees it: with the recipient only if the access was recorded. */
async function show(
  { database, writer, clock, config }: AttemptDependencies,
  driver: DriverPrincipal,
  shipmentId: Uuid,
  isReplayed: boolean,
): Promise<Result<Attempted>> {
  const found = await database.read(assignmentOf(driver.driverId, shipmentId));
  const assignment = found.ok ? found.rows[0] : undefined;
  if (assignment === undefined) return unavailable();
  const look = recipientLooksInsert(driver.driverId, [shipmentId], clock.wall.now());
  const noted = settle(await writer.commit({ statements: [look] }));
  const shipment = presentToDriver(assignment, noted.ok && noted.value ? assignment : undefined, config.deployment);
  return ok({ shipment, isReplayed });
}
