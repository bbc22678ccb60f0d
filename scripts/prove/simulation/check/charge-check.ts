import type { Ledger } from './ledger.ts';
import { hold } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

interface Line {
  readonly code: string;
  readonly amount: string;
}
const FEE = 'CANCELLATION';
const CREDIT = 'CREDIT';
/** A driver who has not picked up an hour after the window is late. */
const LATE_MICROS = 3600 * 1e6;
/** How long after an acceptance a cancellation is free in the simulation. */
export const GRACE_SECONDS = 1;
const GRACE_MICROS = GRACE_SECONDS * 1e6;
const CARRIER_FAULTS = ['LOST', 'DAMAGED'];
const CANONICAL = /^-?(?!0$)(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

/**
 * A parcel that the carrier lost or damaged, or whose failure it has to pay for, is credited in one line, and its amendments line by line. A cancellation credits the
 * agreed price and the amendments line by line. It
 * costs a fee only while a driver who accepted some time ago is on the way and not late. The fee is the one that the merchant
 * last read.
 */
export function checkLaterCharges(unit: CommittedUnit, ledger: Ledger): void {
  for (const terms of unit.of('terms')) checkTerms(terms, unit, ledger);
  for (const step of unit.of('history')) {
    if (step.text(3) === 'shipment.accepted') ledger.acceptedAt.set(step.text(1), step.number(10));
  }
  const charges = unit.of('charge');
  for (const charge of charges) {
    hold(CANONICAL.test(charge.text(3)), 'exact', () => `${charge.text(1)} is charged ${charge.text(3)}`);
  }
  checkParcels(unit, ledger);
  const moved = unit.of('standing').filter((change) => change.text(2) !== change.text(3));
  for (const change of unit.of('standing')) {
    const [id, from, to] = [change.text(1), change.text(2), change.text(3)];
    // The event of a complaint that comes with the failure.
    if (from === to && moved.some((other) => other.text(1) === id)) continue;
    const own = charges.filter((charge) => charge.text(1) === id);
    const agreed = ledger.terms.get(id) ?? [];
    const isCancelled = to === 'CANCELLED' && from !== to;
    const step = unit.of('history').find((history) => history.text(1) === id);
    if (step?.text(3) === 'shipment.amended') continue;
    const isFault = CARRIER_FAULTS.includes(step?.textOrNull(9) ?? '') || ledger.carrierPays.has(id);
    const isCredited = to === 'DELIVERY_FAILED' && from !== to && isFault;
    if (isCredited) ledger.credited.add(id);
    const reversed = (ledger.amended.get(id) ?? []).map((amount) =>
      amount.startsWith('-') ? amount.slice(1) : `-${amount}`,
    );
    const expected = [
      ...(isCancelled ? agreed.filter(({ amount }) => amount !== '0').map(({ amount }) => `-${amount}`) : []),
      ...(isCancelled || isCredited ? reversed : []),
    ];
    const takenBack = own
      .filter((charge) => charge.text(2) !== FEE && charge.text(2) !== CREDIT)
      .map((charge) => charge.text(3));
    hold(takenBack.join() === expected.join(), 'exact', () => `${id} to ${to} takes back ${takenBack.join()}`);
    const credits = own
      .filter((charge) => charge.text(2) === CREDIT)
      .map((charge) => halalasOf(Number(charge.text(3))));
    const agreedSum = agreed.reduce((sum, { amount }) => sum + halalasOf(Number(amount)), 0n);
    const due = isCredited && agreedSum > 0n ? [-agreedSum] : [];
    hold(credits.join() === due.join(), 'exact', () => `${id} to ${to} is credited ${credits.join()}`);
    const hasFee = own.some((charge) => charge.text(2) === FEE);
    const end = ledger.shipment(id)?.window.end ?? 0;
    const at = step?.number(10) ?? 0;
    const isLate = at >= end + LATE_MICROS;
    const isGrace = at < (ledger.acceptedAt.get(id) ?? 0) + GRACE_MICROS;
    const isFree = step?.text(6) !== 'MERCHANT' || isLate || isGrace;
    const owesFee = isCancelled && from === 'ACCEPTED' && !isFree;
    hold(hasFee === owesFee, 'exact', () => `${id} from ${from} to ${to}: fee ${hasFee}`);
    const isOverLimit = hasFee && ledger.limits.get(step?.text(7) ?? '') === 0n;
    hold(!isOverLimit, 'preview', () => `${id} is charged a fee above Price-Limit: 0`);
    const told = ledger.previews.get(id);
    if (!isCancelled || step?.text(6) !== 'MERCHANT' || told?.version !== change.number(4)) continue;
    if (at < told.decidedAt || at >= told.validUntil) continue;
    ledger.see(`cancelled as previewed: ${told.hasFee ? 'fee' : 'free'}`);
    hold(hasFee === told.hasFee, 'preview', () => `${id} was told fee ${told.hasFee}, and is charged fee ${hasFee}`);
  }
}

/** The earlier shipments of a parcel that the carrier lost or damaged are credited as well, unless they were before. */
function checkParcels(unit: CommittedUnit, ledger: Ledger): void {
  const failed = unit.of('standing').filter((change) => change.text(3) === 'DELIVERY_FAILED');
  const ended = new Set(failed.map((change) => change.text(1)));
  const due = new Map<string, bigint>();
  for (const step of unit.of('history')) {
    if (!ended.has(step.text(1)) || !CARRIER_FAULTS.includes(step.textOrNull(9) ?? '')) continue;
    const legBefore = (id: string) => ledger.follows.get(id)?.preceding;
    for (let leg = legBefore(step.text(1)); leg !== undefined; leg = legBefore(leg)) {
      if (ledger.credited.has(leg)) continue;
      ledger.credited.add(leg);
      const agreed = (ledger.terms.get(leg) ?? []).map(({ amount }) => halalasOf(Number(amount)));
      due.set(
        leg,
        [...agreed, ...amendmentsOf(leg, ledger)].reduce((sum, each) => sum + each, 0n),
      );
      ledger.see('an earlier shipment of a parcel credited');
    }
  }
  for (const charge of unit.of('charge')) {
    const [id, code] = [charge.text(1), charge.text(2)];
    const rest = due.get(id);
    if (rest !== undefined) due.set(id, rest + halalasOf(Number(charge.text(3))));
    hold(code !== CREDIT || rest !== undefined || ended.has(id), 'exact', () => `${id} is credited, and did not fail`);
  }
  for (const [id, rest] of due) hold(rest === 0n, 'exact', () => `${id}, whose parcel is lost, still costs ${rest}`);
}

function amendmentsOf(id: string, ledger: Ledger): bigint[] {
  return (ledger.amended.get(id) ?? []).map((amount) => halalasOf(Number(amount)));
}

/** A creation keeps within its limit, and what its lock says is what it costs. */
function checkTerms(terms: Values, unit: CommittedUnit, ledger: Ledger): void {
  const [id, companyId, lockId, expiresAt] = [terms.text(1), terms.text(4), terms.textOrNull(5), terms.numberOrNull(6)];
  const lines = JSON.parse(terms.text(2)) as Line[];
  ledger.terms.set(id, lines);
  const net = lines.reduce((sum, { amount }) => sum + halalasOf(Number(amount)), 0n);
  const vatRate = Number(terms.text(3));
  ledger.vatRates.set(id, vatRate);
  const total = totalOf(net, vatRate);
  const step = unit.of('history').find((history) => history.text(1) === id);
  const limit = ledger.limits.get(step?.text(7) ?? '') ?? total;
  hold(total <= limit, 'limit', () => `${id} costs ${total} halalas, and may cost ${limit}`);
  if (lockId === null) return;
  const told = ledger.locks.get(lockId);
  const isTold = told?.companyId === companyId && told.lines === linesOf(lines) && told.expiresAt === expiresAt;
  hold(isTold, 'lock', () => `${id} has ${terms.text(2)} by ${lockId}, which was told as ${JSON.stringify(told)}`);
  hold(terms.number(7) <= (expiresAt ?? 0), 'lock', () => `${id} was created after ${lockId} had expired`);
  const user = ledger.lockUsers.get(lockId);
  hold(user === undefined, 'lock', () => `${id} has ${lockId}, which ${user} has`);
  ledger.lockUsers.set(lockId, id);
}

/** A net amount with its tax. */
export function totalOf(net: bigint, vatRate: number): bigint {
  return net + roundedQuotient(net * BigInt(Math.round(vatRate * 100)), 100n);
}

/** The text of lines that were stored with amounts as text, or answered with amounts as numbers. */
export function linesOf(lines: readonly { readonly code: string; readonly amount: string | number }[]): string {
  return JSON.stringify(lines.map(({ code, amount }) => [code, Number(amount)]));
}

interface ToldCharges {
  readonly lines: readonly { readonly code: string; readonly amount: number }[];
  readonly netAmount: number;
  readonly vatRate: number;
  readonly vatAmount: number;
  readonly totalAmount: number;
}

/** Sums in whole halalas: the net of the lines, the tax rounded half away from zero, and their total. */
export function checkCharges(shipmentId: string, text: string): void {
  const told = JSON.parse(text) as ToldCharges;
  const net = told.lines.reduce((sum, { amount }) => sum + halalasOf(amount), 0n);
  const vat = roundedQuotient(net * BigInt(Math.round(told.vatRate * 100)), 100n);
  const isExact =
    halalasOf(told.netAmount) === net && halalasOf(told.vatAmount) === vat && halalasOf(told.totalAmount) === net + vat;
  hold(isExact, 'exact', () => `the charges of ${shipmentId} are ${text}`);
}

export function halalasOf(amount: number): bigint {
  const [whole = '0', fraction = ''] = String(amount).split('.');
  return BigInt(`${whole}${fraction.padEnd(2, '0')}`);
}

/** Divides, and rounds half away from zero. */
function roundedQuotient(units: bigint, by: bigint): bigint {
  const sign = units < 0n ? -1n : 1n;
  return sign * ((2n * units * sign + by) / (2n * by));
}
