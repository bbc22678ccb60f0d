import { afterAll, describe, expect, it } from 'vitest';
import { appRouter } from '../../routers/index.ts';
import { addClient, addCompany } from '../../scripts/shared/companies.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { addOperator, addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import {
  ADMITTED,
  answerTo,
  DENIED,
  type Headers,
  NO_TOKEN,
  type Person,
  refusalOfPerson,
  type Tokened,
  WRONG_TOKEN,
} from '../support/access-answers.ts';
import { ROWS, type Row } from '../support/access-rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const [member, owner] = [await addPerson(environment, company, 'MEMBER'), await addPerson(environment, company)];
const operatorClient = await addClient(environment, { scopes: 'operations shipments:read' });
const COMPANY_SCOPES = 'shipments:read shipments:write webhooks:manage logs:read finance:read operations'.split(' ');
const companyClient = await addClient(environment, {
  companyId: company.companyId,
  scopes: COMPANY_SCOPES.join(' '),
});

interface Caller extends Tokened {
  readonly kind: 'none' | 'garbage' | 'company' | 'operator' | 'driver' | 'person';
  /** A client token with this scope only. */
  readonly scope?: string;
  readonly person?: Person;
}
const CALLERS: Readonly<Record<string, Caller>> = {
  'no token': { kind: 'none' },
  'a malformed token': { kind: 'garbage', token: 'a.b.c' },
  ...(await clients('company', companyClient, COMPANY_SCOPES)),
  ...(await clients('operator', operatorClient, ['operations', 'shipments:read'])),
  'a driver': { kind: 'driver', token: (await (await newSandbox(environment)).signIn()).token },
  ...(await people('member', member)),
  ...(await people('owner', owner)),
  ...(await people('operator', await addOperator(environment))),
};

async function clients(kind: 'company' | 'operator', client: typeof companyClient, scopes: readonly string[]) {
  const named = scopes.map(
    async (scope): Promise<[string, Caller]> => [
      `a client of ${kind === 'company' ? 'a company' : 'an operator'} with ${scope}`,
      { kind, scope, token: await environment.token(client, scope) },
    ],
  );
  return Object.fromEntries(await Promise.all(named));
}

async function people(role: Person['role'], person: { readonly personId: string }) {
  const session = async (factor: Person['factor'], options: Parameters<typeof addSession>[2]) =>
    [
      `a session of role ${role} whose second factor is ${factor}`,
      { kind: 'person', person: { role, factor }, token: await addSession(environment, person, options) },
    ] as const satisfies readonly [string, Caller];
  return Object.fromEntries([
    await session('none', { assurance: 'AAL1' }),
    await session('fresh', { assurance: 'AAL2' }),
    await session('stale', { assurance: 'AAL2', provedSecondsAgo: 601 }),
  ]);
}

/** The status that the table predicts for a caller. */
function expected({ client, session }: Row, face: 'REST' | 'tRPC', { kind, scope, person }: Caller): string {
  if (client === 'anyone' || client === 'recipient') return ADMITTED;
  // The capability belongs to the registration in the path, and tRPC has no path.
  if (client === 'upload') return face === 'REST' ? NO_TOKEN : '404 ROUTE_NOT_FOUND';
  if (kind === 'none') return NO_TOKEN;
  if (kind === 'driver' || client === 'driver') return kind === client ? ADMITTED : WRONG_TOKEN;
  if (kind === 'garbage') return WRONG_TOKEN;
  if (person !== undefined) {
    if (session === '-' || (session.startsWith('tRPC') && face === 'REST')) return WRONG_TOKEN;
    return refusalOfPerson(session, person) ?? ADMITTED;
  }
  if (client === '-') return WRONG_TOKEN;
  if (client === 'any scope') return kind === 'company' ? ADMITTED : DENIED;
  const isOfKind = kind === (client === 'operations' ? 'operator' : 'company');
  return isOfKind && scope === client ? ADMITTED : `${DENIED} insufficient_scope ${client}`;
}

describe('the table', () => {
  it('has one row for every procedure and its REST operation, and no other rows', () => {
    expect(ROWS.map(({ name }) => name).toSorted()).toEqual(Object.keys(appRouter._def.procedures).toSorted());
    const written = ROWS.flatMap(({ name, rest }) =>
      rest === undefined ? [] : [`${name} ${rest.method} ${rest.path}`],
    );
    const served = OPERATIONS.map(
      ({ name, method, path }) => `${name} ${method} ${path.replaceAll(/\{\w+\}/g, '{id}')}`,
    );
    expect(written.toSorted()).toEqual(served.toSorted());
  });
});

describe.each(['REST', 'tRPC'] as const)('over %s', (face) => {
  const rows = ROWS.filter(({ rest }) => face === 'tRPC' || rest !== undefined);
  it.each(rows.map((row) => [row.name, row] as const))(
    '%s admits exactly the callers of its row',
    async (_name, row) => {
      const answers = await Promise.all(
        Object.entries(CALLERS).map(async ([who, caller]) => [who, await answerTo(environment, row, { face, caller })]),
      );
      expect(Object.fromEntries(answers)).toEqual(
        Object.fromEntries(Object.entries(CALLERS).map(([who, caller]) => [who, expected(row, face, caller)])),
      );
    },
  );
});

describe.each(['production', 'sandbox'] as const)('the %s deployment', async (deployment) => {
  const deployed = await startEnvironment('worker', { DEPLOYMENT: deployment });
  afterAll(() => deployed.stop());

  it.each(['REST', 'tRPC'] as const)('has exactly the procedures of its rows over %s', async (face) => {
    const caller: Caller = { kind: 'company', token: await deployed.token(deployed.companies[0]) };
    const rows = ROWS.filter(({ rest, client }) => client !== 'upload' && (face === 'tRPC' || rest !== undefined));
    const answers = await Promise.all(
      rows.map(async (row) => [row.name, (await answerTo(deployed, row, { face, caller })) !== '404 ROUTE_NOT_FOUND']),
    );
    expect(answers).toEqual(rows.map(({ name, where }) => [name, where === 'all' || deployment === 'sandbox']));
  });

  it('opens REST operations to the sessions of tRPC only for its own pages, and never on production', async () => {
    const token = await addSession(deployed, await addPerson(deployed, deployed.companies[0]), { assurance: 'AAL2' });
    const cookie = `__Host-session=${token}`;
    const rows = ROWS.filter(({ rest, session }) => rest !== undefined && session.startsWith('tRPC'));
    const answersTo = (headers: Headers) =>
      Promise.all(rows.map((row) => answerTo(deployed, row, { face: 'REST', caller: {}, headers })));
    const own = { cookie, origin: deployed.baseUrl, 'sec-fetch-site': 'same-origin' };
    const opened = await answersTo(own);
    expect(new Set(opened)).toEqual(new Set([deployment === 'production' ? NO_TOKEN : ADMITTED]));
    for (const fetchSite of ['cross-site', 'same-site', 'none', undefined]) {
      const { 'sec-fetch-site': _own, ...others } = own;
      const headers = { ...others, ...(fetchSite === undefined ? {} : { 'sec-fetch-site': fetchSite }) };
      expect(new Set(await answersTo(headers))).toEqual(new Set([NO_TOKEN]));
    }
    const beside = await answersTo({ ...own, authorization: 'Bearer a.b.c' });
    expect(new Set(beside)).toEqual(new Set([WRONG_TOKEN]));
  });
});
