import { expect, test } from 'vitest';
import { businessDeadline } from '../../../src/core/business-days.ts';
import { formatInstant, parseInstant } from '../../../src/core/instant.ts';

/*
 * Business days in Riyadh, three hours ahead of UTC. The comments name public reports of what other programs got wrong. November 2026:
 * the 26th is a Thursday.
 */

function deadline(opened: string, { days = 5, holidays = [] as string[] } = {}) {
  const from = parseInstant(opened);
  if (from === undefined) throw new Error(opened);
  return formatInstant(businessDeadline(from, days, holidays));
}
const at = (day: string) => `${day}T15:00:00.000000Z`;

test.each([
  // Sunday at 09:00 in Riyadh: Monday to Thursday, and the next Sunday.
  ['on Sunday morning', '2026-11-22T06:00:00Z', '2026-11-29'],
  ['on Thursday at 17:59', '2026-11-26T14:59:00Z', '2026-12-03'],
  ['on Thursday at 18:00', '2026-11-26T15:00:00Z', '2026-12-03'],
  // github.com/riteshbonthalakoti/HELPDESK.AI/pull/3186: what is opened at the end of the week had hours less.
  ['on Thursday at 18:01', '2026-11-26T15:01:00Z', '2026-12-03'],
  // github.com/freetrade-io/ts-business-time/issues/9: a morning at the end of the week led to a day of the weekend.
  ['on Friday at 09:59', '2026-11-27T06:59:00Z', '2026-12-03'],
  ['on Friday evening', '2026-11-27T19:00:00Z', '2026-12-03'],
  // github.com/bokmann/business_time/issues/197: after closing time on a weekend, one day too many was added.
  ['on Saturday at 18:29', '2026-11-28T15:29:00Z', '2026-12-03'],
  // github.com/zendesk/biz/issues/80: the time of a weekend remained in the deadline.
  ['on Saturday at 13:30:01', '2026-11-28T10:30:01.000001Z', '2026-12-03'],
])('a case that is opened %s is answered by %3$s at 18:00', (_when, opened, day) => {
  expect(deadline(opened)).toBe(at(day));
});

test.each([
  // github.com/eduolalo/moment-business-days/issues/81 and github.com/theopenco/llmgateway/issues/3775: the day was that of UTC. Only
  // from 21:00 to 24:00 UTC do the two differ.
  ['20:59:59 UTC is still Sunday', '2026-11-22T20:59:59.999999Z', '2026-11-29'],
  ['21:00 UTC is Monday', '2026-11-22T21:00:00Z', '2026-11-30'],
  ['21:00 UTC on Saturday is Sunday', '2026-11-28T21:00:00Z', '2026-12-06'],
  ['21:00 UTC on Thursday is Friday', '2026-11-26T21:00:00Z', '2026-12-03'],
])('the day is that of Riyadh: %s', (_what, opened, day) => {
  expect(deadline(opened)).toBe(at(day));
});

test('the hour is the same all the year, because Riyadh never changes its clock', () => {
  // The last Sunday of March and of October, when others do.
  expect(deadline('2026-03-28T09:00:00Z')).toBe(at('2026-04-02'));
  expect(deadline('2026-10-24T09:00:00Z')).toBe(at('2026-10-29'));
});

test.each([
  ['in between moves the deadline', ['2026-11-24'], '2026-11-30'],
  ['on the deadline moves it to the next business day', ['2026-11-29'], '2026-11-30'],
  ['on a Friday changes nothing', ['2026-11-27'], '2026-11-29'],
  ['on the day of the opening changes nothing', ['2026-11-22'], '2026-11-29'],
  // github.com/glpi-project/glpi/pull/14937: five business days with holidays were counted as five days.
  [
    'of a whole week moves it by a week',
    ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-29'],
    '2026-12-06',
  ],
])('a holiday %s', (_what, holidays, day) => {
  expect(deadline('2026-11-22T06:00:00Z', { holidays })).toBe(at(day));
});

test('a dispute on Thursday is decided by Monday', () => {
  expect(deadline('2026-11-26T06:00:00Z', { days: 2 })).toBe(at('2026-11-30'));
});

// github.com/osTicket/osTicket/pull/4807: without any business day the search for one never ended.
test('ends also if every day is a holiday', () => {
  const day = (index: number) => new Date(Date.UTC(2026, 10, 22 + index)).toISOString().slice(0, 10);
  const holidays = Array.from({ length: 500 }, (_, index) => day(index));
  expect(deadline('2026-11-22T06:00:00Z', { holidays })).toBe(at('2027-12-27'));
});
