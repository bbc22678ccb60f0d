import { expect, test } from 'vitest';
import { DRIVER_ACTIONS } from '../../../src/contract/driver-state.ts';
import { literalDecimal } from '../../../src/core/decimal.ts';
import { addSeconds, instantFromMillis } from '../../../src/core/instant.ts';
import { actionViolations } from '../../../src/domain/drivers/act.ts';

const now = instantFromMillis(1_795_224_000_000);
const position = { latitude: literalDecimal('24.7'), longitude: literalDecimal('46.7') };

test('only FAIL has a reason, and it must have one', () => {
  const without = DRIVER_ACTIONS.filter((action) => actionViolations({ action, position }, now).length > 0);
  const withReason = DRIVER_ACTIONS.filter(
    (action) => actionViolations({ action, position, reasonCode: 'LOST' }, now).length > 0,
  );
  expect(without).toEqual(['FAIL']);
  expect(withReason).toEqual(DRIVER_ACTIONS.filter((action) => action !== 'FAIL'));
  expect(actionViolations({ action: 'FAIL' }, now)).toEqual([{ field: 'reasonCode', code: 'REQUIRED' }]);
  expect(actionViolations({ action: 'ACCEPT', reasonCode: 'LOST' }, now)).toEqual([
    { field: 'reasonCode', code: 'FORBIDDEN_FIELD' },
  ]);
});

test('only REPORT_POSITION must have a position', () => {
  const refused = DRIVER_ACTIONS.filter((action) =>
    actionViolations({ action }, now).some(({ field }) => field === 'position'),
  );
  expect(refused).toEqual(['REPORT_POSITION']);
});

test('a position may be old, and a phone’s clock slightly ahead', () => {
  const at = (seconds: number) =>
    actionViolations({ action: 'ACCEPT', position: { ...position, recordedAt: addSeconds(now, seconds) } }, now);
  expect(at(-86_400)).toEqual([]);
  expect(at(10)).toEqual([]);
  expect(at(11)).toEqual([{ field: 'position.recordedAt', code: 'OUT_OF_RANGE', limit: 'not in the future' }]);
});
