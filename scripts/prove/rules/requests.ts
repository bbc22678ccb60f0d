import { type Objection, unless } from './promises.ts';

/* The rules for answers, and for the changes that a request may make. */

/** `isDocumented`: the document has this status for this operation, and the request deserved it. */
export function answerRules(answer: {
  readonly name: string;
  readonly status: number;
  readonly isDocumented: boolean;
  readonly text: string;
  readonly shipmentId?: string | undefined;
}): Objection[] {
  const holds = answer.status !== 500 && answer.isDocumented;
  const detail = () => `${answer.name} was answered ${answer.status}: ${answer.text.slice(0, 300)}`;
  return unless(holds, 'answer', detail, answer.shipmentId);
}

/** `changes` are those that carry the correlation id of the request. */
export function refusalRules(request: {
  readonly name: string;
  readonly changes: readonly string[];
  readonly shipmentId?: string | undefined;
}): Objection[] {
  const { name, changes, shipmentId } = request;
  const detail = () => `${name} may have changed nothing, and caused ${changes.join(', ')}`;
  return unless(changes.length === 0, 'refused', detail, shipmentId);
}

/** `stateThen` is the state that the shipment had at that version. */
export function shownStateRules(told: {
  readonly name: string;
  readonly shipmentId: string;
  readonly version: number;
  readonly state: string;
  readonly stateThen: string | undefined;
}): Objection[] {
  const { name, shipmentId, version, state, stateThen } = told;
  const detail = () => `${name} was answered that ${shipmentId} is ${state} at version ${version}, it was ${stateThen}`;
  return unless(state === stateThen, 'told', detail, shipmentId);
}

/** `versionBefore` was acknowledged before the request was sent. */
export function freshnessRules(told: {
  readonly name: string;
  readonly shipmentId: string;
  readonly version: number;
  readonly versionBefore: number;
}): Objection[] {
  const { name, shipmentId, version, versionBefore } = told;
  const detail = () => `${name} was answered version ${version} of ${shipmentId} after version ${versionBefore}`;
  return unless(version >= versionBefore, 'back', detail, shipmentId);
}

/** `owner` is undefined for an id that no company has. */
export function ownerRules(found: {
  readonly name: string;
  readonly thing: string;
  readonly owner: string | undefined;
  readonly companyId: string;
  readonly shipmentId?: string | undefined;
}): Objection[] {
  const { name, thing, owner, companyId, shipmentId } = found;
  const holds = owner === undefined || owner === companyId;
  return unless(holds, 'tenancy', () => `${name} of ${companyId} meets ${thing} of ${owner}`, shipmentId);
}

export function replayRules(name: string, first: string, again: string, shipmentId?: string): Objection[] {
  return unless(first === again, 'replay', () => `${name} was answered ${again} after ${first}`, shipmentId);
}
