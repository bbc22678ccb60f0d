import { halalasOf } from './charge-check.ts';
import { addTo, type Ledger } from './ledger.ts';
import { hold, object } from './rule-broken.ts';
import { checkTold } from './told-check.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

const AMENDMENTS_MAX = 20;
const WAITING = 'AWAITING_MERCHANT';
/** The longest time between the check of an end and the commit: see `clock-check.ts`. */
const COMMIT_MICROS = 130_000_000;

/**
 * What recipients ask for and refuse. What waits for the company is counted, and changes neither the shipment nor its charges. The
 * company decides it once.
 */
export function checkRecipients(unit: CommittedUnit, ledger: Ledger): void {
  for (const change of unit.of('phone')) ledger.phones.set(change.text(1), change.text(2));
  for (const change of unit.of('unversioned'))
    object('decided', `${change.text(1)} was changed, and kept its version: ${JSON.stringify(unit.changes)}`);
  for (const change of unit.of('amendment_changed')) followDecision(change, unit, ledger);
  const decided = unit.of('amendment_changed').filter((change) => amendmentIn(change).state !== 'EXPIRED');
  checkTold('decided', unit, 'shipment.amendment_decided', { changes: decided, ledger });
  for (const made of unit.of('amendment')) learnAmendment(made, unit, ledger);
  for (const counted of unit.of('counted')) {
    const [id, count] = [counted.text(1), counted.number(2)];
    const found = ledger.amendmentsOf.get(id)?.length ?? 0;
    hold(count === found && count <= AMENDMENTS_MAX, 'counted', () => `${id} counts ${count} amendments of ${found}`);
    if (count === AMENDMENTS_MAX) ledger.see('twenty amendments');
  }
  checkRefusals(unit, ledger);
}

function learnAmendment(made: Values, unit: CommittedUnit, ledger: Ledger): void {
  const { shipmentId, id, companyId, actor, state, total, decideBy } = amendmentIn(made);
  const known = { id, shipmentId, companyId, state, total, decideBy };
  ledger.amendments.set(id, known);
  addTo(ledger.amendmentsOf, shipmentId, known);
  const isCounted = unit.of('counted').some((counted) => counted.text(1) === shipmentId);
  hold(isCounted, 'counted', () => `amendment ${id} of ${shipmentId} is not counted`);
  if (state !== WAITING) {
    hold(state === 'APPLIED', 'decided', () => `amendment ${id} of ${shipmentId} begins as ${state}`);
    return checkSpending(made, unit, ledger);
  }
  ledger.see('a change waits');
  hold(actor === 'RECIPIENT' && total > 0n, 'decided', () => `a change of ${actor} for ${total} halalas waits`);
  checkNothingElse(shipmentId, unit);
}

/** The unit of a change that is not applied. */
function checkNothingElse(shipmentId: string, unit: CommittedUnit): void {
  for (const kind of ['history', 'charge', 'priced', 'phone', 'window'] as const) {
    const others = unit.of(kind).filter((change) => change.text(1) === shipmentId);
    hold(others.length === 0, 'decided', () => `a change of ${shipmentId} is not applied, and comes with ${kind}`);
  }
}

function followDecision(change: Values, unit: CommittedUnit, ledger: Ledger): void {
  const { shipmentId, id, state, decidedAt } = amendmentIn(change);
  const known = ledger.amendments.get(id);
  if (known === undefined) return object('decided', `amendment ${id} was changed before it was stored`);
  const { state: before, decideBy } = known;
  hold(before === WAITING, 'decided', () => `amendment ${id} of ${shipmentId} was ${before} and is ${state}`);
  hold(state === 'EXPIRED' || decidedAt !== null, 'decided', () => `nobody has decided ${id}, which is ${state}`);
  const isLate = (decidedAt ?? 0) >= (decideBy ?? 0) + COMMIT_MICROS;
  hold(!isLate, 'decided', () => `amendment ${id} was ${state} at ${decidedAt}, after ${decideBy}`);
  ledger.see(`a change that waited is ${state}`);
  known.state = state;
  if (state === 'APPLIED') checkSpending(change, unit, ledger);
}

/** An amendment that was applied costs what its row says. If it is of a recipient, its company has allowed that. */
function checkSpending(applied: Values, unit: CommittedUnit, ledger: Ledger): void {
  const { shipmentId, id, companyId, actor, net, total, decidedAt, version } = amendmentIn(applied);
  const step = unit.of('history').find((one) => one.text(1) === shipmentId);
  const isRight = step?.text(6) === actor && step.number(2) === (version ?? -1) + 1;
  hold(isRight, 'decided', () => `amendment ${id} of ${actor} led to ${version}, and comes with ${step?.text(3)}`);
  const lines = unit.of('charge').filter((line) => line.text(1) === shipmentId);
  const charged = lines.reduce((sum, line) => sum + halalasOf(Number(line.text(3))), 0n);
  hold(charged === net, 'payer', () => `amendment ${id} costs ${net} halalas, and ${charged} are charged`);
  if (actor !== 'RECIPIENT') return;
  const sent = ledger.sent.get(step?.text(7) ?? '');
  const price = total > 0n ? 'for more' : 'for nothing more';
  if (decidedAt === null) {
    const limit = spendingSince(sent?.atMs ?? 0, ledger.spending.get(companyId) ?? []);
    hold(total <= limit, 'payer', () => `a recipient has spent ${total} halalas of ${companyId}, and may ${limit}`);
    return ledger.see(`a recipient amends ${price}`);
  }
  const agreed = ledger.amendments.get(id)?.total ?? 0n;
  hold(sent?.name === 'accept', 'payer', () => `${id} was applied by the request to ${sent?.name}`);
  hold(total <= agreed, 'payer', () => `${id} costs ${total} halalas, and ${companyId} has agreed to ${agreed}`);
  ledger.see(`a company accepts a change ${price}`);
}

/** The largest limit since a request was sent, because it may have read any of them. */
function spendingSince(
  sentMs: number,
  limits: readonly { readonly fromMs: number; readonly halalas: bigint }[],
): bigint {
  const first = limits.findLastIndex(({ fromMs }) => fromMs <= sentMs);
  return limits.slice(Math.max(0, first)).reduce((max, { halalas }) => (halalas > max ? halalas : max), 0n);
}

function checkRefusals(unit: CommittedUnit, ledger: Ledger): void {
  const refusals = unit.of('refusal');
  checkTold('unwanted', unit, 'recipient.refused', { changes: refusals, ledger });
  // Another recipient has refused nothing yet.
  for (const gone of unit.of('refusal_gone')) ledger.unwanted.delete(gone.text(1));
  for (const refusal of refusals) {
    const id = refusal.text(1);
    hold(!ledger.unwanted.has(id), 'unwanted', () => `${id} is refused again`);
    ledger.unwanted.add(id);
    ledger.onceUnwanted.add(id);
    ledger.see('a refusal');
  }
}

function amendmentIn(row: Values) {
  const [net, vat] = [halalasOf(Number(row.text(6))), halalasOf(Number(row.text(7)))];
  return {
    ...{ shipmentId: row.text(1), id: row.text(2), companyId: row.text(3), actor: row.text(4), state: row.text(5) },
    ...{ net, total: net + vat },
    ...{ decideBy: row.numberOrNull(8), decidedAt: row.numberOrNull(9), version: row.numberOrNull(10) },
  };
}
