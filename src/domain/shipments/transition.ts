import type { WriteStatement } from '../../../db/statement.ts';
import type { CommitRequest } from '../../../db/writer.ts';
import type { Event } from '../../contract/event.ts';
import { type Instant, instantOrNull } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type EventConfig, type EventDraft, recordTransition } from '../events/record.ts';
import { chargeCancellation } from '../pricing/terms.ts';
import { dispatchEffects } from './driver-effects.ts';
import type { FailureParts } from './failure.ts';
import type { Command, LifecycleFields, Transition } from './lifecycle.ts';
import { type ShipmentRow, shipmentUpdate } from './store.ts';
import { presentShipment } from './view.ts';

/** What the unit of a transition needs besides the shipment. */
export interface TransitionParts {
  readonly eventId: Uuid;
  readonly correlationId: Uuid;
  readonly config: EventConfig;
  readonly clock: CompanyClock;
  readonly hasFee?: boolean;
  /** Of a failure. */
  readonly failure?: FailureParts | undefined;
  readonly takenAt?: Instant | null | undefined;
}

/** The unit of SQL for one transition of a shipment, with its event and its effects on other rows. */
export function transitionUnit(
  subject: ShipmentRow,
  command: Command,
  { next, event }: Transition,
  made: TransitionParts,
): CommitRequest {
  const { id, companyId, version } = subject;
  const { state, approvedAt } = next;
  const now = event.occurredAt;
  const searchFrom = later(now, subject.searchFrom);
  const { failure } = made;
  const dueAt = failure?.dueAt ?? dueAfter(command, next, searchFrom);
  const effects = dispatchEffects(id, command, { from: subject.state, to: state, now });
  const serviceLevelCode = command.name === 'RETRY_DISPATCH' ? command.serviceLevelCode : null;
  const moved = { id, companyId, version, nextVersion: next.version, previousState: subject.state, state, approvedAt };
  const { driverId } = effects;
  const changes = subject.deliveryWindowStart === null ? effects.changes : [...effects.changes, 'window' as const];
  const { takenAt } = made;
  const update = shipmentUpdate(
    { ...moved, dueAt, now, takenAt: takenAt ?? now, searchFrom, driverId, serviceLevelCode },
    changes,
  );
  const taken = takenAt === undefined ? {} : { takenAt: instantOrNull(takenAt) };
  const recorded = transitionEvent(subject, { next, event }, made, {
    ...reasonOf(command),
    ...taken,
    ...failure?.data,
  });
  const isAmended = subject.amendmentCount > 0;
  const charges =
    command.name === 'CANCEL' ? chargeCancellation(id, { hasFee: made.hasFee ?? false, isAmended }, now) : [];
  const statements = [update, ...recorded, ...effects.statements, ...charges, ...(failure?.statements ?? [])];
  return { statements, dueAt: dueAt ?? undefined };
}

/** The event of a transition, for its unit. `data` is what it has besides the shipment. */
export function transitionEvent(
  subject: ShipmentRow,
  { next, event }: Transition,
  made: TransitionParts,
  data: Event['data'],
): WriteStatement[] {
  const draft: EventDraft = {
    id: made.eventId,
    correlationId: made.correlationId,
    offsetSeconds: made.clock.offsetSeconds(),
    companyId: subject.companyId,
    shipmentId: subject.id,
    type: event.type,
    occurredAt: event.occurredAt,
    previousState: event.previousState,
    data: { shipment: presentShipment({ ...subject, ...next }), ...data },
  };
  return recordTransition(made.config, draft, { ...event, sequence: next.version + 1, state: next.state });
}

/** The reason and the proof in the event. A driver who declines gives no comment. */
function reasonOf(command: Command) {
  if (command.name === 'DECLINE') return { reason: { code: 'DECLINED', comment: null } };
  const proof = 'proof' in command && command.proof;
  const proven = proof ? { proof: { evidence: proof.evidence, sha256: proof.sha256 } } : {};
  if (!('reasonCode' in command) || command.name === 'AMEND') return proven;
  return { reason: { code: command.reasonCode, comment: 'comment' in command ? command.comment : null }, ...proven };
}

/** When the service has to act next: at once to search for a driver, later to withdraw an unanswered offer. */
function dueAfter(command: Command, next: LifecycleFields, searchFrom: Instant): Instant | null {
  if (command.name === 'OFFER') return command.expiresAt;
  return next.state === 'READY_FOR_DISPATCH' ? searchFrom : null;
}

function later(first: Instant, second: Instant | null): Instant {
  return second !== null && second > first ? second : first;
}
