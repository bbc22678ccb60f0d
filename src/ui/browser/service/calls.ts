import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../../../routers/index.ts';
import { isProblem, isRecord } from '../../../client/problem.ts';
import { ACTING_AS, type Actor, actingAsText } from '../../../core/acting-as.ts';
import { updateClocks } from '../base/company-clock.ts';
import { locale } from '../base/locale.ts';
import { RestError } from './failure.ts';

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

const HEADERS = { 'accept-language': locale } as const;
type Headers = Readonly<Record<string, string>>;

let shown: Headers = HEADERS;
/**
 * Sets the person and company that this page shows. Each call names them. If the session of the browser belongs to another
 * person, the service refuses the call. The sign-in page names no person.
 */
export function showActor(actor: Actor | undefined): void {
  shown = actor === undefined ? HEADERS : headersFor(actor);
}

function headersFor(actor: Actor): Headers {
  return { ...HEADERS, [ACTING_AS]: actingAsText(actor) };
}

/** The service accepts at most this many calls in one request. */
const BATCH_MAX = 10;

/** The procedures of the service. The browser sends the session cookie. */
export const service = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: '/trpc',
      maxItems: BATCH_MAX,
      headers: () => shown,
      fetch: (address, init) => callService(address as string, init as RequestInit),
    }),
  ],
});

async function callService(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, init);
  updateClocks(response);
  return response;
}

/** The driver of a token. The sandbox's driver is not named, because the page holds its token and shows no session of it. */
interface Driver {
  readonly driverToken: string;
  readonly driverId?: string;
}

/**
 * The procedures as a driver calls them: with the driver's token and without the session cookie.
 */
export function serviceForDriver({ driverToken, driverId }: Driver) {
  const named = driverId === undefined ? HEADERS : headersFor({ id: driverId, companyId: null });
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: '/trpc',
        maxItems: BATCH_MAX,
        headers: { ...named, authorization: `Bearer ${driverToken}` },
        fetch: (address, init) => callService(address as string, { ...(init as RequestInit), credentials: 'omit' }),
      }),
    ],
  });
}

/**
 * Calls a REST operation. The console uses it for operations that set cookies and for those that only a local service
 * has. Rejects with `RestError`, or with the browser's error if there was no answer.
 */
export async function callRest<Answer>(
  method: string,
  path: string,
  body?: unknown,
  headers: Headers = shown,
): Promise<Answer> {
  const response = await callService(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // A captive portal or a proxy may answer in place of the service, often with 200.
  const isOurs = response.ok && response.headers.has('x-request-id');
  if (isOurs && response.status === 204) return undefined as Answer;
  const answer: unknown = await response.json().catch(() => undefined);
  if (isOurs && isRecord(answer)) return answer as Answer;
  throw new RestError(isProblem(answer) ? answer : undefined);
}

/** Whose session the browser has now, whomever the page shows. */
export function readSession(): Promise<Outputs['sessions']['current']> {
  return callRest('GET', '/v2/company-authentication/sessions/current', undefined, HEADERS);
}

/** Reads an operation's answer in another media type than JSON, such as a PDF. Rejects as `callRest` does. */
export async function readFile(path: string, mediaType: string): Promise<Blob> {
  const response = await callService(path, { headers: { ...shown, accept: mediaType } });
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && type.startsWith(mediaType)) return response.blob();
  const answer: unknown = await response.json().catch(() => undefined);
  throw new RestError(isProblem(answer) ? answer : undefined);
}
