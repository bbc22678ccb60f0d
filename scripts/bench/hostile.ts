import { Agent, request } from 'node:http';
import { LOOPBACK } from '../shared/ports.ts';
import { type Hostile, hostileBodies, repeated } from './hostile-bodies.ts';
import { type Column, type Findings, type StudyOptions, tableOf } from './result.ts';
import { type Account, createSample, launcherOf, startBenchService } from './service.ts';
import { settle, watchUsage } from './usage.ts';

/*
 * What one hostile request costs the service. Before anybody knows the caller: addresses, queries and headers of the length
 * that a runtime still takes. With a token: bodies of the length that their operation takes.
 */

const FULL = { requests: 100, warmUp: 20, bodies: 5, bodiesWarmUp: 2 };
const QUICK = { requests: 30, warmUp: 5, bodies: 2, bodiesWarmUp: 1 };
/** Longer addresses are refused by Deno's server, and longer heads by workerd. */
const LENGTH = 60_000;
const MS_MAX = 5;
const BODY_MS_MAX = 100;
const BODIES_SHOWN = 20;
const SHIPMENTS = '/v2/external/shipments';

interface Cost extends Hostile {
  readonly status: number;
  /** Processor time of one request. */
  readonly ms: number;
}

/** Sends each hostile request many times, one after the other, and divides the processor time of the service. */
export async function measureHostile({ folder, runtime, isQuick, log }: StudyOptions): Promise<Findings> {
  const settings = isQuick ? QUICK : FULL;
  const service = await startBenchService({ folder, launch: await launcherOf(runtime, folder) });
  const [account] = service.accounts;
  if (account === undefined) throw new Error('There is no company');
  const { port, pids } = service.worker;
  const sample = `${SHIPMENTS}/${await createSample(service.baseUrl, account)}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const costOf = async (hostile: Hostile, requests: number, warmUp: number): Promise<Cost> => {
    log(hostile.what);
    const sendAll = async (count: number) => {
      let status = 0;
      for (let sent = 0; sent < count; sent += 1) status = await send(hostile, { port, agent });
      return status;
    };
    await sendAll(warmUp);
    // A batch that was taken goes on after its answer.
    if (hostile.body !== undefined) await settle(pids);
    const usage = watchUsage({ service: pids });
    const status = await sendAll(requests);
    return { ...hostile, status, ms: (usage.stop().cpuMs['service'] ?? Number.NaN) / requests };
  };
  const costs: Cost[] = [];
  for (const hostile of hostileRequests(account, sample))
    costs.push(await costOf(hostile, settings.requests, settings.warmUp));
  const bodies: Cost[] = [];
  for (const hostile of hostileBodies(account))
    bodies.push(await costOf(hostile, settings.bodies, settings.bodiesWarmUp));
  agent.destroy();
  const [worst, worstBodies] = [costs, bodies].map((all) => all.toSorted((one, other) => other.ms - one.ms));
  return {
    settings,
    circumstances: [
      `Runtime: ${runtime}. ${settings.requests} requests each, of at most ${LENGTH} hostile characters; ${settings.bodies} of each body, of which the ${BODIES_SHOWN} worst are listed.`,
    ],
    tables: [tableOf(worst ?? [], COLUMNS), tableOf((worstBodies ?? []).slice(0, BODIES_SHOWN), COLUMNS)],
    verdicts: [
      {
        what: `processor time of any address, query or header, at most ${MS_MAX} ms`,
        told: `${worst?.[0]?.ms.toFixed(1)} ms for ${worst?.[0]?.what}`,
        isReached: costs.every(({ ms }) => ms <= MS_MAX),
      },
      {
        what: `processor time of any of ${bodies.length} bodies, at most ${BODY_MS_MAX} ms`,
        told: `${worstBodies?.[0]?.ms.toFixed(1)} ms for ${worstBodies?.[0]?.what}`,
        isReached: bodies.every(({ ms }) => ms <= BODY_MS_MAX),
      },
    ],
    measurements: [...costs, ...bodies].map(({ what, status, ms }) => ({ what, status, ms })),
  };
}

const COLUMNS: readonly Column<Cost>[] = [
  ['request', ({ what }) => what],
  ['status', ({ status }) => status],
  ['processor ms', ({ ms }) => ms, 1],
];

const many = (unit: string, length = LENGTH) => repeated(unit, length);

function hostileRequests({ token }: Account, sample: string): Hostile[] {
  const authorization = `Bearer ${token}`;
  const signedIn = (name: string, value: string, path = SHIPMENTS) => ({
    path,
    headers: { authorization, [name]: value },
  });
  const read = (name: string, value: string, path = '/docs') => ({ path, headers: { [name]: value } });
  return [
    { what: 'a plain address', path: '/x/y' },
    { what: 'address: % and 25', path: `/x/%${many('25')}` },
    { what: 'address: %25', path: `/x/${many('%25')}` },
    { what: 'address: %2525', path: `/t/${many('%2525')}` },
    { what: 'address: %2f', path: `/${many('%2f')}` },
    { what: 'address: %', path: `/${many('%')}` },
    { what: 'address: slashes', path: `/${many('/')}` },
    { what: 'address: segments', path: many('/a') },
    { what: 'address: dots', path: many('/..') },
    { what: 'address: capitals', path: `/v2/public/tracking/${many('A')}` },
    { what: 'address: a long token', path: `/t/${many('a')}` },
    { what: 'address: punctuation after a token', path: `/t/a${many('%D8%8C')}` },
    { what: 'address: a long id', path: `${SHIPMENTS}/${many('a')}`, headers: { authorization } },
    { what: 'address: procedures', path: `/trpc/${many('shipments.get,')}` },
    { what: 'query: parameters', path: `${SHIPMENTS}?${many('a&')}`, headers: { authorization } },
    { what: 'query: %25', path: `${SHIPMENTS}?limit=${many('%25')}`, headers: { authorization } },
    { what: 'query: a long search', path: `${SHIPMENTS}?search=${many('%D9%91')}`, headers: { authorization } },
    { what: 'query: a long cursor', path: `${SHIPMENTS}?cursor=${many('A')}`, headers: { authorization } },
    {
      what: 'query: connectionParams',
      path: `/trpc/shipments.get?${many('connectionParams&')}`,
      headers: { authorization },
    },
    { what: 'query: lists in lists', path: `/trpc/shipments.get?input=${many('[')}`, headers: { authorization } },
    { what: 'query: lang', path: `/docs?${many('lang=x&')}` },
    { what: 'Accept-Language: commas', ...read('accept-language', many(',')) },
    { what: 'Accept-Language: weights', ...read('accept-language', many('ar;q=0.1,')) },
    { what: 'Accept-Language: parameters', ...read('accept-language', many(';')) },
    { what: 'Accept: commas', ...signedIn('accept', many(',')) },
    { what: 'Accept: parameters', ...signedIn('accept', many(';')) },
    { what: 'Accept: weights', ...read('accept', many('a/b;q=1,'), '/problems') },
    { what: 'Accept: weights, not found', ...read('accept', many('a/b;q=1,'), '/x') },
    { what: 'Accept-Encoding: weights', ...read('accept-encoding', many('gzip;q=1,')) },
    { what: 'If-None-Match: commas', ...signedIn('if-none-match', many(','), sample) },
    { what: 'If-None-Match: tags', ...signedIn('if-none-match', many('W/"a",'), sample) },
    {
      what: 'If-Match: tags',
      ...posted({ ...JSON_TYPE, authorization, 'if-match': many('"1",') }, `${sample}/cancellations`),
    },
    { what: 'Cookie: semicolons', ...read('cookie', many(';')) },
    { what: 'Cookie: lang', ...read('cookie', many('lang=x;')) },
    {
      what: 'Cookie: sessions',
      ...read('cookie', many('__Host-session=a;'), '/v2/company-authentication/sessions/current'),
    },
    { what: 'Authorization: a long token', ...read('authorization', `Bearer ${many('a')}`, SHIPMENTS) },
    { what: 'Authorization: dots', ...read('authorization', `Bearer ${many('.')}`, SHIPMENTS) },
    { what: 'Authorization: spaces', ...read('authorization', `Bearer ${many(' ')}!`, SHIPMENTS) },
    { what: 'traceparent', ...read('traceparent', many('00-')) },
    { what: 'X-Correlation-Id', ...read('x-correlation-id', many('a-')) },
    { what: 'Content-Type: parameters', ...posted({ authorization, 'content-type': `application/json${many(';')}` }) },
    { what: 'Content-Type: spaces', ...posted({ authorization, 'content-type': `application/json;${many(' ')}x` }) },
    {
      what: 'Idempotency-Key',
      ...posted({ authorization, 'content-type': 'application/json', 'idempotency-key': many('"') }),
    },
    { what: 'Basic: a long secret', ...posted({ authorization: `Basic ${many('JTI1')}`, ...FORM }, '/oauth/token') },
    { what: 'X-Forwarded-For', ...read('x-forwarded-for', many('1,')) },
    {
      what: 'many headers',
      path: '/docs',
      headers: Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`x-${at}`, many('a', 600)])),
    },
  ];
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function posted(headers: Readonly<Record<string, string>>, path = SHIPMENTS, body = '{}') {
  return { method: 'POST', path, headers, body };
}

/** The status of the answer; 0 if the connection was closed without one. */
function send(
  { method = 'GET', path = '/', headers = {}, body }: Hostile,
  { port, agent }: { readonly port: number; readonly agent: Agent },
): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(
      { host: LOOPBACK, port, agent, method, path, headers, maxHeaderSize: 2 * LENGTH },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.once('error', () => resolve(0));
    sent.end(body);
  });
}
