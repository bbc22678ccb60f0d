import { describe, expect, test } from 'vitest';
import {
  ACTORS,
  type Actor,
  isTerminal,
  SHIPMENT_STATES,
  type ShipmentState,
  STATE_FACTS,
} from '../../../../src/contract/shipment-state.ts';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import {
  type Command,
  type CommandName,
  type Decision,
  decide,
  EDGES,
} from '../../../../src/domain/shipments/lifecycle.ts';
import { sampleAmendment } from '../../../support/dispatch/amendments.ts';

/**
 * The effect of every command in every state, by a permitted actor: the next state, `409` if it is not allowed, or
 * `same` if nothing changes without an error.
 */
const TABLE = `
                     APPROVE             OFFER    ACCEPT   DECLINE             EXPIRE_OFFER        GIVE_UP              RELEASE             RETRY_DISPATCH      PICK_UP    DEPART            DELIVER    FAIL             CANCEL    REASSIGN            TAKE_OVER         AMEND                RECALL
PENDING_APPROVAL     READY_FOR_DISPATCH  409      409      409                 409                 409                  409                 409                 409        409               409        409              CANCELLED 409                 409               PENDING_APPROVAL     409
READY_FOR_DISPATCH   409                 OFFERED  409      409                 409                 DISPATCH_UNRESOLVED  409                 409                 409        409               409        409              CANCELLED 409                 409               READY_FOR_DISPATCH   409
OFFERED              409                 409      ACCEPTED READY_FOR_DISPATCH  READY_FOR_DISPATCH  DISPATCH_UNRESOLVED  409                 409                 409        409               409        409              CANCELLED 409                 409               OFFERED              409
ACCEPTED             409                 409      409      409                 409                 DISPATCH_UNRESOLVED  READY_FOR_DISPATCH  409                 PICKED_UP  409               409        409              CANCELLED READY_FOR_DISPATCH  409               ACCEPTED             409
DISPATCH_UNRESOLVED  409                 409      409      409                 409                 409                  409                 READY_FOR_DISPATCH  409        409               409        409              CANCELLED 409                 409               DISPATCH_UNRESOLVED  409
PICKED_UP            409                 409      409      409                 409                 409                  409                 409                 409        OUT_FOR_DELIVERY  409        DELIVERY_FAILED  409       409                 PICKED_UP         PICKED_UP            DELIVERY_FAILED
OUT_FOR_DELIVERY     409                 409      409      409                 409                 409                  409                 409                 409        409               DELIVERED  DELIVERY_FAILED  409       409                 OUT_FOR_DELIVERY  OUT_FOR_DELIVERY     DELIVERY_FAILED
DELIVERED            409                 409      409      409                 409                 409                  409                 409                 409        409               409        409              409       409                 409               409                  409
DELIVERY_FAILED      409                 409      409      409                 409                 409                  409                 409                 409        409               409        409              409       409                 409               409                  409
CANCELLED            409                 409      409      409                 409                 409                  409                 409                 409        409               409        409              same      409                 409               409                  409
`;

const EVENTS: Readonly<Record<CommandName, string>> = {
  APPROVE: 'shipment.approved',
  OFFER: 'shipment.offered',
  ACCEPT: 'shipment.accepted',
  DECLINE: 'shipment.offer_declined',
  EXPIRE_OFFER: 'shipment.offer_expired',
  GIVE_UP: 'shipment.dispatch_unresolved',
  RELEASE: 'shipment.driver_released',
  REASSIGN: 'shipment.driver_released',
  TAKE_OVER: 'shipment.driver_changed',
  RETRY_DISPATCH: 'shipment.dispatch_retried',
  PICK_UP: 'shipment.picked_up',
  DEPART: 'shipment.out_for_delivery',
  DELIVER: 'shipment.delivered',
  FAIL: 'shipment.delivery_failed',
  RECALL: 'shipment.delivery_failed',
  CANCEL: 'shipment.cancelled',
  AMEND: 'shipment.amended',
};

/** The permitted actors of each command; all others are refused. */
const ALLOWED: Readonly<Record<CommandName, readonly Actor[]>> = {
  APPROVE: ['SYSTEM', 'OPERATOR'],
  OFFER: ['SYSTEM', 'OPERATOR'],
  ACCEPT: ['DRIVER'],
  DECLINE: ['DRIVER'],
  EXPIRE_OFFER: ['SYSTEM', 'OPERATOR'],
  GIVE_UP: ['SYSTEM', 'OPERATOR'],
  RELEASE: ['DRIVER'],
  REASSIGN: ['OPERATOR'],
  TAKE_OVER: ['OPERATOR'],
  RETRY_DISPATCH: ['MERCHANT', 'OPERATOR'],
  PICK_UP: ['DRIVER'],
  DEPART: ['DRIVER'],
  DELIVER: ['DRIVER'],
  FAIL: ['DRIVER', 'OPERATOR'],
  RECALL: ['MERCHANT', 'OPERATOR'],
  CANCEL: ['MERCHANT', 'OPERATOR'],
  AMEND: ['MERCHANT', 'RECIPIENT'],
};

const now = instantFromMillis(1_795_224_000_000);
const driverId = '01a1fbdf-1dae-72c6-bbe1-a4915637be63' as Uuid;
const before = instantFromMillis(1_795_000_000_000);

const lines = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const [header = [], ...rows] = lines;
const cells = rows.flatMap(([state, ...outcomes]) =>
  outcomes.map((expected, column) => ({
    state: state as ShipmentState,
    name: header[column] as CommandName,
    expected,
  })),
);

test('the table names every state and every command', () => {
  expect(rows.map(([state]) => state)).toEqual([...SHIPMENT_STATES]);
  expect([...header].toSorted()).toEqual(Object.keys(EVENTS).toSorted());
  expect(cells).toHaveLength(170);
});

describe.each(cells)('$state × $name', ({ state, name, expected }) => {
  test.each(ACTORS.map((actor) => ({ actor })))('by $actor', ({ actor }) => {
    const decision = decide({ state, version: 7, approvedAt: before, amendmentCount: 2 }, commandOf(name), actor, now);
    if (expected === 'same') {
      expect(decision).toEqual({ kind: 'unchanged' });
    } else if (expected === '409' || !ALLOWED[name].includes(actor)) {
      const code = name === 'CANCEL' ? 'SHIPMENT_NOT_CANCELLABLE' : 'INVALID_STATE_TRANSITION';
      expect(decision).toEqual({ kind: 'refused', refusal: { ok: false, code, members: { currentState: state } } });
    } else {
      expect(standingOf(decision)).toEqual({
        state: expected,
        version: 8,
        approvedAt: name === 'APPROVE' ? now : before,
        amendmentCount: name === 'AMEND' ? 3 : 2,
        // An amendment brings the columns that it changes.
        ...(name === 'AMEND' ? sampleAmendment().row : {}),
      });
      expect(eventOf(decision)).toMatchObject({ type: EVENTS[name], previousState: state, actor, occurredAt: now });
    }
  });
});

test('three states are terminal and have no outgoing transition', () => {
  expect(SHIPMENT_STATES.filter(isTerminal)).toEqual(['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED']);
  expect(SHIPMENT_STATES.filter((state) => !EDGES.some(({ from }) => from === state))).toEqual(
    SHIPMENT_STATES.filter(isTerminal),
  );
});

test('every state has exactly these facts', () => {
  const rows = Object.entries(STATE_FACTS).map(([state, { phase, trackingStep, driver, isPositionShared }]) =>
    [state, phase, trackingStep, driver, isPositionShared].join(' '),
  );
  expect(rows).toEqual([
    'PENDING_APPROVAL AWAITING_APPROVAL 1 none false',
    'READY_FOR_DISPATCH SEARCHING 1 none false',
    'OFFERED OFFERED 1 asked false',
    'ACCEPTED ASSIGNED 2 assigned false',
    'DISPATCH_UNRESOLVED UNRESOLVED 1 none false',
    'PICKED_UP ASSIGNED 3 carrying false',
    'OUT_FOR_DELIVERY ASSIGNED 4 carrying true',
    'DELIVERED ENDED 5 none false',
    'DELIVERY_FAILED ENDED  none false',
    'CANCELLED ENDED  none false',
  ]);
});

test('before departure a delivery can fail only as lost or damaged', () => {
  const reasons = [
    'RECIPIENT_UNREACHABLE',
    'RECIPIENT_REFUSED',
    'COD_NOT_PAID',
    'WRONG_ADDRESS',
    'DAMAGED',
    'LOST',
    'OTHER',
  ] as const;
  const allowed = reasons.filter(
    (reasonCode) =>
      decide(
        { state: 'PICKED_UP', version: 5, approvedAt: before, amendmentCount: 0 },
        { name: 'FAIL', driverId, reasonCode },
        'DRIVER',
        now,
      ).kind === 'transition',
  );
  expect(allowed).toEqual(['DAMAGED', 'LOST']);
});

test('a cancellation event has the reason and the comment', () => {
  const command = { name: 'CANCEL', reasonCode: 'PRICE', comment: 'too dear' } as const;
  const decision = decide(
    { state: 'OFFERED', version: 2, approvedAt: before, amendmentCount: 0 },
    command,
    'MERCHANT',
    now,
  );
  expect(eventOf(decision)).toMatchObject({ reasonCode: 'PRICE', note: 'too dear' });
});

test.each(['PICKED_UP', 'OUT_FOR_DELIVERY'] as const)(
  'an operator ends a shipment that is %s with a reason',
  (state) => {
    const command = { name: 'FAIL', reasonCode: 'LOST', comment: 'The driver has left' } as const;
    const decision = decide({ state, version: 5, approvedAt: before, amendmentCount: 0 }, command, 'OPERATOR', now);
    expect(eventOf(decision)).toMatchObject({ actor: 'OPERATOR', reasonCode: 'LOST', note: 'The driver has left' });
  },
);

test('the amendment of a request that waited is not counted again', () => {
  const shipment = { state: 'ACCEPTED', version: 5, approvedAt: before, amendmentCount: 3 } as const;
  const amendment = { ...sampleAmendment(), waiting: { number: 3, version: 0 } };
  const command = { name: 'AMEND', reasonCode: null, comment: 'LOCATION', amendment } as const;
  const decision = decide(shipment, command, 'RECIPIENT', now);
  expect(standingOf(decision)).toMatchObject({ version: 6, amendmentCount: 3 });
  expect(eventOf(decision)).toMatchObject({ type: 'shipment.amended', actor: 'RECIPIENT' });
});

function commandOf(name: CommandName): Command {
  if (name === 'FAIL') return { name, driverId, reasonCode: 'LOST' };
  if (name === 'RECALL') {
    const followUp = { id: driverId, shipmentNumber: 'SHP-1', externalReference: 'A~R' };
    return { name, reasonCode: 'RECALLED', comment: null, followUp, contact: { name: 'Shop', phone: '+966500000001' } };
  }
  if (name === 'CANCEL') return { name, reasonCode: 'OTHER', comment: null };
  if (name === 'OFFER') return { name, offerId: driverId, driverId, expiresAt: now };
  if (name === 'REASSIGN') return { name, reasonCode: 'DRIVER_LATE', comment: null };
  if (name === 'TAKE_OVER')
    return { name, offerId: driverId, toDriverId: driverId, reasonCode: 'PHONE_LOST', comment: null };
  if (name === 'GIVE_UP') return { name, reasonCode: 'NO_DRIVER' };
  if (name === 'AMEND') return { name, reasonCode: 'OUR_MISTAKE', comment: 'LOCATION', amendment: sampleAmendment() };
  if (name === 'RETRY_DISPATCH') return { name, serviceLevelCode: 'STANDARD' };
  return name === 'APPROVE' || name === 'EXPIRE_OFFER' ? { name } : { name, driverId };
}

function standingOf(decision: Decision): unknown {
  return decision.kind === 'transition' ? decision.transition.next : decision;
}

function eventOf(decision: Decision): unknown {
  return decision.kind === 'transition' ? decision.transition.event : decision;
}
