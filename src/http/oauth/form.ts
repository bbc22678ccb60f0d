import { Problem } from '../../core/problem.ts';
import type { Refusal } from '../../core/result.ts';
import { hasMediaType, readText, type Sent } from '../body.ts';

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
  { permit }: Pick<Sent, 'permit'>,
): Promise<OAuthRequest | OAuthFault> {
  if (!hasMediaType(request, 'application/x-www-form-urlencoded')) {
    return fault(
      415,
      'invalid_request',
      'The body must be application/x-www-form-urlencoded, for a token with grant_type=client_credentials',
    );
  }
  const form = await readForm({ request, permit });
  if (typeof form !== 'string') return form;
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(form)) {
    if (parameters.has(name)) return fault(400, 'invalid_request', `${describable(name)} is given more than once`);
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
    return fault(
      401,
      'invalid_client',
      'The client did not authenticate: send client_id and client_secret with HTTP Basic or in the body, for a token with grant_type=client_credentials',
    );
  if (clientId.length > CLIENT_ID_LENGTH_MAX) return fault(401, 'invalid_client', 'The client is unknown');
  return { ok: true, parameters, clientId, clientSecret };
}

const FORM_FAULTS: ReadonlySet<string> = new Set(['PAYLOAD_TOO_LARGE', 'MALFORMED_JSON']);

async function readForm(sent: Sent): Promise<string | OAuthFault> {
  try {
    return await readText(sent, FORM_BYTES_MAX);
  } catch (error) {
    // The form is not the cause, so the route's own error handler answers.
    if (!(error instanceof Problem) || !FORM_FAULTS.has(error.refusal.code)) throw error;
    const isTooLarge = error.refusal.code === 'PAYLOAD_TOO_LARGE';
    return fault(
      isTooLarge ? 413 : 400,
      'invalid_request',
      isTooLarge ? 'The body is too large' : 'The body is not text',
    );
  }
}

function isOtherClient(inBody: string | undefined, inHeader: string): boolean {
  return inBody !== undefined && inBody !== inHeader;
}

/** Keeps only the characters that RFC 6749 allows in an error_description. */
function describable(name: string): string {
  return name.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 64);
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
