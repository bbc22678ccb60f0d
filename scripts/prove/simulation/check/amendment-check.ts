import { halalasOf, totalOf } from './charge-check.ts';
import type { Ledger } from './ledger.ts';
import { hold } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

/** What every tariff of the simulation takes for a started kilometre, in halalas. */
const KILOMETRE_HALALAS = 125n;

/**
 * An amendment is one change of the version. State and due time stay, unless a new pickup window moves the search. What is
 * charged for the way is the price by the version of the tariff that the shipment froze.
 */
export function checkAmendments(unit: CommittedUnit, ledger: Ledger): void {
  for (const change of unit.of('standing')) {
    const [id, from, to] = [change.text(1), change.text(2), change.text(3)];
    const step = unit.of('history').find((one) => one.text(1) === id);
    // The event of a decision counts one more, and changes nothing else.
    if (step?.text(3) !== 'shipment.amended' || change.number(4) === change.number(5)) continue;
    const known = ledger.shipment(id);
    const [start, end] = [change.number(9), change.number(10)];
    const isOtherWindow = known?.window.start !== start;
    if (known !== undefined) known.window = { start, end };
    const [dueBefore, due] = [change.numberOrNull(7), change.numberOrNull(8)];
    hold(from === to, 'amended', () => `${id} is amended from ${from} to ${to}`);
    hold(dueBefore === due || isOtherWindow, 'amended', () => `${id} was due at ${dueBefore}, and is at ${due}`);
    checkPrice(id, { unit, ledger, step });
  }
}

interface Amended {
  readonly unit: CommittedUnit;
  readonly ledger: Ledger;
  readonly step: Values;
}

function checkPrice(id: string, { unit, ledger, step }: Amended): void {
  const lines = unit.of('charge').filter((charge) => charge.text(1) === id);
  const amounts = lines.map((charge) => charge.text(3));
  hold(
    lines.every((line) => line.text(2) === 'AMENDMENT'),
    'anew',
    () => `${id} is charged ${amounts.join()}`,
  );
  const all = [...(ledger.amended.get(id) ?? []), ...amounts];
  ledger.amended.set(id, all);
  for (const priced of unit.of('priced')) {
    const meters = priced.numberOrNull(2);
    if (priced.text(1) === id && meters !== null) ledger.pricedMeters.set(id, meters);
  }
  const agreed = ledger.terms.get(id) ?? [];
  const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + halalasOf(Number(text)), 0n);
  const charged = sum(agreed.map(({ amount }) => amount)) + sum(all);
  const fixed = sum(agreed.filter(({ code }) => code !== 'DISTANCE').map(({ amount }) => amount));
  const meters = ledger.pricedMeters.get(id);
  const due = meters === undefined ? charged - sum(all) : fixed + KILOMETRE_HALALAS * BigInt(Math.ceil(meters / 1000));
  hold(charged === due, 'anew', () => `${id} is charged ${charged} halalas for ${meters} m, and ${due} are due`);
  const limit = ledger.limits.get(step.text(7));
  // VAT is on the sum of all lines, so the bill may rise by a halala more or less than the line with its own VAT.
  const vatRate = ledger.vatRates.get(id) ?? 0;
  const total = totalOf(charged, vatRate) - totalOf(charged - sum(amounts), vatRate);
  hold(limit === undefined || total <= limit, 'preview', () => `${id} costs ${total} more, and may cost ${limit}`);
  ledger.see(amounts.length === 0 ? 'amended for nothing' : `amended for ${total > 0n ? 'more' : 'less'}`);
}
