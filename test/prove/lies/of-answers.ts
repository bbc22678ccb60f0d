import {
  AUDITOR,
  entriesOf,
  isReplay,
  memberOf,
  type RecordedCall,
} from '../../../scripts/prove/chaos/load/history.ts';
import { changedNamed, FORGED, inCalls, inList, isAcknowledged, lie, type PlantedLie, withoutFirst } from './plant.ts';

/** Answers that break a rule. */
export const LIES_OF_ANSWERS: readonly PlantedLie[] = [
  lie('an answer of 500', 'answer', (evidence) =>
    inCalls(
      evidence,
      ({ operation }) => operation === 'get',
      () => ({ status: 500, outcome: 'unknown' }),
    ),
  ),
  lie('an answer that is not documented', 'answer', (evidence) =>
    inCalls(
      evidence,
      ({ operation }) => operation === 'list',
      () => ({ status: 404, outcome: 'refused' }),
    ),
  ),
  lie('a right request that is called wrong', 'answer', (evidence) =>
    inCalls(
      evidence,
      ({ operation }) => operation === 'create',
      () => ({ status: 422, outcome: 'refused', answer: { code: 'VALIDATION_FAILED' } }),
    ),
  ),
  lie('a value that was rounded when it was answered', 'exact', (evidence) =>
    inCalls(
      evidence,
      ({ operation, status }) => operation === 'get' && status === 200,
      ({ answer }) => ({ answer: { ...Object(answer), declaredValue: '1' } }),
    ),
  ),
  lie('a replay that is not the first answer', 'replay', (evidence) =>
    inCalls(
      evidence,
      (call) => isReplay(call) && evidence.calls.some((other) => isOtherAnswer(other, call)),
      ({ text }) => ({ text: `${text} ` }),
    ),
  ),
  lie('a key that made two shipments', 'key', (evidence) =>
    inCalls(evidence, isReplay, ({ answer }) => ({ status: 201, answer: { ...Object(answer), shipmentId: FORGED } })),
  ),
  lie('a conflict with a shipment of another reference', 'reference', (evidence) =>
    inCalls(
      evidence,
      ({ answer }) => memberOf(answer, 'code') === 'EXTERNAL_REFERENCE_CONFLICT',
      ({ answer }) => ({ answer: { ...Object(answer), existing: { shipmentId: FORGED } } }),
    ),
  ),
  lie('a refused change that happened', 'refused', (evidence) => {
    const done = evidence.calls.find(({ operation, outcome }) => operation === 'cancel' && outcome === 'ok');
    return inCalls(
      evidence,
      (call) => call === done,
      () => ({ outcome: 'refused', status: 409 }),
    );
  }),
  lie('a refused creation that happened', 'refused', (evidence) =>
    inCalls(evidence, isAcknowledged, () => ({ outcome: 'refused', status: 409, answer: { code: 'BRANCH_INACTIVE' } })),
  ),
  lie('a change of another version than If-Match named', 'precondition', (evidence) =>
    inCalls(evidence, changedNamed, ({ ifMatch }) => ({ ifMatch: String(Number(ifMatch) + 1) })),
  ),
  lie('two acknowledged changes of one version', 'precondition', (evidence) => {
    const call = evidence.calls.find(changedNamed);
    return (
      call && { ...evidence, calls: [...evidence.calls, { ...call, index: evidence.calls.length, client: 'forger' }] }
    );
  }),
  lie('a 412 that names the version that was sent', 'precondition', (evidence) =>
    inCalls(
      evidence,
      ({ status, linkId }) => status === 412 && linkId === undefined,
      ({ answer, ifMatch }) => ({ answer: { ...Object(answer), currentVersion: ifMatch } }),
    ),
  ),
  lie('a read that goes back', 'back', (evidence) => {
    const late = evidence.calls.find(
      ({ client, operation, answer }) =>
        client === AUDITOR && operation === 'get' && Number(memberOf(answer, 'version')) > 0,
    );
    return inCalls(
      evidence,
      (call) => call === late,
      ({ answer }) => ({ answer: { ...Object(answer), version: '0', state: 'PENDING_APPROVAL' } }),
    );
  }),
  lie('a refusal that names a version of long ago', 'back', (evidence) => {
    const late = evidence.calls.findLast(
      ({ client, operation, answer }) =>
        client === AUDITOR && operation === 'get' && Number(memberOf(answer, 'version')) > 0,
    );
    return inCalls(
      evidence,
      (call) => call === late,
      () => ({ operation: 'cancel', status: 412, outcome: 'refused', ifMatch: '9', answer: { currentVersion: '0' } }),
    );
  }),
  lie('a shipment that is denied after it was acknowledged', 'back', (evidence) =>
    inCalls(
      evidence,
      ({ client, operation }) => client === AUDITOR && operation === 'get',
      () => ({ status: 403, outcome: 'refused', answer: { code: 'ACCESS_DENIED' } }),
    ),
  ),
  lie('a state that the shipment never had at that version', 'told', (evidence) =>
    inCalls(
      evidence,
      ({ operation, status }) => operation === 'get' && status === 200,
      ({ answer }) => ({ answer: { ...Object(answer), state: 'DELIVERY_FAILED' } }),
    ),
  ),
  lie('a batch whose answer has other counts', 'batch', (evidence) =>
    inCalls(
      evidence,
      ({ client, operation, answer }) =>
        client === AUDITOR && operation === 'batchState' && memberOf(answer, 'state') === 'COMPLETED',
      ({ answer }) => ({ answer: { ...Object(answer), counts: { total: '1', created: '1' } } }),
    ),
  ),
  lie('a batch whose items are answered in another order', 'batch', (evidence) =>
    inCalls(
      evidence,
      ({ client, operation }) => client === AUDITOR && operation === 'batchItems',
      ({ answer }) => ({ answer: { ...Object(answer), data: entriesOf(answer).toReversed() } }),
    ),
  ),
  lie('a batch that cannot be read', 'readable', (evidence) =>
    inCalls(
      evidence,
      ({ client, operation }) => client === AUDITOR && operation === 'batchState',
      () => ({ status: 503, outcome: 'unknown' }),
    ),
  ),
  lie('a list that lacks what was acknowledged', 'listed', (evidence) => {
    const ids = new Set(evidence.calls.filter(isAcknowledged).map(({ answer }) => memberOf(answer, 'shipmentId')));
    const isKnown = (one: unknown) => ids.has(memberOf(one, 'shipmentId'));
    return inList(evidence, (data) => withoutFirst(data, isKnown), isKnown);
  }),
  lie('a list with one shipment twice', 'listed', (evidence) => inList(evidence, (data) => [...data, data.at(-1)])),
  lie('a list in another order', 'listed', (evidence) => inList(evidence, (data) => data.toReversed())),
  lie('a list with what the database does not have', 'readable', (evidence) =>
    inList(evidence, (data) => [...data, { shipmentId: FORGED, createdAt: '2020' }]),
  ),
  lie('a link that opens after its end', 'link', (evidence) => {
    const revoked = evidence.calls.filter(({ operation, outcome }) => operation === 'revoke' && outcome === 'ok');
    const ended = new Set(revoked.map(({ linkId }) => linkId));
    return inCalls(
      evidence,
      (call) => isLook(call) && ended.has(call.linkId),
      () => ({ status: 200, outcome: 'ok' }),
    );
  }),
  lie('a link that is closed and was never revoked', 'link', (evidence) => {
    const asked = new Set(evidence.calls.filter(({ operation }) => operation === 'revoke').map(({ linkId }) => linkId));
    return inCalls(
      evidence,
      (call) => isLook(call) && !asked.has(call.linkId),
      () => ({ status: 404, outcome: 'refused' }),
    );
  }),
  lie('an open page that shows an earlier state', 'watched', (evidence) => {
    const at = evidence.watched.findIndex(({ state }) => state !== undefined && state !== 'PENDING_APPROVAL');
    const page = evidence.watched[at];
    return page && { ...evidence, watched: evidence.watched.with(at, { ...page, state: 'PENDING_APPROVAL' }) };
  }),
  lie('an open page that shows nothing while its link is active', 'watched', (evidence) => {
    const at = evidence.watched.findIndex(({ state }) => state !== undefined);
    const page = evidence.watched[at];
    return page && { ...evidence, watched: evidence.watched.with(at, { ...page, state: undefined }) };
  }),
  lie('a database that took too long to be used again', 'recovery', (evidence) => ({
    ...evidence,
    recoveries: [...evidence.recoveries, { fault: 'kill shard-1', ms: 5001 }],
  })),
];

/** A read by the auditor, after all other requests. */
function isLook({ client, operation }: RecordedCall): boolean {
  return client === AUDITOR && operation === 'follow';
}

function isOtherAnswer(other: RecordedCall, { index, key, companyId }: RecordedCall): boolean {
  return other.index !== index && other.outcome === 'ok' && other.key === key && other.companyId === companyId;
}
