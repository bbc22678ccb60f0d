import { type Objection, unless } from './promises.ts';

/** Failed attempts after which a delivery does not hold up the next event of its shipment. */
const PATIENCE = 3;

/** Answers that pause an endpoint. They are no attempts, so an event that waits for them is not passed. */
const PAUSING: readonly (number | null)[] = [429, 502, 503, 504];

export function isAttempt({ responseStatus }: { readonly responseStatus: number | null }): boolean {
  return !PAUSING.includes(responseStatus);
}

export function isOpen(status: string): boolean {
  return status === 'PENDING' || status === 'RETRYING';
}

interface Subscriber {
  readonly id: string;
  readonly companyId: string;
  readonly eventTypes: readonly string[];
  readonly isDeleted: boolean;
}

/** `made` are the deliveries of this event, replays left out. */
export function fanOutRules(
  event: {
    readonly id: string;
    readonly type: string;
    readonly companyId: string;
    readonly shipmentId?: string | null;
  },
  endpoints: readonly Subscriber[],
  made: readonly { readonly endpointId: string }[],
): Objection[] {
  const wanting = endpoints.filter(
    ({ companyId, eventTypes, isDeleted }) =>
      !isDeleted && companyId === event.companyId && (eventTypes.includes('*') || eventTypes.includes(event.type)),
  );
  const isEach = wanting.every(({ id }) => made.filter(({ endpointId }) => endpointId === id).length === 1);
  const holds = isEach && made.length === wanting.length;
  const detail = () => `${event.type} ${event.id} has ${made.length} deliveries for ${wanting.length} endpoints`;
  return unless(holds, 'delivery', detail, event.shipmentId ?? undefined);
}

/** `wasTaken`: its receiver answered 2xx at least once. */
export function receiptRules(delivery: {
  readonly name: string;
  readonly status: string;
  readonly wasTaken: boolean;
}): Objection[] {
  const { name, status, wasTaken } = delivery;
  return unless(status !== 'SUCCEEDED' || wasTaken, 'receipt', () => `${name} is SUCCEEDED and was never taken`);
}

/** `isOver`: no work is left. */
export function endRules(delivery: {
  readonly name: string;
  readonly status: string;
  readonly wasDisabled: boolean;
  readonly isOver: boolean;
}): Objection[] {
  const { name, status, wasDisabled, isOver } = delivery;
  const isSkippedRightly = status !== 'SKIPPED' || wasDisabled;
  return unless(isSkippedRightly && !(isOver && isOpen(status)), 'ended', () => `${name} is ${status}`);
}

/** For a delivery that was given up. An endpoint that answers 410 gets no further attempts. */
export function givenUpRules(delivery: {
  readonly name: string;
  readonly attempts: number;
  readonly failures: number;
  readonly attemptsMax: number;
  readonly isGone: boolean;
}): Objection[] {
  const { name, attempts, failures, attemptsMax, isGone } = delivery;
  const holds = failures === attempts && (attempts === attemptsMax || isGone);
  return unless(holds, 'exhausted', () => `${name} failed in ${failures} of ${attempts} attempts`);
}

/** The state of the earlier event's delivery, at the moment when the later event was attempted or arrived. */
export function orderRules(
  rule: 'order' | 'arrival',
  events: {
    readonly later: string;
    readonly earlier: string;
    readonly isEarlierOver: boolean;
    readonly earlierFailures: number;
  },
): Objection[] {
  const { later, earlier, isEarlierOver, earlierFailures } = events;
  return unless(isEarlierOver || earlierFailures >= PATIENCE, rule, () => `${later} overtook ${earlier}`);
}

export function bytesRules(name: string, body: string, expected: string): Objection[] {
  return unless(body === expected, 'same', () => `${name} came with two texts`);
}
