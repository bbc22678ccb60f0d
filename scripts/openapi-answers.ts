import { decimalPlacesOf, fromRest } from '../src/contract/rest-numbers.ts';
import type { Operation as RestOperation } from '../src/http/rest/routes.ts';
import { ANSWER_EXAMPLES } from './openapi-answer-examples.ts';
import { headerReferences } from './openapi-problems.ts';
import { finishSchema, type Operation, type Response } from './openapi-shapes.ts';

export const JSON_TYPE = 'application/json';

const SUCCESS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; it is done soon.',
  204: 'Done.',
};

/** Every success of an operation with its headers, its schema and an example. */
export function successResponses(operation: RestOperation, described: Operation): Record<string, Response> {
  const { meta, parser, output } = operation;
  const statuses = meta.successStatuses ?? [200];
  const generated: Response = described.responses?.['200'] ?? { description: '' };
  const schema = generated.content?.[JSON_TYPE]?.schema;
  const hasTag = hasVersion(output) && meta.security !== 'driver';
  const responses = statuses.map((status): [number, Response] => {
    const isRepeat = status === 200 && statuses.includes(201);
    const isReplay = isRepeat && parser.places.has('idempotencyKey');
    const headers = [
      ...(hasTag ? ['ETag'] : []),
      ...(hasTag && statuses.includes(201) ? ['Location'] : []),
      ...(isReplay ? ['Idempotency-Replayed'] : []),
    ];
    return [
      status,
      {
        description: isRepeat ? repeatText(isReplay) : (SUCCESS[status] ?? 'Done.'),
        headers: headerReferences(headers),
        ...(schema === undefined || status === 204
          ? {}
          : { content: { [JSON_TYPE]: { schema: finishSchema(schema, 'answer'), example: exampleOf(operation) } } }),
      },
    ];
  });
  return Object.fromEntries(responses);
}

/** A driver's view has a version too, but is no representation that anybody names in If-Match. */
function hasVersion(output: object): boolean {
  return 'shape' in output && typeof output.shape === 'object' && output.shape !== null && 'version' in output.shape;
}

function repeatText(isReplay: boolean): string {
  return isReplay ? 'This was done before: the answer is the original one.' : 'It was there already.';
}

/** An example that is no such answer is worse than none. */
function exampleOf({ name, output }: RestOperation): Readonly<Record<string, unknown>> {
  const example = ANSWER_EXAMPLES[name];
  if (example === undefined) throw new Error(`scripts/openapi-answer-examples.ts has no answer of ${name}`);
  const parsed = output.safeParse(fromRest(example, decimalPlacesOf(output)));
  if (!parsed.success) throw new Error(`The example answer of ${name} is none: ${parsed.error.message}`);
  return example;
}
