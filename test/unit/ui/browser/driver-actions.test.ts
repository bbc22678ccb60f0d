import { expect, test } from 'vitest';
import { FAILURE_REASONS } from '../../../../src/contract/shipment-state.ts';
import { driverActions, failureReasons } from '../../../../src/ui/browser/driver-actions.ts';

test.each([
  ['PENDING_APPROVAL', []],
  ['READY_FOR_DISPATCH', []],
  ['OFFERED', ['ACCEPT', 'DECLINE']],
  ['ACCEPTED', ['PICK_UP', 'RELEASE', 'ARRIVE', 'REPORT_POSITION']],
  ['DISPATCH_UNRESOLVED', []],
  ['PICKED_UP', ['DEPART', 'FAIL', 'REPORT_POSITION']],
  ['OUT_FOR_DELIVERY', ['DELIVER', 'FAIL', 'ARRIVE', 'REPORT_POSITION']],
  ['DELIVERED', []],
  ['DELIVERY_FAILED', []],
  ['CANCELLED', []],
] as const)('in %s a driver has the legal actions, the one towards delivery first', (state, actions) => {
  expect(driverActions(state)).toEqual(actions);
});

test('before departure a delivery can fail only because the parcel is lost or damaged', () => {
  expect(failureReasons('PICKED_UP')).toEqual(['LOST', 'DAMAGED']);
  expect(failureReasons('OUT_FOR_DELIVERY')).toEqual(FAILURE_REASONS);
});
