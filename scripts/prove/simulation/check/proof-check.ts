import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Ledger } from './ledger.ts';
import { hold } from './rule-broken.ts';
import type { CommittedUnit } from './watched-rows.ts';

const record = z.looseObject({
  kind: z.enum(['DELIVERY', 'ATTEMPT']),
  evidence: z.string(),
  pin: z.nullable(z.looseObject({ verifiedAt: z.string() })),
  arrivedAt: z.nullable(z.string()),
  place: z.optional(z.nullable(z.looseObject({ metersFromDestination: z.nullable(z.number()) }))),
});
const ENDS: Readonly<Record<string, string>> = { DELIVERED: 'DELIVERY', DELIVERY_FAILED: 'ATTEMPT' };
/** How near the driver was to the door, at most. */
const DOOR_METERS = 300;
/** Wrong PINs that are tried. */
const TRIES = 5;
/** Four digits that are a text, or a word of one. Numbers of buildings are four digits, too. */
const FOUR_DIGITS = /(?<!Number":")(?<=["\s])\d{4}(?=["\s.,])/g;

/** No text for a merchant, a driver, a stranger or a receiver has a PIN that was sent to a recipient. */
export function checkSilent(name: string, text: string, { pinsSent }: Ledger): void {
  if (pinsSent.size === 0) return;
  const told = text.match(FOUR_DIGITS)?.find((digits) => pinsSent.has(digits));
  hold(told === undefined, 'silent', () => `${name} was told the PIN ${told}: ${text}`);
}

/**
 * A shipment that asks for a PIN is delivered with one, and nothing else is delivered with a record. A record comes with the end that it is
 * about, has the hash of its text, and its event tells that hash. An attempt without an arrival at the door has no whole evidence. No PIN has more than
 * five wrong tries.
 */
export function checkProofs(unit: CommittedUnit, ledger: Ledger): void {
  for (const pinned of unit.of('pinned')) ledger.pinned.add(pinned.text(1));
  for (const tries of unit.of('tries')) {
    hold(tries.number(2) <= TRIES, 'proven', () => `${tries.text(1)} has ${tries.number(2)} wrong PINs`);
    if (tries.number(2) > 0) ledger.see('wrong PIN');
  }
  const proofs = unit.of('proof');
  const ended = unit
    .of('standing')
    .filter((change) => ENDS[change.text(3)] !== undefined && change.text(3) !== change.text(2));
  for (const change of ended) {
    const [id, state] = [change.text(1), change.text(3)];
    const own = proofs.filter((proof) => proof.text(1) === id);
    if (state === 'DELIVERED') {
      const isPinned = ledger.pinned.has(id);
      hold(own.length === (isPinned ? 1 : 0), 'proven', () => `${id} is delivered with ${own.length} records`);
      if (isPinned) ledger.see('delivered with a PIN');
    }
    for (const proof of own) {
      const text = proof.text(4);
      const read = record.parse(JSON.parse(text));
      const hash = createHash('sha256').update(text).digest('hex');
      const meters = read.place?.metersFromDestination ?? Infinity;
      const isWhole =
        read.kind !== 'ATTEMPT' || read.evidence !== 'COMPLETE' || (read.arrivedAt !== null && meters <= DOOR_METERS);
      const isOf = read.kind === ENDS[state] && read.evidence === proof.text(2) && proof.text(3) === hash;
      hold(isOf && isWhole, 'proven', () => `the record of ${id} is not that of its end: ${text}`);
      hold(state !== 'DELIVERED' || read.pin !== null, 'proven', () => `${id} is delivered without its PIN: ${text}`);
      const told = `"proof":{"evidence":"${read.evidence}","sha256":"${hash}"}`;
      const isTold = unit.of('event').some((event) => event.textOrNull(5) === id && event.text(7).includes(told));
      hold(isTold, 'proven', () => `no event tells the record of ${id}`);
      if (state === 'DELIVERY_FAILED') ledger.see('failed with a record');
    }
  }
  const ids = new Set(ended.map((change) => change.text(1)));
  const strays = proofs.filter((proof) => !ids.has(proof.text(1)));
  hold(strays.length === 0, 'proven', () => `${strays[0]?.text(1)} has a record without an end`);
}
