import document from '../../../../docs/openapi.json' with { type: 'json' };
import { type Objection, objection } from '../../rules/promises.ts';
import { answerRules } from '../../rules/requests.ts';
import { memberOf, OPERATIONS, type RecordedCall } from '../load/history.ts';
import { amendmentRules } from './amendment-rules.ts';
import { batchRules } from './batch-rules.ts';
import { chainRules } from './chain-rules.ts';
import { commandRules } from './command-rules.ts';
import { creationRules, nameOf } from './creation-rules.ts';
import { endRules } from './end-rules.ts';
import { CaseFile, type Evidence } from './evidence.ts';
import { trackingRules } from './link-rules.ts';
import { readRules } from './read-rules.ts';

/** Every rule that does not hold. The same evidence always gives the same objections. */
export function check(evidence: Evidence): Objection[] {
  const file = new CaseFile(evidence);
  return [
    ...file.calls.flatMap(statusRules),
    ...creationRules(file),
    ...batchRules(file),
    ...commandRules(file),
    ...amendmentRules(file),
    ...chainRules(file),
    ...endRules(file),
    ...trackingRules(file),
    ...readRules(file),
    ...recoveryRules(file),
  ];
}

/** Documented answers to malformed requests. These clients send none. */
const TO_WRONG_REQUESTS = new Set([400, 401, 405, 406, 413, 415, 428, 500]);

function statusRules(call: RecordedCall): Objection[] {
  const { status, operation, text, shipmentId } = call;
  if (status === undefined) return [];
  const isDocumented = documentedOf(operation).includes(String(status)) && !TO_WRONG_REQUESTS.has(status);
  const isUnderstood = status !== 422 || memberOf(call.answer, 'code') === 'IDEMPOTENCY_KEY_REUSED';
  const isRead = status === 204 || call.answer !== undefined;
  const name = nameOf(call);
  return answerRules({ name, status, isDocumented: isDocumented && isUnderstood && isRead, text, shipmentId });
}

function documentedOf(operation: RecordedCall['operation']): string[] {
  const [method = '', path = ''] = OPERATIONS[operation].split(' ');
  const methods: unknown = Reflect.get(document.paths, path);
  const found: unknown = Reflect.get(Object(methods), method.toLowerCase());
  return Object.keys(Object(Reflect.get(Object(found), 'responses')));
}

const RECOVERY_MS_MAX = 5000;

function recoveryRules({ recoveries }: CaseFile): Objection[] {
  return recoveries
    .filter(({ ms }) => ms > RECOVERY_MS_MAX)
    .map(({ fault, ms }) => objection('recovery', `it took ${Math.round(ms)} ms after ${fault}`));
}
