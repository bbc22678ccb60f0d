import type { KnownClock, Ledger } from './ledger.ts';
import { hold } from './rule-broken.ts';
import type { CommittedUnit } from './watched-rows.ts';

/** Clocks of processes are wrong by up to a quarter of a second each. */
const CLOCKS_MICROS = 500_000;
/** The longest time between the moment at which a process reads its clock and the commit: see `network.ts` and `calamities.ts`. */
const COMMIT_MICROS = 130_000_000;
const REAL_TIME: KnownClock = {
  ...{ offset: 0, standsAt: null, isAdvancing: false, changedAt: 0, firstAt: undefined, back: CLOCKS_MICROS },
};

/** What a correct process shows at this real time. */
function shownBy({ offset, standsAt }: KnownClock, now: number): number {
  return standsAt ?? now + offset;
}

/** The company's time by its stored clock, in microseconds, as is the real time. */
export function companyTime(ledger: Ledger, companyId: string, now: number): number {
  return shownBy(ledger.clocks.get(companyId) ?? REAL_TIME, now);
}

/** The same, but not before the time that it would be without the running advance. */
export function latestTime(ledger: Ledger, companyId: string, now: number): number {
  const { offset } = ledger.clocks.get(companyId) ?? REAL_TIME;
  return Math.max(companyTime(ledger, companyId, now), now + offset);
}

/** The clocks of sandboxes, and that nothing happens outside their time. */
export function checkClocks(unit: CommittedUnit, ledger: Ledger, now: number): void {
  for (const change of unit.of('clock')) {
    const companyId = change.text(1);
    const known = ledger.clocks.get(companyId) ?? REAL_TIME;
    const passed = change.textOrNull(5);
    hold(passed === null, 'behind', () => `the clock of ${companyId} leaves ${passed}`);
    const isAlone = unit.changes.every((other) => other[0] === 'clock' && other[1] === companyId);
    hold(isAlone, 'others', () => `the clock of ${companyId} moves with ${JSON.stringify(unit.changes)}`);
    const standsAt = change.numberOrNull(3);
    const isAdvancing = change.numberOrNull(4) !== null;
    // A reset gives the real time back, and the next advance leaves it again.
    const isReal = known.offset === 0 && known.standsAt === null;
    const firstAt = isReal && standsAt !== null ? now : known.firstAt;
    const moved = { offset: change.number(2), standsAt, isAdvancing, changedAt: now, firstAt, back: known.back };
    const back = shownBy(known, now) - shownBy(moved, now);
    // A clock stops at the time that it had when the commit was sent.
    const backMax = known.standsAt === null && standsAt !== null ? COMMIT_MICROS : CLOCKS_MICROS;
    hold(back <= backMax, 'forward', () => `the clock of ${companyId} goes back by ${back} µs`);
    const clock = { ...moved, back: Math.max(known.back, back + CLOCKS_MICROS) };
    ledger.clocks.set(companyId, clock);
    if (standsAt !== null) ledger.see('a clock stands');
    if (known.isAdvancing && !clock.isAdvancing) ledger.see('an advance ends');
  }
  for (const step of unit.of('history')) {
    const [id, at] = [step.text(1), step.number(10)];
    checkInstant(`${step.text(3)} of ${id}`, at, { companyId: step.text(8), ledger, now });
    const early = (ledger.lastEventAt.get(id) ?? 0) - at;
    const clock = ledger.clocks.get(step.text(8));
    // Commits do not compare the real time, so a slow request may still have it after the clock has left it.
    const isOverdue = clock?.firstAt !== undefined && now - clock.firstAt <= COMMIT_MICROS;
    const back = isOverdue ? Number.POSITIVE_INFINITY : (clock ?? REAL_TIME).back;
    hold(early <= back, 'timeline', () => `${step.text(3)} of ${id} is ${early} µs before the event before it`);
    ledger.lastEventAt.set(id, at);
  }
  for (const link of unit.of('link')) {
    checkInstant(`link ${link.text(1)}`, link.number(7), { companyId: link.text(3), ledger, now });
  }
  for (const terms of unit.of('terms')) {
    checkInstant(`the price of ${terms.text(1)}`, terms.number(7), { companyId: terms.text(4), ledger, now });
  }
}

function checkInstant(
  name: string,
  at: number,
  { companyId, ledger, now }: { readonly companyId: string; readonly ledger: Ledger; readonly now: number },
): void {
  const early = at - latestTime(ledger, companyId, now);
  const rule = ledger.clocks.has(companyId) ? 'future' : 'others';
  hold(early <= CLOCKS_MICROS, rule, () => `${name} is ${early} µs later than the time of ${companyId}`);
}

/** A clock as it was answered: not before the time at which it was asked, and not later than now. */
export function checkShownClock(
  shown: number,
  { companyId, asked, ledger, now }: { companyId: string; asked: number; ledger: Ledger; now: number },
): void {
  const back = asked - shown;
  const backMax = (ledger.clocks.get(companyId) ?? REAL_TIME).back;
  hold(back <= backMax, 'forward', () => `the clock of ${companyId} is shown ${back} µs before its time`);
  checkInstant('an answer', shown, { companyId, ledger, now });
}

/** RFC 3339 with six digits of a second. */
export function microsOf(instant: string): number {
  return Date.parse(instant) * 1000 + Number(instant.slice(-4, -1));
}
