import { halalasOf } from './charge-check.ts';
import type { Ledger } from './ledger.ts';
import { hold } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

const WORD_ONLY = ['RECIPIENT_UNREACHABLE', 'OTHER'];

/** An attempt that only the driver's word proves costs the merchant nothing: neither itself, nor what follows it. */
export function checkAttempts(unit: CommittedUnit, ledger: Ledger): void {
  for (const attempt of unit.of('attempt')) {
    if (WORD_ONLY.includes(attempt.text(2)) && attempt.text(3) === 'NONE') checkUnproven(attempt, unit, ledger);
  }
  for (const followUp of unit.of('follow_up')) {
    const [id, preceding] = [followUp.text(1), followUp.text(2)];
    if (!ledger.unproven.has(preceding)) continue;
    const lines = unit.of('terms').find((terms) => terms.text(1) === id);
    const net = netOf(JSON.parse(lines?.text(2) ?? '[]') as readonly { readonly amount: string }[]);
    hold(net === 0n, 'unproven', () => `${id} follows ${preceding} and costs ${net} halalas`);
  }
}

function checkUnproven(attempt: Values, unit: CommittedUnit, ledger: Ledger): void {
  const [id, reason, payer] = [attempt.text(1), attempt.text(2), attempt.text(4)];
  hold(payer === 'CARRIER', 'unproven', () => `${id} failed for ${reason} without evidence: ${payer} pays`);
  ledger.unproven.add(id);
  ledger.see(`unproven: ${reason}`);
  const charged = netOf(ledger.terms.get(id) ?? []);
  const credited = unit
    .of('charge')
    .filter((charge) => charge.text(1) === id && charge.text(2) === 'CREDIT')
    .reduce((sum, charge) => sum + halalasOf(Number(charge.text(3))), 0n);
  hold(charged + credited === 0n, 'unproven', () => `${id} was charged ${charged} halalas and credited ${credited}`);
}

function netOf(lines: readonly { readonly amount: string | number }[]): bigint {
  return lines.reduce((sum, { amount }) => sum + halalasOf(Number(amount)), 0n);
}
