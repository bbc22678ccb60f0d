/*
 * Every promise that the runs in scripts/prove check, written once. `askedBy` names the runs that can find it broken.
 * Each of them has a planted fault for each of its rules, and a test that the rule notices that fault.
 */

export type Asker = 'simulation' | 'chaos' | 'webhooks';

const EVERYWHERE = ['simulation', 'chaos', 'webhooks'] as const;
const BOTH = ['simulation', 'chaos'] as const;

export const RULES = {
  signed: { promise: 'every webhook is signed with the secret of its endpoint', askedBy: ['simulation', 'webhooks'] },
  foreign: { promise: 'an endpoint receives only events that it has a delivery for', askedBy: ['webhooks'] },
  acknowledged: { promise: 'what was acknowledged is in the database', askedBy: EVERYWHERE },
  delivery: { promise: 'an event has one delivery for each endpoint that wants it', askedBy: EVERYWHERE },
  ended: { promise: 'a delivery ends once, and only as it may', askedBy: ['simulation', 'webhooks'] },
  receipt: { promise: 'a delivery that succeeded was received', askedBy: EVERYWHERE },
  exhausted: {
    promise: 'a delivery is given up after all its attempts have failed, and not before',
    askedBy: ['simulation', 'webhooks'],
  },
  same: { promise: 'a webhook carries the stored bytes of its event', askedBy: ['simulation', 'webhooks'] },
  sequence: { promise: 'the events of a shipment are numbered without a gap, in their order', askedBy: EVERYWHERE },
  order: {
    promise: 'the next event of a shipment is attempted after the one before was taken or has failed three times',
    askedBy: ['simulation', 'webhooks'],
  },
  arrival: {
    promise: 'the next event of a shipment arrives after the one before was taken or has failed three times',
    askedBy: ['webhooks'],
  },
  gone: { promise: 'an endpoint that answers 410 is disabled', askedBy: ['webhooks'] },
  answer: { promise: 'every answer has a documented status, and none is a 500', askedBy: BOTH },
  exact: { promise: 'values are stored and answered without rounding', askedBy: BOTH },
  reference: { promise: 'a company has one shipment for each reference', askedBy: BOTH },
  key: { promise: 'an idempotency key makes one shipment', askedBy: BOTH },
  replay: { promise: 'a replay has the bytes of the first answer', askedBy: BOTH },
  refused: { promise: 'a request that was refused, or only reads, changed nothing', askedBy: BOTH },
  whole: { promise: 'a creation is stored completely or not at all', askedBy: BOTH },
  edge: { promise: 'a shipment changes only along the edges of the lifecycle', askedBy: BOTH },
  version: { promise: 'the version of a shipment is the number of its changes', askedBy: BOTH },
  event: { promise: 'each change has one step of history and one event, which describe it', askedBy: BOTH },
  told: { promise: 'an answer describes a shipment as it was at that version', askedBy: BOTH },
  back: { promise: 'a read shows everything that was acknowledged before it began', askedBy: BOTH },
  link: { promise: 'a tracking link opens until it is revoked or expires, and never after', askedBy: BOTH },
  rating: { promise: 'a delivered shipment has one rating at most, with one event', askedBy: ['simulation'] },
  tenancy: { promise: 'nothing of another company is answered or changed', askedBy: ['simulation'] },
  owed: { promise: 'once everything is quiet, the service owes nothing', askedBy: BOTH },
  batch: {
    promise: 'each item of a batch ends once, makes at most one shipment and is counted; sent again, it is a replay',
    askedBy: ['chaos'],
  },
  watched: {
    promise: 'an open tracking page ends with what was acknowledged, however its sockets end',
    askedBy: ['chaos'],
  },
  once: { promise: 'one request makes one change at most', askedBy: ['chaos'] },
  precondition: { promise: 'a change happens on the version that If-Match names, and one of many', askedBy: BOTH },
  listed: {
    promise: 'a list has all that was acknowledged before it began, each once, the newest first',
    askedBy: ['chaos'],
  },
  readable: { promise: 'what is in the database can be read through the interface', askedBy: ['chaos'] },
  recovery: { promise: 'the service works again within five seconds', askedBy: ['chaos'] },
  forever: { promise: 'history and agreed prices are neither changed nor removed', askedBy: ['simulation'] },
  lead: { promise: 'no driver is asked earlier than the lead before the pickup window', askedBy: ['simulation'] },
  address: {
    promise: 'no driver is asked for a shipment that waits for its National Address, unless an operator lets it pass',
    askedBy: ['simulation'],
  },
  search: {
    promise: 'a search makes at most twelve offers, and says why it found nobody',
    askedBy: ['simulation'],
  },
  place: {
    promise: 'a shipment keeps the pickup location that was current at its creation',
    askedBy: ['simulation'],
  },
  preview: {
    promise: 'a cancellation costs what its preview said, and it and an amendment never more than their limit',
    askedBy: ['simulation'],
  },
  complaint: {
    promise: 'a complaint is one of its kind with one clock, a lost parcel has one, and recipients see no price of it',
    askedBy: BOTH,
  },
  collected: {
    promise: 'a delivery collects the amount of the version that is delivered, once, and nothing else collects',
    askedBy: BOTH,
  },
  resolved: {
    promise: 'what becomes of a parcel after a failure is decided once, and by the service only when the time is over',
    askedBy: BOTH,
  },
  returned: { promise: 'of a delivery no more goes back than was delivered', askedBy: ['simulation'] },
  goods: { promise: 'a parcel is in one living shipment at most, with the driver who has it', askedBy: ['simulation'] },
  fault: {
    promise: 'the table says who pays for a failure and for what follows, at the price of the first shipment',
    askedBy: ['simulation'],
  },
  unproven: {
    promise: 'an attempt that only the driver’s word proves costs the merchant nothing, nor does what follows it',
    askedBy: ['simulation'],
  },
  proven: {
    promise: 'a delivery has the proof that it needs, and a record is that of its end',
    askedBy: BOTH,
  },
  silent: { promise: 'only the recipient gets a PIN', askedBy: ['simulation'] },
  amended: { promise: 'an amendment leaves state and due time as they are', askedBy: ['simulation'] },
  anew: {
    promise: 'a shipment is charged what its own tariff takes for its newest way',
    askedBy: ['simulation'],
  },
  payer: {
    promise: 'a change of a recipient costs no more than the company lets them spend, or has agreed to',
    askedBy: ['simulation'],
  },
  decided: {
    promise: 'a change that waits for the company changes nothing until it is accepted, and is decided once',
    askedBy: ['simulation'],
  },
  counted: { promise: 'the amendments of a shipment are counted, and are at most twenty', askedBy: ['simulation'] },
  unwanted: { promise: 'a recipient refuses a delivery once, with one event', askedBy: ['simulation'] },
  recipient: {
    promise: 'a link shows and changes nothing of a recipient without a code to the phone of the shipment',
    askedBy: ['simulation'],
  },
  window: {
    promise: 'a window that a driver has agreed to is met or missed at the door, and no other is',
    askedBy: ['simulation'],
  },
  lock: {
    promise: 'a price lock makes one shipment of its company, with its lines, before it expires',
    askedBy: ['simulation'],
  },
  limit: { promise: 'a creation costs no more than its limit', askedBy: ['simulation'] },
  hold: { promise: 'a sandbox hold is used by exactly one creation', askedBy: ['simulation'] },
  behind: { promise: 'the clock of a sandbox passes nothing that is due', askedBy: ['simulation'] },
  others: { promise: 'the clock of a sandbox moves no other company', askedBy: ['simulation'] },
  future: { promise: 'nothing happens later than the clock of its company shows', askedBy: ['simulation'] },
  forward: { promise: 'the clock of a sandbox never goes back', askedBy: ['simulation'] },
  timeline: { promise: 'the events of a shipment have instants in their order', askedBy: ['simulation'] },
  offer: { promise: 'a shipment is with one driver at a time', askedBy: ['simulation'] },
  holder: {
    promise: 'a parcel that was picked up has one driver, until it is delivered or failed',
    askedBy: ['simulation'],
  },
  waiting: { promise: 'what waits for an operator is in a queue, with its reason', askedBy: ['simulation'] },
  session: { promise: 'a lost phone can do nothing a minute after its session was ended', askedBy: ['simulation'] },
  twice: { promise: 'a driver is not offered the same shipment twice in a row', askedBy: ['simulation'] },
  places: {
    promise: 'a driver has as many shipments as places taken, and never more than the limit',
    askedBy: ['simulation'],
  },
} as const satisfies Readonly<Record<string, { readonly promise: string; readonly askedBy: readonly Asker[] }>>;
export type Rule = keyof typeof RULES;

export function rulesOf(asker: Asker): Rule[] {
  const rules = Object.keys(RULES) as Rule[];
  return rules.filter((rule) => (RULES[rule].askedBy as readonly Asker[]).includes(asker));
}

/** A rule that does not hold. */
export interface Objection {
  readonly rule: Rule;
  readonly detail: string;
  /** The shipment whose history explains it. */
  readonly shipmentId?: string | undefined;
}

export function objection(rule: Rule, detail: string, shipmentId?: string): Objection {
  return { rule, detail, shipmentId };
}

/** The objection, unless the condition holds. */
export function unless(holds: boolean, rule: Rule, detail: () => string, shipmentId?: string): Objection[] {
  return holds ? [] : [objection(rule, detail(), shipmentId)];
}
