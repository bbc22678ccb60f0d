import { describe, expect, test } from 'vitest';
import type { ShipmentState } from '../../../../src/contract/shipment-state.ts';
import { addSeconds, type Instant, parseInstant } from '../../../../src/core/instant.ts';
import { parseUuid } from '../../../../src/core/uuid.ts';
import type { ReplyRow } from '../../../../src/domain/addresses/confirmation-store.ts';
import {
  objectionToReturn,
  presentReturn,
  type ReturnFacts,
} from '../../../../src/domain/recipients/return-request.ts';

/* When a return can be asked for, and what a request is at an instant. */

function instantOf(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(text);
  return instant;
}
const ASKED = instantOf('2030-02-01T10:00:00Z');
const DECIDE_BY = instantOf('2030-02-08T10:00:00Z');
const ENDED_AT = instantOf('2030-01-30T00:00:00Z');
/** Thirty days later. */
const UNTIL = instantOf('2030-03-01T00:00:00Z');
const id = parseUuid('01976e2a-7c10-7f4e-8b21-6d90c3a5e842');
if (id === undefined) throw new Error('No id');

const WISH = { reasonCode: 'DAMAGED', partOfDay: 'EVENING', comment: null, items: [{ index: 0, quantity: 1 }] };
const REPLY: ReplyRow = {
  shipmentId: id,
  companyId: id,
  confirmedAt: null,
  refusedAt: null,
  refusalReason: null,
  refusalComment: null,
  returnAskedAt: ASKED,
  returnDecideBy: DECIDE_BY,
  returnRejectedAt: null,
  returnWish: JSON.stringify(WISH),
};
const FACTS: ReturnFacts = { reply: REPLY, isMade: false, ended: { endedAt: ENDED_AT, kind: undefined }, left: [1, 0] };
const REJECTED = { ...REPLY, returnRejectedAt: ASKED };

describe('a request', () => {
  test.each([
    ['AWAITING_MERCHANT', REPLY, false, addSeconds(DECIDE_BY, -1)],
    ['EXPIRED', REPLY, false, DECIDE_BY],
    ['REJECTED', REJECTED, false, ASKED],
    ['REJECTED', REJECTED, false, DECIDE_BY],
    ['ACCEPTED', REPLY, true, DECIDE_BY],
    ['ACCEPTED', REJECTED, true, ASKED],
  ] as const)('is %s', (state, reply, isMade, now) => {
    expect(presentReturn({ reply, isMade }, now)).toEqual({
      ...{ state, askedAt: '2030-02-01T10:00:00.000000Z', decideBy: '2030-02-08T10:00:00.000000Z' },
      ...WISH,
    });
  });

  test('does not exist before it is made, nor after the recipient was forgotten', () => {
    expect(presentReturn({ reply: undefined, isMade: false }, ASKED)).toBeNull();
    expect(presentReturn({ reply: { ...REPLY, returnWish: null }, isMade: true }, ASKED)).toBeNull();
  });
});

test.each<[string | undefined, ShipmentState, Partial<ReturnFacts>, Instant]>([
  [undefined, 'DELIVERED', { reply: undefined }, ASKED],
  [undefined, 'DELIVERED', {}, DECIDE_BY],
  [undefined, 'DELIVERED', { isMade: true }, ASKED],
  ['LIMIT_REACHED', 'DELIVERED', {}, ASKED],
  ['LIMIT_REACHED', 'DELIVERED', { reply: REJECTED }, DECIDE_BY],
  ['LIMIT_REACHED', 'DELIVERED', { isMade: true, left: [0, 0] }, ASKED],
  ['NOT_DELIVERED', 'OUT_FOR_DELIVERY', { ended: { endedAt: null, kind: undefined } }, ASKED],
  ['TOO_LATE', 'DELIVERY_FAILED', {}, ASKED],
  ['TOO_LATE', 'DELIVERED', { ended: { endedAt: ENDED_AT, kind: 'RETURN' } }, ASKED],
  ['TOO_LATE', 'DELIVERED', {}, UNTIL],
])('what is in the way is %s: %s', (objection, state, changes, now) => {
  expect(objectionToReturn({ state, recipientPhone: '+966512345678' }, { ...FACTS, ...changes }, now)).toBe(objection);
});
