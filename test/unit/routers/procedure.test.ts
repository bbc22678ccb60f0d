import { callTRPCProcedure, TRPCError } from '@trpc/server';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Context } from '../../../routers/context.ts';
import {
  companyProcedure,
  describe as describeError,
  driverProcedure,
  merchantProcedure,
  operatorProcedure,
  personProcedure,
  procedure,
  publicProcedure,
  publicProcedureWithin,
  refusalOfError,
  router,
  sandboxProcedure,
  signedInProcedure,
} from '../../../routers/procedure.ts';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { tokenHashOf } from '../../../src/access/authenticate.ts';
import { MEMBER, PROVED_OWNER } from '../../../src/access/require.ts';
import { Problem } from '../../../src/core/problem.ts';
import { refuse } from '../../../src/core/result.ts';
import { startProcess } from '../../../src/platform/deno/process.ts';
import { noAddresses, noDocuments, noMessages, noMetrics, noStreets } from '../../../src/providers/absent.ts';
import { ProviderReports } from '../../../src/providers/provider-reports.ts';
import { fixtureRouting } from '../../../src/providers/routing/fixture.ts';
import { monotonicMs, systemRandom } from '../../../src/providers/system.ts';
import { openMemoryShard } from '../../support/dispatch/memory-shard.ts';

/* The guards of procedures, with the service's own tokens, sessions and databases. */

const shard = openMemoryShard();
const { genesis, company, clock, run } = shard;
/** Uses that were counted, and whether the next one is refused. */
const limit = { counted: new Array<string>(), isUsedUp: false };
const { services, stop } = startProcess(genesis.config, {
  ...{ clock, random: systemRandom, monotonicMs, fetch: shard.fetch, report: () => undefined, metrics: noMetrics },
  providerReports: new ProviderReports(() => 0),
  ...{
    routing: fixtureRouting,
    callNumbers: { numberFor: (phone: string) => phone },
    addresses: noAddresses,
    streets: noStreets,
    documents: noDocuments,
    readAsset: () => Promise.resolve(undefined),
    readShaper: () => Promise.reject(new Error('No label is printed')),
  },
  limiter: {
    take(budget, identity) {
      limit.counted.push(`${budget} ${identity}`);
      return Promise.resolve(limit.isUsedUp ? { ok: false, retryAfterSeconds: 7 } : { ok: true });
    },
  },
  resolver: { resolve: () => Promise.resolve([]) },
  webhookTransport: { post: () => Promise.reject(new Error('No webhook is sent')) },
  messagesOf: () => ({ messages: noMessages, inbox: undefined }),
});
afterAll(async () => {
  await stop();
  await shard.close();
});
beforeEach(() => {
  limit.counted = [];
  limit.isUsedUp = false;
});

const PROCEDURES = {
  public: publicProcedure.query(() => 'in'),
  publicWithin: publicProcedureWithin('tracking').query(() => 'in'),
  merchant: merchantProcedure('shipments:read', 'reads', PROVED_OWNER).query(({ ctx }) => ctx.company),
  merchantManages: merchantProcedure('webhooks:manage', 'reads', PROVED_OWNER).query(({ ctx }) => ctx.company),
  company: companyProcedure('shipments:write', 'writes', MEMBER).query(({ ctx }) => ctx.company),
  sandbox: sandboxProcedure('writes', MEMBER).query(({ ctx }) => ctx.company),
  sandboxScoped: sandboxProcedure('writes', MEMBER, 'webhooks:manage').query(({ ctx }) => ctx.company),
  person: personProcedure('reads', PROVED_OWNER).query(({ ctx }) => ctx.actor),
  driver: driverProcedure('writes').query(({ ctx }) => ctx.driver),
  operator: operatorProcedure('writes').query(({ ctx }) => ctx.actor),
  operatorRecently: operatorProcedure('writes', 'recently').query(({ ctx }) => ctx.actor),
  signedIn: signedInProcedure('reads').query(({ ctx }) => ({ actor: ctx.actor, company: ctx.company })),
  throwsProblem: procedure.query(() => {
    throw new Problem(refuse('PRECONDITION_FAILED'));
  }),
  throwsBug: procedure.query(() => {
    throw new RangeError('a bug');
  }),
};
type Name = keyof typeof PROCEDURES;
const routers = router(PROCEDURES);

interface Call {
  readonly token?: string;
  readonly face?: Context['face'];
  readonly deployment?: 'local' | 'sandbox' | 'production';
  readonly address?: string;
}

/** What the procedure answers, or the code of its refusal. */
async function call(name: Name, { token, face = 'rest', deployment = 'local', address }: Call = {}) {
  const entered: string[] = [];
  const companies: string[] = [];
  const log: Context['log'] = {};
  const ctx: Context = {
    services: { ...services, config: { ...services.config, deployment } },
    facts: {
      ...{ requestId: REQUEST, correlationId: REQUEST, traceId: undefined, locale: 'en', path: '/', method: 'POST' },
      ...{ authorization: token === undefined ? null : `Bearer ${token}`, uploadCapability: null, cookie: null },
      ...{ origin: null, fetchSite: null, actingAs: null, isFromPerson: true, address },
    },
    ...{ later: () => undefined, outside: (work) => work(), reply: { headers: {} }, parameters: {}, face, log },
    enterShard: (entry, from) => entered.push(from === undefined ? entry : `${from} to ${entry}`),
    enterCompany: (id) => companies.push(id),
  };
  const getRawInput = () => Promise.resolve(undefined);
  const options = {
    router: routers,
    path: name,
    ctx,
    getRawInput,
    type: 'query',
    signal: undefined,
    batchIndex: 0,
  } as const;
  try {
    return { answer: await callTRPCProcedure(options), entered, companies, log };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    return { refused: refusalOfError(error).code, code: error.code, refusal: refusalOfError(error), entered };
  }
}

const REQUEST = newId();
const clientToken = await issueToken();
const operatorToken = await addOperator();
const { driverId, token: driverToken } = await addDriver();
const [staffToken, provedStaffToken] = [await addPerson('OPERATOR', 'AAL1'), await addPerson('OPERATOR', 'AAL2')];
const [memberToken, ownerToken, provedToken] = [
  await addPerson('MEMBER', 'AAL1'),
  await addPerson('OWNER', 'AAL1'),
  await addPerson('OWNER', 'AAL2'),
];

/** A token without the scope for webhooks. */
function issueToken(): Promise<string> {
  const { companyId, clientId, secretId } = company;
  const scopes = new Set(['shipments:read', 'shipments:write'] as const);
  return services.tokens.issue(
    { kind: 'company', companyId, shard: 'shard-1', clientId, secretId, tokenId: newId(), scopes },
    clock.now(),
  );
}

async function addOperator(): Promise<string> {
  const [credentialId, secretId, clientId] = [newId(), newId(), 'mcl_operator'];
  run('directory', 'insert into credentials (id, client_id, scopes, created_at) values (?, ?, ?, 1)', [
    ...[credentialId, clientId, 'operations'],
  ]);
  run(
    'directory',
    "insert into credential_secrets (id, credential_id, secret_hmac, secret_hint, created_at) values (?, ?, '', '', 1)",
    [...[secretId, credentialId]],
  );
  const operator = {
    kind: 'operator',
    clientId,
    secretId,
    tokenId: newId(),
    scopes: new Set(['operations'] as const),
  } as const;
  return services.tokens.issue(operator, clock.now());
}

async function addDriver(): Promise<{ readonly driverId: string; readonly token: string }> {
  const [driverId, token, now] = [newId(), `drv_shard-1_${'d'.repeat(43)}`, Number(clock.now())];
  run(
    'shard-1',
    "insert into drivers values (?, '+966500000000', 'Saad', 'VAN', null, '[]', '1', '1', 'RUH', 'ACTIVE', 1, 0, 1, null, null, null, 1, 0, null, null, 1, 1, 0)",
    [driverId],
  );
  run('shard-1', 'insert into driver_sessions values (?, ?, ?, ?)', [
    ...[await tokenHashOf(token), driverId, now, now + 3_600_000_000],
  ]);
  return { driverId, token };
}

async function addPerson(role: string, assurance: string): Promise<{ readonly token: string; readonly id: string }> {
  const [id, token, now] = [
    newId(),
    `ses_${'s'.repeat(40)}${role.slice(0, 2)}${assurance.at(-1)}`,
    Number(clock.now()),
  ];
  run('directory', 'insert into people values (?, ?, ?, ?, 1, null)', [id, 'Saad', `${id}@people.example`, id]);
  if (role === 'OPERATOR') run('directory', 'insert into operators values (?, 1)', [id]);
  else run('directory', 'insert into company_members values (?, ?, ?, 1)', [company.companyId, id, role]);
  run('directory', "insert into sessions values (?, ?, ?, 'SMS', ?, ?, ?, ?, ?, ?)", [
    ...[newId(), await tokenHashOf(token), id, assurance, assurance === 'AAL2' ? now + 600_000_000 : null],
    ...[newId(), now, now, now + 3_600_000_000],
  ]);
  return { token, id };
}

const company1 = { companyId: company.companyId, shard: 'shard-1' };
const byClient = { ...company1, clientId: company.clientId };
const personActor = (id: string) => ({ personId: id, clientId: null, address: null, requestId: REQUEST });

describe('a token of a merchant', () => {
  test.each<[Name, Call['face']]>([
    ['merchant', 'rest'],
    ['merchant', 'trpc'],
    ['company', 'rest'],
    ['sandbox', 'rest'],
  ])('enters %s over %s, counted for its client and in its shard', async (name, face = 'rest') => {
    const { answer, entered, companies, log } = await call(name, { token: clientToken, face });
    expect(answer).toMatchObject(byClient);
    const { companyId, clientId } = company;
    expect([entered, companies, log]).toEqual([['shard-1'], [companyId], { companyId, clientId }]);
    expect(limit.counted).toEqual([`${name === 'merchant' ? 'reads' : 'writes'} ${company.clientId}`]);
  });

  test.each<[Name, Call['face']]>([
    ['merchantManages', 'rest'],
    ['merchantManages', 'trpc'],
    ['sandboxScoped', 'rest'],
    ['operator', 'rest'],
  ])('is refused by %s over %s, whose scope it lacks, before anything is counted', async (name, face = 'rest') => {
    expect(await call(name, { token: clientToken, face })).toMatchObject({
      refused: 'ACCESS_DENIED',
      code: 'FORBIDDEN',
    });
    expect(limit.counted).toEqual([]);
  });

  test.each<Name>(['driver', 'person'])('is refused by %s', async (name) => {
    expect(await call(name, { token: clientToken })).toMatchObject({
      refused: 'AUTHENTICATION_REQUIRED',
      code: 'UNAUTHORIZED',
    });
  });

  test('is refused past the rate limit, with the time to wait', async () => {
    limit.isUsedUp = true;
    expect(await call('merchant', { token: clientToken })).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      refusal: { code: 'RATE_LIMITED', retryAfterSeconds: 7 },
    });
  });
});

describe('a session', () => {
  test('does not enter a merchant procedure over REST, whatever its assurance', async () => {
    expect(await call('merchant', { token: provedToken.token })).toMatchObject({ refused: 'AUTHENTICATION_REQUIRED' });
  });

  test.each<[Name, Call['face']]>([
    ['merchant', 'trpc'],
    ['person', 'trpc'],
    ['person', 'rest'],
  ])('enters %s over %s only as a proved owner', async (name, face = 'rest') => {
    const refusals = [];
    for (const { token } of [memberToken, ownerToken]) refusals.push((await call(name, { token, face })).refused);
    expect(refusals).toEqual(['ACCESS_DENIED', 'ASSURANCE_REQUIRED']);
    const { answer } = await call(name, { token: provedToken.token, face });
    const actor = personActor(provedToken.id);
    expect(answer).toMatchObject(name === 'person' ? actor : { ...company1, actor });
    expect(limit.counted).toEqual([`reads ${provedToken.id}`]);
  });

  test.each<Name>(['company', 'sandbox', 'sandboxScoped'])('of a member enters %s', async (name) => {
    const { answer } = await call(name, { token: memberToken.token });
    expect(answer).toMatchObject({ ...company1, actor: personActor(memberToken.id) });
    expect(limit.counted).toEqual([`writes ${memberToken.id}`]);
  });
});

test('a sandbox procedure exists on sandboxes only, for every kind of caller', async () => {
  expect(await call('sandbox', { token: clientToken, deployment: 'sandbox' })).toMatchObject({ answer: byClient });
  for (const token of [clientToken, memberToken.token, 'nonsense'])
    expect(await call('sandbox', { token, deployment: 'production' })).toMatchObject({ refused: 'ROUTE_NOT_FOUND' });
});

test('a driver enters with their token, counted as themselves', async () => {
  expect(await call('driver', { token: driverToken })).toMatchObject({ answer: { driverId, shard: 'shard-1' } });
  expect(limit.counted).toEqual([`writes ${driverId}`]);
});

test('an operator is the actor of what they do', async () => {
  const { answer } = await call('operator', { token: operatorToken, address: '192.0.2.1' });
  expect(answer).toEqual({ personId: null, clientId: 'mcl_operator', address: '192.0.2.1', requestId: REQUEST });
  expect(limit.counted).toEqual(['writes mcl_operator']);
  for (const name of ['merchant', 'company', 'sandbox'] as const)
    expect((await call(name, { token: operatorToken })).refused).toBe('ACCESS_DENIED');
});

test('an operator who is a person enters with a second factor, and is the actor', async () => {
  for (const name of ['operator', 'operatorRecently'] as const) {
    const refusals = [];
    for (const { token } of [provedToken, staffToken]) refusals.push((await call(name, { token })).refused);
    expect(refusals).toEqual(['ACCESS_DENIED', 'ASSURANCE_REQUIRED']);
  }
  expect(limit.counted).toEqual([]);
  const { answer } = await call('operator', { token: provedStaffToken.token });
  expect(answer).toEqual({ ...personActor(provedStaffToken.id), clientId: 'operations' });
  expect((await call('operatorRecently', { token: provedStaffToken.token })).answer).toEqual(answer);
  run('directory', 'update sessions set fresh_until = 1 where person_id = ?', [provedStaffToken.id]);
  expect((await call('operator', { token: provedStaffToken.token })).answer).toEqual(answer);
  expect((await call('operatorRecently', { token: provedStaffToken.token })).refused).toBe('REAUTHENTICATION_REQUIRED');
  expect(limit.counted).toEqual(Array.from({ length: 3 }, () => `writes ${provedStaffToken.id}`));
  expect((await call('company', { token: provedStaffToken.token })).refused).toBe('ACCESS_DENIED');
});

test('everybody who has signed in enters a procedure for them, an operator without a company', async () => {
  const member = await call('signedIn', { token: memberToken.token });
  expect(member.answer).toMatchObject({ actor: personActor(memberToken.id), company: company1 });
  const { answer } = await call('signedIn', { token: staffToken.token });
  expect(answer).toEqual({
    actor: { ...personActor(staffToken.id), clientId: 'operations' },
    company: undefined,
  });
  expect(limit.counted).toEqual([`reads ${memberToken.id}`, `reads ${staffToken.id}`]);
});

test('everyone enters a public procedure; one with a limit counts networks, and unknown addresses as one', async () => {
  expect((await call('public')).answer).toBe('in');
  expect(limit.counted).toEqual([]);
  await call('publicWithin', { address: '2001:db8:1:2:3:4:5:6' });
  expect((await call('publicWithin')).answer).toBe('in');
  expect(limit.counted).toEqual(['tracking 2001:db8:1:2', 'tracking unknown']);
});

test.each<Name>(['merchant', 'company', 'sandbox', 'person', 'signedIn', 'driver', 'operator'])(
  '%s demands a token',
  async (name) => {
    expect((await call(name)).refused).toBe('AUTHENTICATION_REQUIRED');
    expect((await call(name, { token: 'nonsense' })).refused).toBe('AUTHENTICATION_REQUIRED');
    expect(limit.counted).toEqual([]);
  },
);

test.each<[Name, Record<string, unknown>]>([
  ['merchant', { scope: 'shipments:read' }],
  ['company', { scope: 'shipments:write', alsoSession: true }],
  ['sandbox', { deployments: ['local', 'sandbox'], alsoSession: true }],
  ['sandboxScoped', { deployments: ['local', 'sandbox'], alsoSession: true, scope: 'webhooks:manage' }],
  ['person', { security: 'session', demands: PROVED_OWNER }],
  ['signedIn', { security: 'session', demands: MEMBER }],
  ['driver', { security: 'driver' }],
  ['operator', { scope: 'operations' }],
  ['public', { security: 'none' }],
])('%s says what it demands', (name, meta) => {
  expect(PROCEDURES[name]._def.meta).toEqual(meta);
});

describe('an error', () => {
  test('that is a problem has the code of its status', async () => {
    expect(await call('throwsProblem')).toMatchObject({ refused: 'PRECONDITION_FAILED', code: 'PRECONDITION_FAILED' });
  });

  test('that is a bug reveals nothing', async () => {
    expect(await call('throwsBug')).toMatchObject({ refused: 'INTERNAL_ERROR', code: 'INTERNAL_SERVER_ERROR' });
  });

  test.each([
    [new Problem(refuse('ACCESS_DENIED')), 'ACCESS_DENIED'],
    [new RangeError('a bug'), 'INTERNAL_ERROR'],
    [new TRPCError({ code: 'PARSE_ERROR' }), 'MALFORMED_JSON'],
    [new TRPCError({ code: 'BAD_REQUEST' }), 'MALFORMED_JSON'],
    [new TRPCError({ code: 'NOT_FOUND' }), 'ROUTE_NOT_FOUND'],
    [new TRPCError({ code: 'METHOD_NOT_SUPPORTED' }), 'METHOD_NOT_ALLOWED'],
    [new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE' }), 'UNSUPPORTED_MEDIA_TYPE'],
    [new TRPCError({ code: 'PAYLOAD_TOO_LARGE' }), 'PAYLOAD_TOO_LARGE'],
    [new TRPCError({ code: 'TIMEOUT' }), 'INTERNAL_ERROR'],
  ])('%s is refused as %s', (error, code) => {
    expect(refusalOfError(error).code).toBe(code);
  });

  test('is logged with its stack, and other thrown values as text', () => {
    const bug = new RangeError('a bug');
    expect(describeError(bug)).toBe(bug.stack);
    expect(describeError(Object.assign(new Error('without'), { stack: undefined }))).toBe('without');
    expect(describeError('text')).toBe('text');
  });

  test('over tRPC carries its problem, and a bug is logged', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const shape = { message: 'm', code: -32603, data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500 } } as const;
    const { errorFormatter } = routers._def._config;
    const common = { shape, type: 'query', path: 'throwsBug', input: undefined } as const;
    const bug = new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: new RangeError('a bug') });
    const denied = new TRPCError({ code: 'FORBIDDEN', cause: new Problem(refuse('ACCESS_DENIED')) });
    expect(errorFormatter({ ...common, error: denied, ctx: undefined })).toEqual({
      ...shape,
      message: 'ACCESS_DENIED',
      data: { ...shape.data, problem: undefined },
    });
    expect(log).not.toHaveBeenCalled();
    expect(errorFormatter({ ...common, error: bug, ctx: undefined }).message).toBe('INTERNAL_ERROR');
    expect(log).toHaveBeenCalledWith(expect.stringContaining('a bug'));
    log.mockRestore();
  });
});
