import { parsePlainJson } from '../../src/core/json.ts';
import { faultsOf, problemFaultsOf, schemaFaultsOf } from '../support/openapi.ts';
import { DESCRIBED, type Described } from './document.ts';
import { pathOf, type RequestDraft } from './request-draft.ts';

/* The rules for every answer, whatever the request was. */

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A line of a stack trace, in any member. */
const STACK = /\bat [^"]{0,200}\.(?:ts|js):\d/;
/** An unpaired surrogate in JSON, at which many parsers fail. */
const HALF_PAIR = /\\ud[89a-f]/i;
/** Members that are answered as they were sent. */
const ECHOED = ['externalReference', 'description', 'label', 'url'];

/** What is wrong with the answer. Empty when it is as documented. */
export async function objectionsTo(draft: RequestDraft, answer: Response): Promise<string[]> {
  const text = await answer.clone().text();
  const faults = [...headerFaults(answer), ...textFaults(text)];
  if (answer.status === 500) faults.push('it is a 500');
  if (draft.method === 'HEAD' && text !== '') faults.push('HEAD has a body');
  const operation = operationOf(draft);
  if (operation === undefined) return [...faults, ...elsewhereFaults(draft, answer, text)];
  if (draft.method === 'OPTIONS') return [...faults, ...(answer.status === 204 ? [] : ['OPTIONS is no 204'])];
  if (draft.method === 'HEAD') return faults;
  const parsed = parsePlainJson(text);
  if (text !== '' && parsed === undefined && !isHtml(answer) && !isPicture(answer) && !isPrint(answer))
    return [...faults, `no JSON in a ${answer.status}`];
  faults.push(...(await faultsOf(operation.name, answer.clone())));
  if (answer.status >= 400 && operation.name !== 'service.ready') faults.push(...problemFaults(answer, parsed));
  if (answer.ok && operation === draft.operation) faults.push(...acceptanceFaults(draft, parsed));
  return faults;
}

function textFaults(text: string): string[] {
  return [
    ...(STACK.test(text) ? ['it shows a stack trace'] : []),
    ...(HALF_PAIR.test(text) ? ['it has an unpaired surrogate'] : []),
  ];
}

/** The operation that answers the request, or refuses its method. */
function operationOf(draft: RequestDraft): Described | undefined {
  const pathname = pathnameOf(draft);
  const found = DESCRIBED.filter(({ path }) => isPathOf(path, pathname));
  const literal = found.filter(({ path }) => path === pathname);
  const own = literal.length > 0 ? literal : found;
  return own.find(({ method }) => method === draft.method) ?? own.find(({ method }) => method === 'GET') ?? own[0];
}

/** The path after the URL parser has removed dots. Two slashes at its beginning are not a host. */
function pathnameOf(draft: RequestDraft): string {
  return new URL(`http://localhost${pathOf(draft)}`).pathname;
}

function isPathOf(template: string, pathname: string): boolean {
  const [parts, segments] = [template.split('/'), pathname.split('/')];
  return (
    parts.length === segments.length &&
    parts.every((part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== ''))
  );
}

function headerFaults(answer: Response): string[] {
  const faults = ['x-request-id', 'x-correlation-id'].flatMap((name) =>
    UUID.test(answer.headers.get(name) ?? '') ? [] : [`no UUID in ${name}`],
  );
  if (!['ar', 'en'].includes(answer.headers.get('content-language') ?? '')) faults.push('no language');
  if (answer.headers.get('x-content-type-options') !== 'nosniff') faults.push('no nosniff');
  return faults;
}

/** Faults of an answer for a path that no operation has. */
function elsewhereFaults(draft: RequestDraft, answer: Response, text: string): string[] {
  const { method } = draft;
  if (answer.status < 400) return [];
  if (method === 'HEAD') return [];
  if (answer.status === 404 && isHtml(answer)) return namesHtml(draft) ? [] : ['a page for a program'];
  return answer.status === 404 || answer.status === 405
    ? problemFaults(answer, parsePlainJson(text))
    : [`${answer.status} for an unknown path`];
}

function isHtml(answer: Response): boolean {
  return (answer.headers.get('content-type') ?? '').startsWith('text/html');
}

function isPicture(answer: Response): boolean {
  return (answer.headers.get('content-type') ?? '').startsWith('image/');
}

/** Labels for printers. The document lists their types, so an answer of another operation with one is a fault. */
function isPrint(answer: Response): boolean {
  return ['application/pdf', 'application/zpl'].includes(answer.headers.get('content-type') ?? '');
}

function namesHtml({ headers }: RequestDraft): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'accept' && value.includes('text/html'));
}

function problemFaults(answer: Response, parsed: unknown): string[] {
  const body = Object(parsed) as Record<string, unknown>;
  const faults = problemFaultsOf(parsed);
  // The OAuth endpoints do not answer problem+json, and challenge only clients that used HTTP Basic (RFC 6749 section 5.2).
  const isOurs = answer.headers.get('content-type') === 'application/problem+json';
  const challenge = answer.headers.get('www-authenticate') ?? '';
  if (answer.status === 401 && isOurs && !challenge.startsWith('Bearer realm=')) faults.push('no challenge in a 401');
  if (body['status'] !== answer.status) faults.push(`status ${String(body['status'])} in a ${answer.status}`);
  for (const [member, header] of [
    ['requestId', 'x-request-id'],
    ['correlationId', 'x-correlation-id'],
  ] as const)
    if (body[member] !== answer.headers.get(header)) faults.push(`${member} is not that of the header`);
  return faults;
}

/** They say in an answer of their own what is wrong with the shipments of the body. */
const ABOUT_THE_BODY = ['shipmentValidations.create', 'shipmentBatches.create'];

/** An accepted body must be allowed by the document, and must be answered unchanged. */
function acceptanceFaults({ operation, body }: RequestDraft, answered: unknown): string[] {
  const sent = parsePlainJson(body?.toString('utf8') ?? '');
  if (operation.body === undefined || sent === undefined || ABOUT_THE_BODY.includes(operation.name)) return [];
  const broken = schemaFaultsOf(operation.body, sent).map((fault) => `accepted, but the document says: ${fault}`);
  const changed = ECHOED.filter((name) => {
    const [one, other] = [Reflect.get(Object(sent), name), Reflect.get(Object(answered), name)];
    return typeof one === 'string' && typeof other === 'string' && one !== other;
  });
  return [...broken, ...changed.map((name) => `${name} was answered with another value`)];
}
