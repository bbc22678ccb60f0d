import { expect } from 'vitest';
import type { Environment } from '../../scripts/shared/connection.ts';

/* How a procedure answers a caller, without doing anything. */

/** A procedure of the table. */
export interface CalledRow {
  readonly name: string;
  /** Undefined for a procedure without a REST operation. */
  readonly rest: { readonly method: string; readonly path: string } | undefined;
}

export interface Tokened {
  readonly token?: string;
}

export const NO_TOKEN = '401 AUTHENTICATION_REQUIRED';
export const WRONG_TOKEN = '401 AUTHENTICATION_REQUIRED invalid_token';
export const DENIED = '403 ACCESS_DENIED';
export const ADMITTED = 'admitted';

interface Attempt {
  readonly face: 'REST' | 'tRPC';
  readonly caller: Tokened;
  /** Further headers. */
  readonly headers?: Headers;
}

/** Sends an input that is never valid, so that an admitted caller changes nothing: guards run before validation. */
export async function answerTo(
  { fetch }: Pick<Environment, 'fetch'>,
  row: CalledRow,
  attempt: Attempt,
): Promise<string> {
  const { face, caller } = attempt;
  const headers = {
    ...(caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` }),
    ...attempt.headers,
  };
  return answerOf(await (face === 'REST' ? onRest(fetch, row, headers) : overTrpc(fetch, row, headers)));
}

/** The status with its code, the fault of the token and the scope that it lacks. */
export async function answerOf(response: Response): Promise<string> {
  const { code, error } = (await response.json()) as { code?: string; error?: { message: string } };
  const { status } = response;
  // Only a validation answers an invalid input, and it changes nothing.
  if ([200, 400, 415, 422, 428].includes(status)) return ADMITTED;
  const challenge = response.headers.get('www-authenticate');
  if (status === 401) expect(challenge).toMatch(/^Bearer realm="[^"]+"/);
  const [, fault] = /error="(\w+)"/.exec(challenge ?? '') ?? [];
  const [, scope] = /scope="([^"]+)"/.exec(challenge ?? '') ?? [];
  expect(challenge !== null).toBe(status === 401 || fault === 'insufficient_scope');
  return [status, code ?? error?.message, fault, scope].filter((word) => word !== undefined).join(' ');
}

type Fetch = Environment['fetch'];
export type Headers = Readonly<Record<string, string>>;
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

function onRest(fetch: Fetch, { name, rest }: CalledRow, headers: Headers): Promise<Response> {
  if (rest === undefined) throw new Error(`${name} has no REST operation`);
  return fetch(`${rest.path.replaceAll('{id}', UNKNOWN)}?nonsense=1`, { method: rest.method, headers });
}

/** The names of mutations, once a GET of them was refused. */
const MUTATIONS = new Set<string>();

async function overTrpc(fetch: Fetch, { name }: CalledRow, headers: Headers): Promise<Response> {
  const input = JSON.stringify({ nonsense: 1 });
  const address = `/trpc/${name}?input=${encodeURIComponent(input)}`;
  if (!MUTATIONS.has(name)) {
    const asked = await fetch(address, { headers });
    if (asked.status !== 405) return asked;
    // A mutation called by GET is 405 before any guard.
    MUTATIONS.add(name);
  }
  return fetch(`/trpc/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: input,
  });
}

/** A person who calls: their role, and how long ago they proved their second factor. */
export type Person = { readonly role: 'member' | 'owner' | 'operator'; readonly factor: 'none' | 'fresh' | 'stale' };

/** What the table predicts for a person who may not call. */
export function refusalOfPerson(session: string, { role, factor }: Person): string | undefined {
  if (session === 'everyone') return undefined;
  if (session.startsWith('operator') !== (role === 'operator')) return DENIED;
  if ((session.startsWith('owner') || session === 'tRPC+') && role === 'member') return DENIED;
  if (session.startsWith('operator') && factor === 'none') return '403 ASSURANCE_REQUIRED';
  if (!session.endsWith('+') || factor === 'fresh') return undefined;
  return factor === 'none' ? '403 ASSURANCE_REQUIRED' : '403 REAUTHENTICATION_REQUIRED';
}
