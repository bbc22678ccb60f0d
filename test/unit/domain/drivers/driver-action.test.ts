import { expect, test } from 'vitest';
import { DRIVER_ACTIONS } from '../../../../src/contract/driver-state.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addSeconds, instantFromMillis } from '../../../../src/core/instant.ts';
import { actionViolations } from '../../../../src/domain/drivers/act.ts';
import { usablePosition } from '../../../../src/domain/drivers/positions.ts';
import { CLOCK_ERRORS_SECONDS } from '../../../support/cast.ts';

const now = instantFromMillis(1_795_224_000_000);
const position = { latitude: literalDecimal('24.7'), longitude: literalDecimal('46.7') };

test('only FAIL has a reason, and it must have one', () => {
  const without = DRIVER_ACTIONS.filter((action) => actionViolations({ action, position }).length > 0);
  const withReason = DRIVER_ACTIONS.filter(
    (action) => actionViolations({ action, position, reasonCode: 'LOST' }).length > 0,
  );
  expect(without).toEqual(['FAIL']);
  expect(withReason).toEqual(DRIVER_ACTIONS.filter((action) => action !== 'FAIL'));
  expect(actionViolations({ action: 'FAIL' })).toEqual([{ field: 'reasonCode', code: 'REQUIRED' }]);
  expect(actionViolations({ action: 'ACCEPT', reasonCode: 'LOST' })).toEqual([
    { field: 'reasonCode', code: 'FORBIDDEN_FIELD' },
  ]);
});

test('only REPORT_POSITION must have a position', () => {
  const refused = DRIVER_ACTIONS.filter((action) =>
    actionViolations({ action }).some(({ field }) => field === 'position'),
  );
  expect(refused).toEqual(['REPORT_POSITION']);
});

test('a position may be old, and a phone’s clock slightly ahead', () => {
  const at = (seconds: number) =>
    usablePosition({ ...position, recordedAt: addSeconds(now, seconds) }, now)?.positionAt;
  expect(at(-86_400)).toBe(addSeconds(now, -86_400));
  expect([at(10), at(11)]).toEqual([now, undefined]);
});

test.each(CLOCK_ERRORS_SECONDS)('an action of a phone whose clock is %i s off has no fault', (seconds) => {
  const wrong = { ...position, recordedAt: addSeconds(now, seconds) };
  expect(actionViolations({ action: 'DELIVER', position: wrong })).toEqual([]);
  expect(usablePosition(wrong, now) === undefined).toBe(seconds > 10);
});

test('a rough fix and a fix of nowhere are no positions', () => {
  const isUsed = (changes: object) => usablePosition({ ...position, ...changes }, now) !== undefined;
  expect([0, 200, 200.5, 100_000].map((meters) => isUsed({ accuracyMeters: literalDecimal(`${meters}`) }))).toEqual([
    ...[true, true, false, false],
  ]);
  const [zero, other] = [literalDecimal('0'), literalDecimal('0.5')];
  expect(isUsed({ latitude: zero, longitude: zero })).toBe(false);
  expect(isUsed({ latitude: zero, longitude: other })).toBe(true);
});
