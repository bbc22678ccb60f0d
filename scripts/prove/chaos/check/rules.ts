/** What has to hold of a round, and how it is called. */
export const RULES = {
  answer: 'every answer has a documented status, and none is a 500',
  acknowledged: 'what was acknowledged is in the database',
  exact: 'a shipment is stored and told with the values it was created with',
  reference: 'a company has one shipment for a reference',
  key: 'an idempotency key makes one shipment, and its replay is the first answer',
  refused: 'what was refused, and what only reads, changed nothing',
  once: 'one request makes one change at the most',
  whole: 'a shipment is there wholly or not at all',
  edge: 'a shipment goes only over edges of the lifecycle',
  version: 'versions and sequences have no gap',
  event: 'each change has exactly one event, which says just that',
  delivery: 'an event has one delivery for each endpoint that wants it',
  receipt: 'a delivery that succeeded was received',
  precondition: 'a change happens on the version that If-Match names, and one of many',
  back: 'reads never go back, and see what was acknowledged before they began',
  told: 'what is told of a shipment was so',
  listed: 'a list has all that was acknowledged before it began, none twice, the newest first',
  readable: 'what is in the database can be read through the interface',
  link: 'a link opens from its acknowledgement until its revocation is acknowledged, and never after',
  tenancy: 'nothing of another company is answered or changed',
  estimate: 'the same question has the same price',
  owed: 'what falls due is done',
  recovery: 'the service works again within five seconds',
} as const;
export type Rule = keyof typeof RULES;

export interface Objection {
  readonly rule: Rule;
  readonly detail: string;
  /** Whose history explains it. */
  readonly shipmentId?: string | undefined;
}

export function objection(rule: Rule, detail: string, shipmentId?: string): Objection {
  return { rule, detail, shipmentId };
}

/** The objection, unless it holds. */
export function unless(holds: boolean, rule: Rule, detail: () => string, shipmentId?: string): Objection[] {
  return holds ? [] : [objection(rule, detail(), shipmentId)];
}
