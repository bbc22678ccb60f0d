import { generateOpenApiDocument } from 'trpc-openapi';
import { appRouter } from '../../../routers/index.ts';
import type { Meta } from '../../../routers/procedure.ts';
import { HEADER_OF, type RawBody } from '../../../routers/request.ts';
import { decimalPlacesOf, fromRest } from '../../../src/contract/rest-numbers.ts';
import { DEPLOYMENTS } from '../../../src/core/deployment.ts';
import { OPERATIONS, type RestOperation } from '../../../src/http/rest/routes.ts';
import { JSON_TYPE, successResponses } from './answers.ts';
import { PARAMETER_EXAMPLES, PARAMETER_TEXTS, REQUEST_EXAMPLES } from './examples.ts';
import { OPERATION_TEXTS } from './operation-texts.ts';
import { codesOf, existsOn, problemResponses } from './problems.ts';
import {
  finishSchema,
  isReference,
  type Operation,
  type Parameter,
  type Paths,
  type Reference,
  type RequestBody,
  referTo,
  type Schema,
} from './shapes.ts';

/** Header parameters of every REST operation. */
export const COMMON_PARAMETERS: Readonly<Record<string, Parameter>> = {
  'Accept-Language': {
    name: 'Accept-Language',
    in: 'header',
    description:
      'Preferred language of titles and messages: `en` or `ar`. Some operations refuse a longer header, the others ignore what exceeds.',
    schema: { type: 'string', maxLength: 64 },
  },
  'X-Correlation-Id': {
    name: 'X-Correlation-Id',
    in: 'header',
    description: 'An id of the caller, repeated in the response. One that is no UUID is replaced.',
    schema: { type: 'string', format: 'uuid' },
  },
};

/**
 * The paths and component schemas of all procedures with a REST path. The generator writes them, and this module adds what
 * it cannot express: headers in place of members, several successes, problems, scopes and examples.
 */
export function describeProcedures(): { readonly paths: Paths; readonly schemas: Record<string, Schema | Reference> } {
  const generated = generateOpenApiDocument(routerOfSources(), { title: '', version: '', baseUrl: '/' });
  const paths: Paths = {};
  for (const operation of OPERATIONS) {
    const { method, path } = operation;
    const verb = methodNameOf(operation);
    const described = generated.paths?.[path]?.[verb];
    if (described === undefined) throw new Error(`The generator left out ${method} ${path}`);
    paths[path] = { ...paths[path], [verb]: completed(operation, described) };
  }
  const schemas = Object.entries(generated.components?.schemas ?? {});
  return {
    paths,
    schemas: Object.fromEntries(schemas.map(([name, schema]) => [name, finishSchema(schema, 'answer')])),
  };
}

/** The router with zod schemas in place of the parsers that were compiled from them, for the generator. */
function routerOfSources() {
  const procedures = OPERATIONS.map(({ name, method, meta, parser, output }) => {
    const type = method === 'GET' ? 'query' : 'mutation';
    const openapi = { ...meta.openapi, operationId: name, errorResponses: [] };
    return [name, { _def: { type, meta: { openapi }, inputs: [parser.source], output } }];
  });
  return { ...appRouter, _def: { ...appRouter._def, procedures: Object.fromEntries(procedures) } };
}

function methodNameOf({ method }: RestOperation) {
  return ({ GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const)[method];
}

function completed(operation: RestOperation, described: Operation): Operation {
  const { name, meta } = operation;
  const { summary, description, tags } = described;
  if (summary === undefined || tags === undefined) throw new Error(`${name} has no summary or no tags`);
  const { parameters, requestBody } = sorted(operation, described);
  return {
    operationId: name,
    tags,
    summary,
    description: describedWith(meta, OPERATION_TEXTS[name] ?? description ?? `${summary}.`),
    security: securityOf(meta),
    parameters: [...parameters, ...Object.keys(COMMON_PARAMETERS).map((common) => referTo('parameters', common))],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...successResponses(operation, described), ...problemResponses(codesOf(operation)) },
  };
}

/** An operation that only some deployments have must say so, because all deployments have the same document. */
function describedWith(meta: Meta, description: string): string {
  const missing = DEPLOYMENTS.filter((deployment) => !existsOn(meta, deployment));
  const where = missing.length === 0 ? [] : [`On ${missing.join(' and ')} this path does not exist (404).`];
  return [description, ...where].join(' ');
}

/** An empty list of scopes requires a token of any scope. An empty list of requirements requires nothing. */
function securityOf({ security, scope, alsoSession }: Meta): Record<string, string[]>[] {
  if (security === 'none') return [];
  if (security === 'driver') return [{ driverToken: [] }];
  if (security === 'recipient') return [{ recipientToken: [] }, { recipientCookie: [] }];
  if (security === 'upload') return [{ uploadCapability: [] }];
  const ofPerson = [{ sessionToken: [] }, { sessionCookie: [] }];
  if (security === 'session') return ofPerson;
  return [{ oauth2: scope === undefined ? [] : [scope] }, ...(alsoSession === true ? ofPerson : [])];
}

/** The generator knows paths, queries of GET, and bodies. Here every member gets its place in the request. */
function sorted(operation: RestOperation, { parameters: known = [], requestBody }: Operation) {
  const { parser } = operation;
  const inBody = bodySchemaOf(requestBody);
  const parameters: Parameter[] = known.flatMap((parameter) => (isReference(parameter) ? [] : [parameter]));
  const { properties = {}, required = [], ...rest } = inBody;
  const isParameter = (name: string) => (parser.places.get(name) ?? 'body') !== 'body';
  for (const [name, schema] of Object.entries(properties).filter(([member]) => isParameter(member))) {
    parameters.push({ name, in: 'query', required: required.includes(name), schema });
  }
  const schema = {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([member]) => !isParameter(member))),
    required: required.filter((member) => !isParameter(member)),
  };
  return {
    parameters: parameters.map((parameter) => placed(operation, parameter)),
    requestBody: parser.raw === undefined ? jsonBodyOf(operation, schema) : rawBodyOf(parser.raw),
  };
}

function bodySchemaOf(body: RequestBody | Reference | undefined): Schema {
  const schema = body === undefined || isReference(body) ? undefined : body.content[JSON_TYPE]?.schema;
  // The generator leaves out a body without members, if the path has parameters.
  return schema === undefined || isReference(schema) ? { type: 'object', additionalProperties: false } : schema;
}

/** Optional headers that change no answer but its time or its length. */
const HARMLESS_HEADERS = ['Prefer', 'If-None-Match'];

function placed(
  { name: operation, parser }: RestOperation,
  { name: member, in: where, required = false, schema = {} }: Parameter,
): Parameter {
  const place = parser.places.get(member);
  const name = place === 'header' ? headerName(member) : member;
  const { examples: [own] = [], description: ofSchema, ...rules }: Schema = { ...finishSchema(schema, 'request') };
  const description = PARAMETER_TEXTS[`${operation} ${name}`] ?? PARAMETER_TEXTS[name] ?? ofSchema;
  if (description === undefined)
    throw new Error(`Say in PARAMETER_TEXTS of scripts/build/openapi/examples.ts what ${name} of ${operation} means`);
  // Tools send the examples of optional headers as they are: a limit, a lock or a used key would refuse their first request.
  const isWish = place === 'header' && !required && !HARMLESS_HEADERS.includes(name);
  const example = isWish ? undefined : (PARAMETER_EXAMPLES[name] ?? own);
  return {
    name,
    in: place === 'header' ? place : where,
    required,
    description,
    // Values with commas between them: a repeated parameter is refused.
    ...(rules.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: rules,
    ...(example === undefined ? {} : { example }),
  };
}

/** `idempotencyKey` is `Idempotency-Key`. */
function headerName(member: string): string {
  return (HEADER_OF.get(member) ?? member).replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** Bytes of one of several types. OpenAPI 3.1 needs no schema for them, but generators leave out a body that has none. */
function rawBodyOf({ contentTypes, bytesMax }: RawBody): RequestBody {
  const schema: Schema = { type: 'string', format: 'binary', maxLength: bytesMax };
  return { required: true, content: Object.fromEntries(contentTypes.map((type) => [type, { schema }])) };
}

function jsonBodyOf(operation: RestOperation, schema: Schema): RequestBody | undefined {
  if (!operation.parser.hasBody) return undefined;
  const example = REQUEST_EXAMPLES[operation.name];
  if (example === undefined)
    throw new Error(`scripts/build/openapi/examples.ts has no request body of ${operation.name}`);
  requireAccepted(operation, example);
  const required = !operation.parser.isBodyOptional;
  return { required, content: { [JSON_TYPE]: { schema: finishSchema(schema, 'request'), example } } };
}

/** An example that the operation would refuse is worse than none. */
function requireAccepted(
  { name, parser: { source, places } }: RestOperation,
  example: Readonly<Record<string, unknown>>,
): void {
  const members = [...places].filter(([, place]) => place === 'body').map(([member]) => [member, true]);
  const body = source.pick(Object.fromEntries(members));
  const parsed = body.safeParse(fromRest(structuredClone(example), decimalPlacesOf(body)));
  if (!parsed.success) throw new Error(`The example of ${name} is refused: ${parsed.error.message}`);
}
