import { expect, test } from 'vitest';
import type { Actor, ShipmentState } from '../../../../src/contract/shipment-state.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { type Instant, parseInstant } from '../../../../src/core/instant.ts';
import { cancellationPrice, cancellationRule } from '../../../../src/domain/pricing/cancellation.ts';

/* Accepted at 10:00 with two minutes of grace; the pickup window ends at 11:00, and a driver is late at 12:00. */

const TERMS = { cancellationGraceSeconds: 120, lateCancellationSeconds: 3600 };
const NEVER_LATE = { ...TERMS, lateCancellationSeconds: null };
const BEFORE_THESE_RULES = { cancellationGraceSeconds: null, lateCancellationSeconds: null };
const LATE_ACCEPTANCE = { accepted: '11:59:30' };

test.each<
  [ShipmentState, string, string, { terms?: typeof TERMS | typeof NEVER_LATE; actor?: Actor; accepted?: string }]
>([
  ['PENDING_APPROVAL', '09:00:00', 'NOT_ACCEPTED', {}],
  ['READY_FOR_DISPATCH', '13:00:00', 'NOT_ACCEPTED', {}],
  ['OFFERED', '09:00:00', 'NOT_ACCEPTED', {}],
  ['DISPATCH_UNRESOLVED', '10:30:00', 'NOT_ACCEPTED', {}],
  ['ACCEPTED', '10:00:00', 'GRACE', {}],
  ['ACCEPTED', '10:01:59.999999', 'GRACE', {}],
  ['ACCEPTED', '10:02:00', 'DRIVER_ON_WAY', {}],
  ['ACCEPTED', '11:59:59.999999', 'DRIVER_ON_WAY', {}],
  ['ACCEPTED', '12:00:00', 'DRIVER_LATE', {}],
  ['ACCEPTED', '23:00:00', 'DRIVER_ON_WAY', { terms: NEVER_LATE }],
  ['ACCEPTED', '11:59:59', 'GRACE', LATE_ACCEPTANCE],
  ['ACCEPTED', '12:00:00', 'DRIVER_LATE', LATE_ACCEPTANCE],
  ['ACCEPTED', '10:30:00', 'CARRIER', { actor: 'OPERATOR' }],
  ['PICKED_UP', '10:30:00', 'PAST_PICK_UP', {}],
  ['OUT_FOR_DELIVERY', '10:30:00', 'PAST_PICK_UP', {}],
  ['CANCELLED', '10:30:00', 'CANCELLED', {}],
  ['DELIVERED', '10:30:00', 'ENDED', {}],
  ['DELIVERY_FAILED', '10:30:00', 'ENDED', {}],
])('%s at %s is %s (%o)', (state, time, rule, { terms = TERMS, actor = 'MERCHANT', accepted = '10:00:00' }) => {
  const shipment = { state, pickupWindowEnd: at('11:00:00'), acceptedAt: at(accepted) };
  expect(cancellationRule(shipment, terms, { actor, now: at(time) })).toBe(rule);
});

test.each([
  ['10:00:00', 'DRIVER_ON_WAY'],
  ['11:59:59.999999', 'DRIVER_ON_WAY'],
  ['12:00:00', 'DRIVER_LATE'],
])('terms from before these rules have no grace and an hour of lateness: %s is %s', (time, rule) => {
  const shipment = { state: 'ACCEPTED', pickupWindowEnd: at('11:00:00'), acceptedAt: at('10:00:00') } as const;
  expect(cancellationRule(shipment, BEFORE_THESE_RULES, { actor: 'MERCHANT', now: at(time) })).toBe(rule);
});

test('only a driver on the way costs the fee, with VAT rounded half away from zero', () => {
  const terms = { currency: 'SAR', cancellationAmount: literalDecimal('12.5'), vatRate: literalDecimal('0.15') };
  const costly = { netAmount: '12.5', vatAmount: '1.88', totalAmount: '14.38' };
  expect(cancellationPrice('DRIVER_ON_WAY', terms)).toMatchObject(costly);
  const free = { netAmount: '0', vatAmount: '0', totalAmount: '0' };
  for (const rule of ['NOT_ACCEPTED', 'GRACE', 'DRIVER_LATE', 'CARRIER'] as const)
    expect(cancellationPrice(rule, terms)).toMatchObject(free);
});

function at(time: string): Instant {
  const instant = parseInstant(`2026-11-21T${time}Z`);
  if (instant === undefined) throw new Error(time);
  return instant;
}
