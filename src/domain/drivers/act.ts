import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { CommitRequest } from '../../../db/writer.ts';
import type { DriverPrincipal } from '../../access/driver-token.ts';
import { type CompanyScope, scopeForDriver } from '../../access/require.ts';
import type { DriverActionRequest, DriverShipment } from '../../contract/driver.ts';
import { LATE_ACTIONS } from '../../contract/driver-state.ts';
import type { Shipment } from '../../contract/shipment.ts';
import { hasDriver, isCarried, isTerminal, type ShipmentState } from '../../contract/shipment-state.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Refusal, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type BindDependencies, bindAnswer, findAnswer, fingerprintOf, type KeyClaim } from '../idempotency/once.ts';
import { isRepeatedDelivery, type ProofDependencies, type ProofOrder, prepareProof } from '../proof/prepare.ts';
import { type PinMessageDependencies, tellPin } from '../proof/tell-pin.ts';
import { settle } from '../settle.ts';
import type { Lane } from '../shipments/command.ts';
import type { Command } from '../shipments/lifecycle.ts';
import type { SealedProof } from '../shipments/proof-store.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { type AgreeDependencies, agreeToWindow } from './agree-to-window.ts';
import { amendmentsAcknowledged } from './amendment-store.ts';
import { arrivalIn, isArrivalState, sightAfter } from './arrivals.ts';
import { lateReportInsert, takenFrom } from './late-report-store.ts';
import { type LookBook, type PositionReports, usablePosition } from './positions.ts';
import { arrivalUpdate, assignmentOf, onceOfferedTo, recipientLooksInsert } from './store.ts';
import { takenOf } from './taken-at.ts';
import { type Arrival, acknowledged, presentToDriver, type Sight, VISIBLE_SECONDS } from './view.ts';
import { windowReached } from './window-store.ts';

export interface ActDependencies
  extends BindDependencies,
    ProofDependencies,
    PinMessageDependencies,
    Pick<AgreeDependencies, 'random'> {
  readonly lane: Lane;
  readonly positions: PositionReports;
  readonly lookBook: LookBook;
  readonly later: (work: Promise<unknown>) => void;
}

export interface ActOrder extends DriverActionRequest {
  readonly shipmentId: Uuid;
  readonly correlationId: Uuid;
}

/** An amendment may be faster than a delivery or a failure, and a departure than an agreement. */
const ATTEMPTS_MAX = 3;

type Assignment = ShipmentRow &
  Sight & {
    readonly offerState: string;
    readonly offerExpiresAt: Instant;
    readonly offerEndedAt: Instant | null;
    readonly onDuty: number;
  };

export interface Acted {
  readonly shipment: DriverShipment;
  /** Whether an earlier request with the same `actionId` did the work. */
  readonly isReplayed: boolean;
}

/**
 * Runs an action of a driver on a shipment that the driver has. Another driver’s shipment is refused like an unknown one.
 * The position is stored after the action has succeeded. A repeat with the same `actionId` changes nothing. It is looked up
 * first, because a driver no longer has a shipment that the first request declined or released.
 */
export async function actOnShipment(
  dependencies: ActDependencies,
  driver: DriverPrincipal,
  order: ActOrder,
): Promise<Result<Acted>> {
  const violations = actionViolations(order);
  if (violations.length > 0) return refuse('VALIDATION_FAILED', { violations });
  const claim = await claimOf(order);
  const find = async () => (claim === undefined ? ok(undefined) : findActed(dependencies, driver, { order, claim }));
  const earlier = await find();
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return ok(earlier.value);
  const done = await actNow(dependencies, driver, { order, claim });
  if (done.ok) return ok({ shipment: done.value, isReplayed: false });
  // The action is also refused if a request with the same id was faster.
  const faster = await find();
  if (faster.ok && faster.value !== undefined) return ok(faster.value);
  if (done.code !== 'ACCESS_DENIED') return done;
  const noted = await noteLateReport(dependencies, driver, order);
  return noted.ok ? done : noted;
}

/** A driver who reports something after an operator has taken the shipment from them leaves a trace in its timeline. */
async function noteLateReport(
  { database, writer, clock }: Pick<ActDependencies, 'database' | 'writer' | 'clock'>,
  { driverId }: DriverPrincipal,
  { shipmentId, action: reported, reasonCode }: ActOrder,
): Promise<Result<boolean>> {
  const action = LATE_ACTIONS.find((late) => late === reported);
  if (action === undefined) return ok(false);
  const taken = await database.read(takenFrom(driverId, shipmentId));
  if (!taken.ok) return unavailable();
  if (taken.rows.length === 0) return ok(false);
  const report = { shipmentId, driverId, action, reasonCode: reasonCode ?? null, reportedAt: clock.now() };
  return settle(await writer.commit({ statements: [lateReportInsert(report)] }));
}

interface Claimed<Claim> {
  readonly order: ActOrder;
  readonly claim: Claim;
}

async function claimOf({
  actionId,
  shipmentId,
  action,
  reasonCode,
  position,
  version,
  collected,
  proof,
}: ActOrder): Promise<KeyClaim | undefined> {
  if (actionId === undefined) return undefined;
  // A fingerprint is stored, and four digits in a hash could be guessed. The action with the right PIN is the only one that gets an answer.
  const { pin: _pin, calledAt: _called, ...shown } = proof ?? {};
  // A phone may date the same fix and call again when it repeats the action.
  const fingerprint = await fingerprintOf({
    shipmentId,
    action,
    reasonCode,
    latitude: position?.latitude,
    longitude: position?.longitude,
    ...(version === undefined ? {} : { version }),
    ...(collected === undefined ? {} : { collected }),
    ...(proof === undefined ? {} : { proof: shown }),
  });
  return { operation: 'driver.act', key: actionId, fingerprint };
}

/**
 * The answer to an earlier request with this `actionId`. State and version are those of the first answer. The recipient is
 * read again, so a driver who has lost the shipment since then does not see it.
 */
async function findActed(
  dependencies: ActDependencies,
  driver: DriverPrincipal,
  { order: { shipmentId }, claim }: Claimed<KeyClaim>,
): Promise<Result<Acted | undefined>> {
  const { database, clock, config } = dependencies;
  const { deployment } = config;
  const offered = await database.read(onceOfferedTo(driver.driverId, shipmentId));
  if (!offered.ok) return unavailable();
  const [shipment] = offered.rows;
  if (shipment === undefined) return ok(undefined);
  const first = await findAnswer<Pick<Shipment, 'state' | 'version'>>(
    dependencies,
    scopeForDriver(driver, shipment),
    claim,
  );
  if (!first.ok || first.value === undefined) return first.ok ? ok(undefined) : first;
  const { state, version } = first.value.body;
  const found = await database.read(assignmentOf(driver.driverId, shipmentId));
  if (!found.ok) return unavailable();
  const [assignment] = found.rows;
  const now = clock.now();
  const wasVisible = isRecipientVisible(state, now, now);
  const isVisible = assignment !== undefined && isRecipientVisible(assignment.state, assignment.offerEndedAt, now);
  const row = { ...shipment, state, version };
  if (!wasVisible || !isVisible) return ok({ shipment: presentToDriver(row, undefined, deployment), isReplayed: true });
  const noted = settle(
    await dependencies.writer.commit({
      statements: [recipientLooksInsert(driver.driverId, [shipmentId], clock.wall.now())],
    }),
  );
  return ok({
    shipment: presentToDriver(row, noted.ok && noted.value ? assignment : undefined, deployment),
    isReplayed: true,
  });
}

async function actNow(
  dependencies: ActDependencies,
  driver: DriverPrincipal,
  { order, claim }: Claimed<KeyClaim | undefined>,
  attempt = 1,
): Promise<Result<DriverShipment>> {
  const { database, lane, clock, later } = dependencies;
  const again = (seen: ActOrder) =>
    attempt < ATTEMPTS_MAX ? actNow(dependencies, driver, { order: seen, claim }, attempt + 1) : unavailable();
  const now = clock.now();
  const found = await database.read(assignmentOf(driver.driverId, order.shipmentId));
  if (!found.ok) return unavailable();
  const [assignment] = found.rows;
  if (assignment === undefined) return refuse('ACCESS_DENIED');
  const refusal = refusalOf(assignment, order.action, now);
  if (refusal !== undefined) return refusal;
  if (await isRepeatedDelivery(dependencies, assignment, order))
    return answerWith(dependencies, driver, { row: assignment, assignment, order, claim });
  const scope = scopeForDriver(driver, assignment);
  const taken = takenOf(order.takenAt, now);
  const proof = await proofOfAction(dependencies, scope, { assignment, order: { ...order, ...taken } });
  if (!proof.ok) return proof;
  const command = commandOf(order, driver.driverId, proof.value);
  let row: ShipmentRow = assignment;
  if (command !== undefined) {
    const { shipmentId, correlationId } = order;
    // What has to be proven was judged on what was read: the parcel may set out meanwhile, or an amendment end the PIN.
    const precondition =
      command.name === 'DELIVER' || command.name === 'FAIL'
        ? ({ kind: 'versions', versions: [assignment.version] } as const)
        : ({ kind: 'any' } as const);
    const commanded = { shipmentId, command, actor: 'DRIVER', precondition, correlationId, claim, ...taken } as const;
    const done = await lane.execute(scope, commanded);
    if (!done.ok && done.code === 'PRECONDITION_FAILED') return again(order);
    if (!done.ok) return done;
    row = done.value;
    if (command.name === 'DEPART') later(tellPin(dependencies, scope, { ...assignment, ...row }));
  }
  if (order.action === 'ACKNOWLEDGE') {
    const { version: seen = row.version, correlationId } = order;
    const { windowStatus } = assignment;
    const read = { row, windowStatus, driverId: driver.driverId, seen, occurredAt: now, correlationId };
    const agreed = await agreeToWindow(dependencies, read);
    if (!agreed.ok) return agreed;
    if (!agreed.value) return again({ ...order, version: seen });
  }
  // The lane has bound the answer of a command.
  const unbound = command === undefined ? claim : undefined;
  return answerWith(dependencies, driver, { row, assignment, order, claim: unbound });
}

/** What the action proves, if it may prove something at the door. */
function proofOfAction(
  dependencies: ActDependencies,
  scope: CompanyScope,
  {
    assignment,
    order: { action, ...order },
  }: { readonly assignment: Assignment; readonly order: Omit<ActOrder, 'takenAt'> & Pick<ProofOrder, 'takenAt'> },
): Promise<Result<SealedProof | undefined>> {
  const isProvable =
    (action === 'DELIVER' && assignment.state === 'OUT_FOR_DELIVERY') ||
    (action === 'FAIL' && isCarried(assignment.state));
  if (!isProvable) return Promise.resolve(ok(undefined));
  const now = dependencies.clock.now();
  const held = order.position && usablePosition(order.position, now);
  const here = held === undefined ? null : { ...held, positionAt: formatInstant(held.positionAt) };
  const calledAt = takenOf(order.proof?.calledAt, now).takenAt;
  const arrival = assignment.doorArrival === null ? null : parseStored<Arrival>(assignment.doorArrival);
  return prepareProof(dependencies, scope, assignment, { ...order, action, here, arrival, calledAt });
}

/** Rules that look at more than one member. */
export function actionViolations({
  action,
  reasonCode,
  position,
  version,
  collected,
  proof,
}: DriverActionRequest): Violation[] {
  const violations: Violation[] = [];
  if (action === 'FAIL' && reasonCode === undefined) violations.push({ field: 'reasonCode', code: 'REQUIRED' });
  if (action !== 'FAIL' && reasonCode !== undefined) violations.push({ field: 'reasonCode', code: 'FORBIDDEN_FIELD' });
  if (action !== 'ACKNOWLEDGE' && version !== undefined) violations.push({ field: 'version', code: 'FORBIDDEN_FIELD' });
  if (action !== 'DELIVER' && collected !== undefined) violations.push({ field: 'collected', code: 'FORBIDDEN_FIELD' });
  if (action !== 'DELIVER' && action !== 'FAIL' && proof !== undefined)
    violations.push({ field: 'proof', code: 'FORBIDDEN_FIELD' });
  if (action === 'FAIL' && proof?.pin !== undefined) violations.push({ field: 'proof.pin', code: 'FORBIDDEN_FIELD' });
  if (action === 'DELIVER' && proof?.calledAt !== undefined)
    violations.push({ field: 'proof.calledAt', code: 'FORBIDDEN_FIELD' });
  if (action === 'REPORT_POSITION' && position === undefined) violations.push({ field: 'position', code: 'REQUIRED' });
  return violations;
}

function commandOf(
  { action, reasonCode, collected }: DriverActionRequest,
  driverId: Uuid,
  proof: SealedProof | undefined,
): Command | undefined {
  if (action === 'REPORT_POSITION' || action === 'ARRIVE' || action === 'ACKNOWLEDGE') return undefined;
  if (action === 'DELIVER') return { name: action, driverId, collected, proof };
  if (action !== 'FAIL') return { name: action, driverId };
  if (reasonCode === undefined) throw new Error('A failure without its reason passed the rules');
  return { name: 'FAIL', driverId, reasonCode, proof };
}

/**
 * A driver off duty keeps the current shipments and accepts no more. An expired offer cannot be accepted, even if dispatch
 * has not withdrawn it yet. A driver who has finished a shipment cannot report positions for it, arrives only at the
 * pickup location and at the door, and reads changes only of what they have.
 */
function refusalOf(
  { offerState, offerExpiresAt, onDuty, state }: Assignment,
  action: DriverActionRequest['action'],
  now: Instant,
): Refusal | undefined {
  const isTooLate = action === 'ACCEPT' && (onDuty !== 1 || (offerState === 'OPEN' && offerExpiresAt <= now));
  const isOver = action === 'REPORT_POSITION' && (offerState === 'COMPLETED' || offerState === 'CANCELLED');
  const isNowhere = action === 'ARRIVE' && !isArrivalState(state);
  const isNotTheirs = action === 'ACKNOWLEDGE' && !hasDriver(state);
  return isTooLate || isOver || isNowhere || isNotTheirs
    ? refuse('INVALID_STATE_TRANSITION', { members: { currentState: state } })
    : undefined;
}

interface Work {
  readonly row: ShipmentRow;
  readonly assignment: Assignment;
  readonly order: ActOrder;
  /** To be bound to the answer. */
  readonly claim: KeyClaim | undefined;
}

/**
 * Reports the position, stores the arrival and the record of access in one unit, then shows the shipment. A change of state
 * is committed by now, so if the record cannot be stored, the answer omits the recipient.
 */
async function answerWith(
  dependencies: ActDependencies,
  driver: DriverPrincipal,
  { row, assignment, order: { action, position, version = row.version, takenAt }, claim }: Work,
): Promise<Result<DriverShipment>> {
  const { database, writer, clock, config, lookBook, positions, later } = dependencies;
  const { driverId, shard } = driver;
  const hasWindow = row.deliveryWindowStart !== null;
  const now = clock.now();
  const lookedAt = clock.wall.now();
  const isVisible = isRecipientVisible(row.state, assignment.offerEndedAt, now);
  const taken = takenOf(takenAt, now);
  const arrived = action === 'ARRIVE' ? arrivalIn(row.state, position, now, taken) : undefined;
  const isRead = action === 'ACKNOWLEDGE';
  const statements: WriteStatement[] = [
    ...(isRead ? [amendmentsAcknowledged(row.id, driverId, version, now)] : []),
    ...(hasWindow && arrived?.state === 'OUT_FOR_DELIVERY'
      ? [windowReached(row.id, driverId, taken.takenAt ?? now)]
      : []),
    ...(arrived === undefined ? [] : [arrivalUpdate(row.id, driverId, arrived)]),
    ...(isVisible && !lookBook.has(driverId, row.id, lookedAt)
      ? [recipientLooksInsert(driverId, [row.id], lookedAt)]
      : []),
  ];
  // REPORT_POSITION, ARRIVE and ACKNOWLEDGE do nothing else, so the driver learns if their position cannot be kept.
  const mustStore = row === assignment;
  const held = position && usablePosition(position, now);
  const isReported = held === undefined || (await positions.report(shard, driverId, held, later));
  if (!isReported && mustStore) return unavailable();
  // The status of a window changes in the database only, with most actions.
  const look = () => (hasWindow ? seenAgain(database, driverId, row.id) : assignment);
  if (statements.length === 0 && claim === undefined)
    return ok(presentToDriver(row, isVisible ? await look() : undefined, config.deployment));
  const unit: CommitRequest = { statements };
  // What a repeat needs, not the whole shipment: an app reports every few seconds.
  const answer = { status: 200, body: { state: row.state, version: row.version }, headers: {} };
  const scope = scopeForDriver(driver, row);
  const bound = claim === undefined ? unit : await bindAnswer(dependencies, scope, claim, { unit, answer });
  const written = settle(await writer.commit(bound));
  const isWritten = written.ok && written.value;
  if (!isWritten && mustStore) return unavailable();
  if (isWritten && isVisible) lookBook.note(driverId, row.id, lookedAt);
  const sight = isVisible && isWritten ? await look() : undefined;
  const shown = presentToDriver(row, sight && sightAfter(sight, arrived), config.deployment);
  return ok(isRead ? acknowledged(shown, version, now) : shown);
}

/** What the driver sees of a shipment now; undefined, and so without the recipient, if it cannot be read. */
async function seenAgain(database: Database, driverId: Uuid, shipmentId: Uuid): Promise<Sight | undefined> {
  const found = await database.read(assignmentOf(driverId, shipmentId));
  return found.ok ? found.rows[0] : undefined;
}

function isRecipientVisible(state: ShipmentState, endedAt: Instant | null, now: Instant): boolean {
  return hasDriver(state) || (isTerminal(state) && (endedAt ?? now) > addSeconds(now, -VISIBLE_SECONDS));
}
