import { newKey } from '../../scripts/shared/shipments.ts';
import { parsePlainJson } from '../../src/core/json.ts';
import type { Chance } from './chance.ts';
import { describedAs } from './document.ts';
import { draftOf } from './plan.ts';
import { type RequestDraft, setHeader } from './request-draft.ts';
import type { Supply } from './supply.ts';

/* Requests that follow from an answer by the `links` of the document alone, such as create, get, cancel. */

/** A request and its answer. */
export interface Exchange {
  readonly draft: RequestDraft;
  readonly answer: Response;
}

/** The request that a link leads to. */
interface LinkedRequest {
  readonly link: string;
  readonly draft: RequestDraft;
}

/** The values of a link are those of an existing thing, and its request is complete. */
const WRONG_STATUSES = [400, 403, 404, 405, 415, 428];

/** What is wrong with the answer that a link leads to, besides the rules for every answer. */
export function linkFaults(link: string, { draft, answer: { status } }: Exchange): string[] {
  // A link cannot name the credentials of an operation that has others than the one before.
  const isUnknown = status === 401 && headerOf(draft, 'Authorization') !== undefined;
  return WRONG_STATUSES.includes(status) || isUnknown ? [`the link ${link} leads to a ${status}`] : [];
}

/** Every operation that links lead to from one of these. */
export function linkedFrom(names: readonly string[]): string[] {
  const found = new Set(names);
  // A set also visits what is added meanwhile.
  for (const name of found)
    for (const links of describedAs(name).links.values()) for (const { operationId } of links) found.add(operationId);
  return [...found];
}

/** One of the links of an answer. Undefined if it has none, a fault if the answer lacks a value of the link. */
export async function nextByLink(
  { draft, answer }: Exchange,
  { samples }: Supply,
  chance: Chance,
): Promise<LinkedRequest | string | undefined> {
  const links = draft.operation.links.get(answer.status) ?? [];
  if (links.length === 0) return undefined;
  const { name, operationId, parameters } = chance.oneOf(links);
  const link = `${draft.operation.name} ${answer.status} ${name}`;
  const body = parsePlainJson(await answer.clone().text());
  const values = new Map<string, string>();
  for (const [parameter, expression] of Object.entries(parameters)) {
    const value = valueOf(expression, { draft, answer, body });
    if (value === undefined) return `the link ${link} has no value for ${parameter}`;
    values.set(parameter, value);
  }
  const operation = describedAs(operationId);
  const next = draftOf(operation, chance.oneOf(samples.get(operationId) ?? []));
  next.segments = operation.path
    .slice(1)
    .split('/')
    .map((part) => (part.startsWith('{') ? encodeURIComponent(values.get(part.slice(1, -1)) ?? part) : part));
  for (const parameter of operation.parameters) {
    const value = values.get(parameter.name);
    if (parameter.in === 'header' && value !== undefined) setHeader(next, parameter.name, value);
  }
  if (headerOf(next, 'Idempotency-Key') !== undefined) setHeader(next, 'Idempotency-Key', newKey());
  // What the answer names belongs to its caller. A public operation ignores a token, which the next one may refuse.
  const authorization = headerOf(draft, 'Authorization');
  if (authorization !== undefined && headerOf(next, 'Authorization') !== undefined)
    setHeader(next, 'Authorization', authorization);
  return { link, draft: next };
}

/** A runtime expression of OpenAPI, as far as the document uses them. */
function valueOf(expression: string, { draft, answer, body }: Exchange & { readonly body: unknown }) {
  const [source = '', name = ''] = expression.split(/[.#](?=[^.#]+$)/);
  switch (source) {
    case '$response.body':
      return textAt(body, name.slice(1).split('/'));
    case '$response.header':
      return answer.headers.get(name) ?? undefined;
    case '$request.path':
      return draft.segments[draft.operation.path.slice(1).split('/').indexOf(`{${name}}`)];
    default:
      return undefined;
  }
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce((inner: unknown, name) => Reflect.get(Object(inner), name), value);
  return typeof found === 'string' ? found : undefined;
}

function headerOf({ headers }: RequestDraft, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}
