import { PROBLEM_STATUSES } from '../core/problem-code.ts';
import { parseWithDecimals, printWithDecimals } from './decimals.ts';
import type { Send } from './host.ts';
import { isRecord, type Problem } from './problem.ts';
import type { MirsalOutputs } from './router.ts';

type Shipment = MirsalOutputs['shipments']['get'];
type State = Shipment['state'];

/** A code of the service that an answer can have. */
export type TestProblemCode = keyof typeof PROBLEM_STATUSES;

/** What the test service received. */
export interface TestCall {
  /** `shipments.create`. */
  readonly procedure: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A service in memory, for tests of programs that use the client. */
export interface TestService {
  /** For the option `fetch` of `createMirsalClient` and `createMirsalRest`. No request leaves the process. */
  readonly fetch: Send;
  /** Options for both clients, with this `fetch` and without delays between attempts. */
  readonly options: {
    readonly baseUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly fetch: Send;
    readonly host: { sleep(): Promise<void> };
  };
  /** All shipments, the newest first. */
  readonly shipments: readonly Shipment[];
  /** All calls with a token, also those that were answered with a problem. */
  readonly calls: readonly TestCall[];
  /** Moves a shipment to its next state, or to the one that is given. Throws if there is no such shipment. */
  advance(shipmentId: string, state?: State): Shipment;
  /** Answers the next calls with this problem. `members` are further members, such as `violations`. */
  failNext(code: TestProblemCode, members?: Readonly<Record<string, unknown>>, times?: number): void;
  /** Breaks the connection of the next call, before or after the service has acted. */
  loseNext(when: 'before' | 'after'): void;
}

const NEXT: Readonly<Partial<Record<State, State>>> = {
  PENDING_APPROVAL: 'READY_FOR_DISPATCH',
  READY_FOR_DISPATCH: 'OFFERED',
  OFFERED: 'ACCEPTED',
  ACCEPTED: 'PICKED_UP',
  PICKED_UP: 'OUT_FOR_DELIVERY',
  OUT_FOR_DELIVERY: 'DELIVERED',
};
const CANCELLABLE: ReadonlySet<string> = new Set([
  'PENDING_APPROVAL',
  'READY_FOR_DISPATCH',
  'OFFERED',
  'ACCEPTED',
  'DISPATCH_UNRESOLVED',
]);
const BRANCH = {
  branchCode: 'TEST_BRANCH',
  name: 'Test branch',
  nameAr: null,
  cityCode: 'RUH',
  status: 'ACTIVE',
  version: 0,
};
const LINK_DAYS = 14;
const PICKUP = {
  addressLine: '8228 Olaya Street, Riyadh',
  cityCode: 'RUH',
  latitude: '24.694969',
  longitude: '46.68301',
};
/** The REST operations that the test service knows, with their procedures. */
const OPERATIONS: readonly (readonly [pattern: RegExp, procedure: string])[] = [
  [/^POST \/v2\/external\/shipments$/, 'shipments.create'],
  [/^GET \/v2\/external\/shipments$/, 'shipments.list'],
  [/^GET \/v2\/external\/shipments\/(?<shipmentId>[^/]+)$/, 'shipments.get'],
  [/^POST \/v2\/external\/shipments\/(?<shipmentId>[^/]+)\/cancellations$/, 'shipments.cancel'],
  [/^POST \/v2\/external\/shipments\/(?<shipmentId>[^/]+)\/tracking-links$/, 'trackingLinks.create'],
  [/^GET \/v2\/external\/branches$/, 'branches.list'],
];

/** A refusal of the test service. */
class Refusal extends Error {
  readonly code: TestProblemCode;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: TestProblemCode, members: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.members = members;
  }
}

type Input = Readonly<Record<string, unknown>>;

/** Answers that were given for their keys again. */
const replayed = new WeakSet<object>();

/**
 * A service in memory: it creates shipments with their keys and references, lists, cancels and links them, and answers any
 * problem on demand. It checks no more than that, so a test against the sandbox still belongs to each integration.
 */
export function createTestService(): TestService {
  const shipments: Shipment[] = [];
  const calls: TestCall[] = [];
  const failures: Refusal[] = [];
  const losses: ('before' | 'after')[] = [];
  /** Answers by their keys. */
  const answered = new Map<string, { readonly order: string; readonly answer: unknown }>();
  const find = (id: unknown) => {
    const shipment = shipments.find(({ shipmentId }) => shipmentId === id);
    if (shipment === undefined) throw new Refusal('ACCESS_DENIED');
    return shipment;
  };
  const change = (shipment: Shipment, state: State): Shipment => {
    const isApproved = state !== 'PENDING_APPROVAL' && state !== 'CANCELLED';
    const approvedAt = shipment.approvedAt ?? (isApproved ? instant() : null);
    const next = { ...shipment, state, approvedAt, version: shipment.version + 1 };
    shipments[shipments.indexOf(shipment)] = next;
    return next;
  };
  const procedures: Readonly<Record<string, (input: Input) => unknown>> = {
    'branches.list': () => pageOf([{ ...BRANCH, createdAt: instant(), updatedAt: instant() }]),
    'shipments.create': (input) => {
      const existing = shipments.find(({ externalReference }) => externalReference === input['externalReference']);
      if (existing !== undefined) throw new Refusal('EXTERNAL_REFERENCE_CONFLICT', { existing: referenceOf(existing) });
      const created = shipmentOf(input, shipments.length + 1);
      shipments.unshift(created);
      return created;
    },
    'shipments.get': ({ shipmentId }) => find(shipmentId),
    'shipments.list': ({ externalReference, state, limit = 50, cursor = '0' }) => {
      const states = typeof state === 'string' ? state.split(',') : state;
      const found = shipments.filter(
        (shipment) =>
          (externalReference === undefined || shipment.externalReference === externalReference) &&
          (!Array.isArray(states) || states.includes(shipment.state)),
      );
      const [from, count] = [Number(cursor), Number(limit)];
      return pageOf(found.slice(from, from + count), found.length > from + count ? String(from + count) : null);
    },
    'shipments.cancel': ({ shipmentId, ifMatch }) => {
      const shipment = find(shipmentId);
      if (ifMatch === undefined) throw new Refusal('PRECONDITION_REQUIRED');
      if (ifMatch !== '*' && ifMatch !== `"${shipment.version}"`)
        throw new Refusal('PRECONDITION_FAILED', { currentVersion: shipment.version });
      if (shipment.state === 'CANCELLED') return shipment;
      if (!CANCELLABLE.has(shipment.state))
        throw new Refusal('SHIPMENT_NOT_CANCELLABLE', { currentState: shipment.state });
      return change(shipment, 'CANCELLED');
    },
    'trackingLinks.create': ({ shipmentId, label = null, locale = null, permissions = [] }) => {
      find(shipmentId);
      return {
        linkId: crypto.randomUUID(),
        state: 'ACTIVE',
        locale,
        label,
        permissions,
        createdAt: instant(),
        expiresAt: instant(LINK_DAYS),
        revokedAt: null,
        viewCount: 0,
        lastViewedAt: null,
        version: 0,
        url: `https://mirsal.test/t/shard-1_${crypto.randomUUID().replaceAll('-', '')}`,
      };
    },
  };
  const run = (procedure: string, input: Input): unknown => {
    calls.push({ procedure, input });
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    const act = procedures[procedure];
    if (act === undefined) throw new Error(`The test service does not know ${procedure}`);
    const { idempotencyKey: key, ...order } = input;
    if (typeof key !== 'string') return act(input);
    const known = answered.get(`${procedure} ${key}`);
    if (known !== undefined && known.order !== canonical(order)) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
    if (known !== undefined) {
      const again = { ...inputOf(known.answer) };
      replayed.add(again);
      return again;
    }
    const answer = act(input);
    answered.set(`${procedure} ${key}`, { order: canonical(order), answer });
    return answer;
  };
  const send: Send = async (address, init) => {
    const request = new Request(address, { ...init, signal: null });
    const { pathname } = new URL(address);
    if (pathname === '/oauth/token')
      return Response.json({ access_token: 'test', token_type: 'Bearer', expires_in: 3600 });
    const loss = losses.shift();
    if (loss === 'before') throw new TypeError('The test service broke the connection');
    const response = await (pathname.startsWith('/trpc/') ? answerTrpc(request, run) : answerRest(request, run));
    if (loss === 'after') throw new TypeError('The test service broke the connection');
    return response;
  };
  return {
    fetch: send,
    options: {
      baseUrl: 'https://mirsal.test',
      clientId: 'test',
      clientSecret: 'test',
      fetch: send,
      host: { sleep: () => Promise.resolve() },
    },
    shipments,
    calls,
    advance(shipmentId, state) {
      const shipment = shipments.find((one) => one.shipmentId === shipmentId);
      const next = state ?? (shipment === undefined ? undefined : NEXT[shipment.state]);
      if (shipment === undefined || next === undefined) throw new Error(`${shipmentId} has no next state`);
      return change(shipment, next);
    },
    failNext(code, members = {}, times = 1) {
      for (let left = times; left > 0; left -= 1) failures.push(new Refusal(code, members));
    },
    loseNext: (when) => void losses.push(when),
  };
}

type Run = (procedure: string, input: Input) => unknown;

async function answerTrpc(request: Request, run: Run): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const text = request.method === 'GET' ? searchParams.get('input') : await request.text();
  const procedure = pathname.slice('/trpc/'.length);
  try {
    const data = run(procedure, inputOf(JSON.parse(text === null || text === '' ? '{}' : text)));
    return Response.json({ result: { data } }, { headers: headersOf() });
  } catch (error) {
    const problem = problemOf(error, pathname);
    const data = { code: 'BAD_REQUEST', httpStatus: problem.status, path: procedure, problem };
    const body = { error: { message: problem.code, code: -32_600, data } };
    return Response.json(body, { status: problem.status, headers: headersOfProblem(problem) });
  }
}

async function answerRest(request: Request, run: Run): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.text();
  for (const [pattern, procedure] of OPERATIONS) {
    const found = pattern.exec(`${request.method} ${pathname}`);
    if (found === null) continue;
    try {
      const key = request.headers.get('idempotency-key');
      const ifMatch = request.headers.get('if-match');
      const answer = run(procedure, {
        ...inputOf(text === '' ? {} : parseWithDecimals(text)),
        ...Object.fromEntries(searchParams),
        ...found.groups,
        ...(key === null ? {} : { idempotencyKey: key }),
        ...(ifMatch === null ? {} : { ifMatch }),
      });
      const status = procedure.endsWith('.create') && !isReplay(answer) ? 201 : 200;
      return new Response(printWithDecimals(answer), { status, headers: headersOfAnswer(answer) });
    } catch (error) {
      const problem = problemOf(error, pathname);
      const headers = { ...headersOfProblem(problem), 'content-type': 'application/problem+json' };
      return new Response(JSON.stringify(problem), { status: problem.status, headers });
    }
  }
  throw new Error(`The test service does not know ${request.method} ${pathname}`);
}

function inputOf(value: unknown): Input {
  return isRecord(value) ? value : {};
}

/** Only refusals are answers. Anything else is a mistake of the test, which sees it. */
function problemOf(error: unknown, instance: string): Problem {
  if (!(error instanceof Refusal)) throw error;
  const { code, members } = error;
  const words = code.toLowerCase().replaceAll('_', ' ');
  return {
    code,
    detail: 'The test service was told to answer so, or the call breaks its rules.',
    type: `https://mirsal.test/problems/${words.replaceAll(' ', '-')}`,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    status: PROBLEM_STATUSES[code],
    instance,
    timestamp: instant(),
    correlationId: crypto.randomUUID(),
    requestId: crypto.randomUUID(),
    ...members,
  };
}

function headersOf(): Record<string, string> {
  return { 'x-request-id': crypto.randomUUID() };
}

function isReplay(answer: unknown): boolean {
  return isRecord(answer) && replayed.has(answer);
}

function headersOfProblem({ retryAfterSeconds }: Problem): Record<string, string> {
  return retryAfterSeconds === undefined ? headersOf() : { ...headersOf(), 'retry-after': String(retryAfterSeconds) };
}

function headersOfAnswer(answer: unknown): Record<string, string> {
  const { shipmentId, version } = inputOf(answer);
  return {
    ...headersOf(),
    'content-type': 'application/json',
    ...(typeof version === 'number' ? { etag: `"${version}"` } : {}),
    ...(typeof shipmentId === 'string' ? { location: `/v2/external/shipments/${shipmentId}` } : {}),
    ...(isReplay(answer) ? { 'idempotency-replayed': 'true' } : {}),
  };
}

/** Equal orders have equal texts, whatever the order of their members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

function pageOf<Entry>(data: readonly Entry[], nextCursor: string | null = null) {
  return { data, page: { nextCursor, hasMore: nextCursor !== null } };
}

function referenceOf({ shipmentId, shipmentNumber }: Shipment) {
  return { shipmentId, shipmentNumber, href: `/v2/external/shipments/${shipmentId}` };
}

function shipmentOf(input: Input, count: number): Shipment {
  const recipient = inputOf(input['recipient']);
  const items = (Array.isArray(input['items']) ? input['items'] : []) as Shipment['items'];
  const grams = items.reduce(
    (sum, { quantity, weightKilograms }) => sum + quantity * Number(weightKilograms) * 1000,
    0,
  );
  const taken = input as Pick<
    Shipment,
    'externalReference' | 'declaredValue' | 'codAmount' | 'currency' | 'paymentMethod' | 'destination' | 'requirements'
  >;
  const at = (name: string) => instantOf(String(input[name]));
  return {
    shipmentId: crypto.randomUUID(),
    shipmentNumber: `SHP-TEST${String(count).padStart(7, '0')}`,
    externalReference: taken.externalReference,
    state: 'PENDING_APPROVAL',
    recipientName: String(recipient['name']),
    maskedRecipientPhone: `********${String(recipient['phone']).slice(-4)}`,
    totalWeightKilograms: String(Math.round(grams) / 1000),
    declaredValue: taken.declaredValue,
    codAmount: taken.codAmount,
    currency: taken.currency,
    paymentMethod: taken.paymentMethod,
    pickupWindowStart: at('pickupWindowStart'),
    pickupWindowEnd: at('pickupWindowEnd'),
    createdAt: instant(),
    approvedAt: null,
    version: 0,
    destination: taken.destination,
    pickup: PICKUP,
    items,
    requirements: taken.requirements,
  };
}

const DAY_MS = 86_400_000;

function instant(daysLater = 0): string {
  return instantOf(Date.now() + daysLater * DAY_MS);
}

/** In microseconds, as the service writes it. */
function instantOf(time: number | string): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}
