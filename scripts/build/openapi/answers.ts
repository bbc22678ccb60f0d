import { MEDIA_CONTENT_TYPES } from '../../../src/contract/media-asset-state.ts';
import { decimalPlacesOf, fromRest } from '../../../src/contract/rest-numbers.ts';
import { UPLOAD_BYTES_MAX } from '../../../src/core/limits.ts';
import type { RestOperation } from '../../../src/http/rest/routes.ts';
import { ANSWER_EXAMPLES } from './answer-examples.ts';
import { LINKS } from './links.ts';
import { headerReferences } from './problems.ts';
import { finishSchema, type Operation, type Reference, type Response, referTo, type Schema } from './shapes.ts';

export const JSON_TYPE = 'application/json';

const SANDBOX_TIME = 'Mirsal-Sandbox-Now';
/** Headers of every answer to an identified client. */
const RATE_LIMIT = ['RateLimit-Policy', 'RateLimit', SANDBOX_TIME];

const BYTES: Schema = { type: 'string', format: 'binary', maxLength: UPLOAD_BYTES_MAX };

const SUCCESS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; it is done soon.',
  204: 'Done.',
};
/** Answers with the version of something else, and so without a tag: time changes them too. */
const OF_ANOTHER = ['shipments.previewCancellation', 'shipmentAmendments.preview'];
/** Answers with the tag of what they contain. */
const OF_A_MEMBER = ['recipients.changeDelivery', 'resolutions.choose'];
/** Their 200 is also the answer of a choice that makes no shipment, which has neither a tag nor a place. */
const OFTEN_WITHOUT = ['resolutions.choose'];
const NOT_MODIFIED = 'What If-None-Match names is still so.';
const TEXT_TAG = { ETag: referTo('headers', 'TextETag') };

/** All success responses of an operation with their headers, schema and example. */
export function successResponses(operation: RestOperation, described: Operation): Record<string, Response> {
  const { meta, parser, output } = operation;
  const statuses = meta.successStatuses ?? [200];
  const generated: Response = described.responses?.['200'] ?? { description: '' };
  const schema = generated.content?.[JSON_TYPE]?.schema;
  const isTagged = hasVersion(output) && meta.security !== 'driver' && !OF_ANOTHER.includes(operation.name);
  const hasTag = isTagged || OF_A_MEMBER.includes(operation.name);
  const responses = statuses.map((status): [number, Response] => {
    const isRepeat = status === 200 && statuses.includes(201);
    const isReplay = isRepeat && parser.places.has('idempotencyKey');
    const isSure = status !== 200 || !OFTEN_WITHOUT.includes(operation.name);
    const headers = [
      ...(hasTag && isSure ? ['ETag'] : []),
      ...(hasTag && isSure && statuses.includes(201) ? ['Location'] : []),
      ...(isReplay && isSure ? ['Idempotency-Replayed'] : []),
      ...(parser.places.get('priceLock') === 'header' ? ['Price-Lock-Id', 'Mirsal-Warnings'] : []),
      ...(operation.name === 'webhookEndpoints.delete' ? ['Mirsal-In-Flight'] : []),
      ...(changesCookie(operation) ? ['Set-Cookie'] : []),
      ...(meta.scope !== undefined || meta.security === 'driver' || meta.security === 'session' ? RATE_LIMIT : []),
      ...(meta.security === 'recipient' ? [SANDBOX_TIME] : []),
    ];
    return [
      status,
      {
        description: isRepeat ? repeatText(isReplay) : (SUCCESS[status] ?? 'Done.'),
        headers: { ...headerReferences(headers), ...(meta.isConditional === true ? TEXT_TAG : {}) },
        ...(schema === undefined || status === 204 ? {} : { content: contentOf(operation, schema) }),
        ...(LINKS[operation.name] === undefined ? {} : { links: LINKS[operation.name] }),
      },
    ];
  });
  if (hasTag && operation.method === 'GET')
    responses.push([304, { description: NOT_MODIFIED, headers: headerReferences(['ETag']) }]);
  if (meta.isConditional === true)
    responses.push([304, { description: NOT_MODIFIED, headers: { ...headerReferences([]), ...TEXT_TAG } }]);
  return Object.fromEntries(responses);
}

const CONTENT: Readonly<Record<string, Schema>> = { 'application/pdf': BYTES };

/** What is to be printed has no schema of its own. A picture is bytes. */
function contentOf(operation: RestOperation, schema: Schema | Reference): NonNullable<Response['content']> {
  const [first] = operation.mediaTypes;
  if (first === 'image/*') return Object.fromEntries(MEDIA_CONTENT_TYPES.map((type) => [type, { schema: BYTES }]));
  if (first !== JSON_TYPE) {
    return Object.fromEntries(
      operation.mediaTypes.map((type) => [type, { schema: CONTENT[type] ?? { type: 'string' } }]),
    );
  }
  const json = { [JSON_TYPE]: { schema: finishSchema(schema, 'answer'), example: exampleOf(operation) } };
  return operation.mediaTypes.includes('text/csv') ? { ...json, 'text/csv': { schema: { type: 'string' } } } : json;
}

/** A driver's view has a version, but no If-Match names it. */
function hasVersion(output: object): boolean {
  return 'shape' in output && typeof output.shape === 'object' && output.shape !== null && 'version' in output.shape;
}

/** Operations that start or end a session or change its token. */
function changesCookie({ name, output }: RestOperation): boolean {
  const members = 'shape' in output ? Object(output.shape) : {};
  return (
    name === 'sessions.signOut' || ['sessionToken', 'recipientToken'].some((token) => Object.hasOwn(members, token))
  );
}

function repeatText(isReplay: boolean): string {
  return isReplay ? 'This was done before: the answer is the original one.' : 'It was there already.';
}

/** An invalid example is worse than none. */
function exampleOf({ name, output }: RestOperation): Readonly<Record<string, unknown>> {
  const example = ANSWER_EXAMPLES[name];
  if (example === undefined) throw new Error(`scripts/build/openapi/answer-examples.ts has no answer of ${name}`);
  const parsed = output.safeParse(fromRest(structuredClone(example), decimalPlacesOf(output)));
  if (!parsed.success) throw new Error(`The example answer of ${name} is invalid: ${parsed.error.message}`);
  return example;
}
