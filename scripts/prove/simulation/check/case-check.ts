import type { Ledger } from './ledger.ts';
import { hold } from './rule-broken.ts';
import type { CommittedUnit } from './watched-rows.ts';

const HOUR_MICROS = 3_600_000_000;
const DAY_MICROS = 24 * HOUR_MICROS;

/**
 * A complaint has one clock: it ends at 18:00 in Riyadh, at least five days and, without holidays, less than nine after the opening. A
 * parcel that is lost or damaged has a complaint in the unit of its failure, and each complaint is told once when it opens.
 */
export function checkCases(unit: CommittedUnit, ledger: Ledger): void {
  const opened = unit.of('case').filter((one) => one.number(8) === 0);
  for (const one of opened) {
    const [id, shipmentId, kind] = [one.text(1), one.text(2), one.text(3)];
    const isSame = (other: { readonly kind: string; readonly state: string }) =>
      other.kind === kind && other.state !== 'CLOSED';
    const others = [...(ledger.casesOf.get(shipmentId)?.values() ?? [])].filter(isSame);
    hold(others.length === 0, 'complaint', () => `${shipmentId} has two complaints about ${kind}`);
    const [answerBy, createdAt] = [one.number(6), one.number(7)];
    const days = (answerBy - createdAt) / DAY_MICROS;
    const isClosing = answerBy % DAY_MICROS === 15 * HOUR_MICROS;
    hold(
      isClosing && days > 4 && days < 9,
      'complaint',
      () => `${id} of ${createdAt} is owed an answer by ${answerBy}`,
    );
    const told = unit
      .of('event')
      .filter((event) => event.text(4) === 'case.opened' && event.textOrNull(5) === shipmentId);
    hold(told.length === 1, 'complaint', () => `the opening of ${id} has ${told.length} events`);
    ledger.see(`a complaint of ${one.text(4)}`);
  }
  for (const one of unit.of('case')) {
    const known = ledger.casesOf.get(one.text(2)) ?? new Map<string, { kind: string; state: string }>();
    ledger.casesOf.set(one.text(2), known.set(one.text(1), { kind: one.text(3), state: one.text(5) }));
  }
  for (const step of unit.of('history')) {
    const [shipmentId, type] = [step.text(1), step.text(3)];
    if (type !== 'shipment.delivery_failed') continue;
    const body = unit.of('event').find((event) => event.textOrNull(5) === shipmentId && event.text(4) === type);
    const kind = /"reason":\{"code":"(LOST|DAMAGED)"/.exec(body?.text(7) ?? '')?.[1];
    if (kind === undefined) continue;
    const known = [...(ledger.casesOf.get(shipmentId)?.values() ?? [])];
    const isOpen = known.some((one) => one.kind === kind && one.state !== 'CLOSED');
    hold(isOpen, 'complaint', () => `${shipmentId} is ${kind}, and nobody owes an answer`);
    ledger.see('a loss with a complaint');
  }
}
