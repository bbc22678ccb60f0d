import type { Cause } from '../../core/cause-texts.ts';
import { part } from '../../core/part.ts';
import { Problem } from '../../core/problem.ts';
import type { Refusal } from '../../core/result.ts';
import { ACCEPTED_CODING, codingOf, FORM_TYPE, hasMediaType, readBytes, type Sent } from '../body.ts';
import type { Exchange } from '../route-table.ts';
import { formTextOf, repeated } from '../sent-text.ts';

const texts = part(() => import('../../core/cause-texts.ts'));

/** 8 KiB: a token request is a few hundred bytes. */
const FORM_BYTES_MAX = 8 * 1024;

/** The service's client ids have 28 characters, so longer ones are refused without a count or a lookup. */
const CLIENT_ID_LENGTH_MAX = 64;

/** A refusal of an OAuth endpoint (RFC 6749 section 5.2). */
export interface OAuthFault {
  readonly ok: false;
  readonly status: number;
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'unauthorized_client'
    | 'unsupported_grant_type'
    | 'invalid_scope'
    | 'temporarily_unavailable';
  readonly description: string;
  readonly retryAfterSeconds?: number;
  /** Extra members of the body. */
  readonly members?: Refusal['members'];
  readonly headers?: Readonly<Record<string, string>>;
}

export function fault(
  status: number,
  error: OAuthFault['error'],
  description: string,
  retryAfterSeconds?: number,
): OAuthFault {
  return { ok: false, status, error, description, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** A form-encoded request and its client, which authenticates with HTTP Basic or with body parameters. */
export interface OAuthRequest {
  readonly ok: true;
  readonly parameters: ReadonlyMap<string, string>;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Reads an OAuth request (RFC 6749 sections 2.3.1 and 3.2): parameters at most once, one way to authenticate. */
export async function readOAuthRequest(
  request: Request,
  { permit, url }: Pick<Exchange, 'permit' | 'url'>,
): Promise<OAuthRequest | OAuthFault> {
  const coding = codingOf(request);
  if (coding !== undefined) {
    const description = await describe({ text: 'contentCoding', values: { coding } });
    return { ...fault(415, 'invalid_request', description), headers: ACCEPTED_CODING };
  }
  const isSecretInQuery = url.searchParams.has('client_secret');
  if (!hasMediaType(request, FORM_TYPE))
    return fault(415, 'invalid_request', isSecretInQuery ? SECRET_IN_QUERY : NO_FORM);
  const form = await readForm({ request, permit });
  if (typeof form !== 'string') return form;
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(form)) {
    if (parameters.has(name)) return fault(400, 'invalid_request', await describe(repeated(name)));
    // An empty parameter counts as omitted (RFC 6749 section 3.1).
    if (value !== '') parameters.set(name, value);
  }
  const basic = basicOf(request.headers.get('authorization'));
  if (basic === 'malformed') return fault(401, 'invalid_client', 'The Authorization header is not valid HTTP Basic');
  const hasBodySecret = parameters.has('client_secret');
  if (basic !== undefined && (hasBodySecret || isOtherClient(parameters.get('client_id'), basic.clientId))) {
    return fault(400, 'invalid_request', 'The client must authenticate in one way, not two');
  }
  const clientId = basic?.clientId ?? parameters.get('client_id');
  const clientSecret = basic?.clientSecret ?? parameters.get('client_secret');
  if (clientId === undefined || clientSecret === undefined)
    return fault(401, 'invalid_client', isSecretInQuery ? SECRET_IN_QUERY : NO_CLIENT);
  // Secrets have no white space, so this reveals nothing about them.
  if (clientSecret !== clientSecret.trim()) return fault(401, 'invalid_client', SECRET_WITH_SPACE);
  if (clientId.length > CLIENT_ID_LENGTH_MAX) return fault(401, 'invalid_client', 'The client is unknown');
  return { ok: true, parameters, clientId, clientSecret };
}

const NO_FORM = 'The body must be application/x-www-form-urlencoded, for a token with grant_type=client_credentials';
const NO_CLIENT =
  'The client did not authenticate: send client_id and client_secret with HTTP Basic or in the body, for a token with grant_type=client_credentials';
const SECRET_IN_QUERY =
  'client_secret is in the query, which logs keep: rotate the secret, and send it with HTTP Basic or in the body (RFC 6749 section 2.3.1)';
const SECRET_WITH_SPACE =
  'The client secret has white space before or after it, such as the line feed that echo adds: send it without';

const FORM_FAULTS: ReadonlySet<string> = new Set(['PAYLOAD_TOO_LARGE', 'MALFORMED_JSON']);

async function readForm(sent: Sent): Promise<string | OAuthFault> {
  try {
    return formTextOf(await readBytes(sent, FORM_BYTES_MAX));
  } catch (error) {
    // The form is not the cause, so the route's own error handler answers.
    if (!(error instanceof Problem) || !FORM_FAULTS.has(error.refusal.code)) throw error;
    const { code, cause } = error.refusal;
    if (code === 'PAYLOAD_TOO_LARGE') return fault(413, 'invalid_request', 'The body is too large');
    return fault(400, 'invalid_request', cause === undefined ? 'The body is incomplete' : await describe(cause));
  }
}

function isOtherClient(inBody: string | undefined, inHeader: string): boolean {
  return inBody !== undefined && inBody !== inHeader;
}

/** A cause in the characters that RFC 6749 allows in an error_description. */
async function describe(cause: Cause): Promise<string> {
  const { causeText } = await texts();
  return causeText(cause, 'en').replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?');
}

function basicOf(header: string | null): { clientId: string; clientSecret: string } | 'malformed' | undefined {
  if (header === null) return undefined;
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(header)?.[1];
  if (encoded === undefined) return 'malformed';
  try {
    const [clientId, clientSecret] = splitOnce(atob(encoded));
    return { clientId: formDecode(clientId), clientSecret: formDecode(clientSecret) };
  } catch {
    return 'malformed';
  }
}

function splitOnce(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 0) throw new Error('No colon');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

/** Both halves are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
