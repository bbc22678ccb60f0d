/** What may never be seen, and how it is called when it was. */
export const RULES = {
  edge: 'a shipment goes only over edges of the lifecycle',
  version: 'the version of a shipment is the number of its edges',
  event: 'each change has exactly one event, in its own unit',
  sequence: 'the sequence of events of a shipment has no gap',
  forever: 'what was written for good is neither changed nor taken away',
  reference: 'a company has one shipment for a reference',
  key: 'an idempotency key is bound to one shipment',
  whole: 'a shipment is created whole or not at all',
  place: 'a shipment is fetched from where its pickup location was when it was created',
  hold: 'a hold is consumed by exactly one creation',
  offer: 'a shipment is with one driver at a time',
  twice: 'a driver is not offered the same shipment twice in a row',
  places: 'a driver has as many shipments as places taken, and never more than he may',
  fanOut: 'an event has one delivery for each endpoint that wants it',
  outcome: 'a delivery ends once, and only as it may',
  receipt: 'a delivery that succeeded was received, with the bytes of its event and a right signature',
  order: 'events of a shipment come to an endpoint in their order',
  link: 'a tracking link is active until it is revoked or over, and never again',
  acknowledged: 'what was acknowledged is there',
  replay: 'an exact replay gets the bytes of the first answer',
  refused: 'what was refused did not happen',
  told: 'what is told of a shipment was so, and is not older than the question',
  tenancy: 'nothing of another company is answered',
  exact: 'decimals are exact',
  bug: 'nothing breaks off unseen',
  drained: 'when all is quiet, nothing that the service owes is left undone',
} as const;
export type Rule = keyof typeof RULES;

/** A rule that does not hold. */
export class Objection extends Error {
  readonly rule: Rule;

  constructor(rule: Rule, detail: string) {
    super(`${RULES[rule]}: ${detail}`);
    this.name = 'Objection';
    this.rule = rule;
  }
}

export function object(rule: Rule, detail: string): never {
  throw new Objection(rule, detail);
}

export function hold(condition: boolean, rule: Rule, detail: () => string): void {
  if (!condition) object(rule, detail());
}
