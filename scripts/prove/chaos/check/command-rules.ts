import { type Objection, unless } from '../../rules/promises.ts';
import { refusalRules } from '../../rules/requests.ts';
import { memberOf, type OperationName, type RecordedCall } from '../load/history.ts';
import { nameOf } from './creation-rules.ts';
import { isOfAnEnd } from './end-rules.ts';
import type { CaseFile } from './evidence.ts';

/* The changes of each request: the events with its correlation id. */

const READS: readonly OperationName[] = [
  ...(['token', 'get', 'list', 'follow', 'offers', 'carried'] as const),
  ...(['batchState', 'batchItems'] as const),
];

export function commandRules(file: CaseFile): Objection[] {
  return [
    ...file.calls.flatMap((call) => [...causeRules(file, call), ...changeRules(file, call)]),
    ...onceEach(file),
    ...actionRules(file),
  ];
}

/** The changes that a request may have made, depending on its outcome. */
function causeRules(file: CaseFile, call: RecordedCall): Objection[] {
  const changes = file.of(call).map(({ type }) => type);
  const count = changes.filter((type) => !isOfAnEnd(type)).length;
  const { operation, outcome, status, shipmentId } = call;
  const mayNot = outcome === 'refused' || READS.includes(operation);
  const name = `${nameOf(call)}, answered ${status},`;
  return [
    ...(mayNot ? refusalRules({ name, changes, shipmentId }) : []),
    ...unless(count <= 1 || operation === 'batch', 'once', () => `${nameOf(call)} caused ${count} events`, shipmentId),
  ];
}

/** A phone repeats an action with its id until it is answered. */
function actionRules(file: CaseFile): Objection[] {
  const actions = Map.groupBy(file.calls, ({ actionId }) => actionId);
  return [...actions].flatMap(([actionId, calls]) => {
    const made =
      actionId === undefined ? [] : calls.flatMap((call) => file.of(call)).filter(({ type }) => !isOfAnEnd(type));
    const name = () => `action ${actionId} caused ${made.length} events`;
    return unless(made.length <= 1, 'once', name, calls[0]?.shipmentId);
  });
}

/** An acknowledged change is there: this request made it, or an earlier cancellation or the same action did. */
function changeRules(file: CaseFile, call: RecordedCall): Objection[] {
  const { operation, shipmentId = '' } = call;
  if (call.outcome !== 'ok' || !['cancel', 'retry', 'drive'].includes(operation)) return [];
  const steps = file.steps.get(shipmentId) ?? [];
  const [version, state] = [Number(memberOf(call.answer, 'version')), memberOf(call.answer, 'state')];
  const same = file.calls.filter((other) => other === call || (call.actionId && other.actionId === call.actionId));
  const requests = new Set(same.map(({ correlationId }) => correlationId));
  const own = steps.find(({ correlation_id: id }) => requests.has(id));
  const isRepeated = operation === 'cancel' && own === undefined && steps[version]?.type === 'shipment.cancelled';
  const isThere = own !== undefined && own.sequence === version + 1 && own.state === state;
  return [
    ...unless(
      isThere || isRepeated,
      'acknowledged',
      () => `${nameOf(call)} was answered with version ${version}, ${state}, which is not its own`,
      shipmentId,
    ),
    ...matchRules(call, own?.sequence, version),
  ];
}

/** A change with version v leads to v + 1. A cancellation of a cancelled shipment changes nothing. */
function matchRules(call: RecordedCall, sequence: number | undefined, version: number): Objection[] {
  const { ifMatch, shipmentId } = call;
  if (ifMatch === undefined || ifMatch === '*') return [];
  const named = Number(ifMatch);
  const holds = sequence === undefined ? version === named : sequence === named + 2 && version === named + 1;
  return unless(
    holds,
    'precondition',
    () => `${nameOf(call)} named version ${ifMatch}, and is answered with ${version}`,
    shipmentId,
  );
}

/** Of several changes with one version, at most one is acknowledged. */
function onceEach(file: CaseFile): Objection[] {
  const changed = file.calls.filter(
    ({ operation, outcome, ifMatch, answer }) =>
      ['cancel', 'retry', 'amend'].includes(operation) &&
      outcome === 'ok' &&
      ifMatch !== undefined &&
      ifMatch !== '*' &&
      Number(memberOf(answer, 'version')) === Number(ifMatch) + 1,
  );
  const byVersion = Map.groupBy(changed, ({ shipmentId, ifMatch }) => `${shipmentId} at version ${ifMatch}`);
  const lost = file.calls.filter(({ status, outcome }) => status === 412 && outcome === 'refused');
  return [
    ...[...byVersion].flatMap(([name, calls]) =>
      unless(
        calls.length === 1,
        'precondition',
        () => `${name} was changed by ${calls.map(nameOf).join(' and ')}`,
        calls[0]?.shipmentId,
      ),
    ),
    ...lost.flatMap((call) => {
      const current = memberOf(call.answer, 'currentVersion');
      const last = file.shipments.get(call.shipmentId ?? '')?.version ?? -1;
      const isLink = call.linkId !== undefined;
      const holds = current !== undefined && current !== call.ifMatch && (isLink || Number(current) <= last);
      return unless(
        holds,
        'precondition',
        () => `${nameOf(call)} named ${call.ifMatch} and lost to ${current}`,
        call.shipmentId,
      );
    }),
  ];
}
