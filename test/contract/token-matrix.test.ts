import { describe, expect, it } from 'vitest';
import { addCompany, MERCHANT_SCOPES } from '../../scripts/shared/companies.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { PROCEDURES, type Procedure } from '../support/tenancy/procedures.ts';

/** Whose token opens what: every kind of token against every procedure, over tRPC and on REST where it is there too. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
const member = await addPerson(environment, company, 'MEMBER');
const owner = await addPerson(environment, company);
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

const KINDS = {
  nobody: undefined,
  system: await environment.token(company),
  operator: await environment.token(environment.operator),
  driver: (await (await newSandbox(environment)).signIn()).token,
  member: await addSession(environment, member, { assurance: 'AAL2' }),
  owner: await addSession(environment, owner),
} as const;
type Kind = keyof typeof KINDS;

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly challenge: RegExp | null;
}
const NO_TOKEN: Refusal = { status: 401, code: 'AUTHENTICATION_REQUIRED', challenge: /^Bearer realm="[^"]+"$/ };
const BAD_TOKEN: Refusal = { status: 401, code: 'AUTHENTICATION_REQUIRED', challenge: /error="invalid_token"/ };
const denied = (code = 'ACCESS_DENIED', challenge: RegExp | null = null): Refusal => ({ status: 403, code, challenge });
const tooNarrow = (scope: string) =>
  denied('ACCESS_DENIED', new RegExp(`error="insufficient_scope", scope="${scope}"`));

/** What the procedure's own metadata says of such a caller on REST; nothing when he is let in. */
function refusalOf({ meta }: Procedure, kind: Kind): Refusal | undefined {
  const { security, scope, alsoSession, demands } = meta;
  if (security === 'none') return undefined;
  // Over tRPC there are no bytes; on REST the capability is all that counts.
  if (security === 'upload') return undefined;
  if (kind === 'nobody') return NO_TOKEN;
  if (security === 'driver') return kind === 'driver' ? undefined : BAD_TOKEN;
  if (kind === 'driver') return BAD_TOKEN;
  const isPerson = kind === 'member' || kind === 'owner';
  if (security === 'session') {
    if (!isPerson) return BAD_TOKEN;
    if (demands?.role === 'OWNER' && kind === 'member') return denied();
    return demands?.assurance === 'AAL2' && kind === 'owner' ? denied('ASSURANCE_REQUIRED') : undefined;
  }
  if (isPerson) return alsoSession === true ? undefined : BAD_TOKEN;
  if (scope === 'operations') return kind === 'operator' ? undefined : tooNarrow('operations');
  if (kind === 'system') return undefined;
  return scope === undefined ? denied() : tooNarrow(scope);
}

const REFUSED = PROCEDURES.flatMap((procedure) =>
  (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const refusal = refusalOf(procedure, kind);
    return refusal === undefined ? [] : [[procedure.name, kind, procedure, refusal] as const];
  }),
);
/** Over tRPC a page of the console may do for a person what a system does by its token. */
const isOfSystems = ({ meta }: Procedure) =>
  meta.security === undefined && meta.alsoSession !== true && meta.scope !== 'operations';
const SCOPED = PROCEDURES.filter(({ meta }) => meta.scope !== undefined && meta.scope !== 'operations');

describe('a token', () => {
  it.each(REFUSED)('%s is not opened by that of: %s', async (_name, kind, procedure, refusal) => {
    const isPerson = kind === 'member' || kind === 'owner';
    await expectRefused(procedure, KINDS[kind], refusal, isPerson && isOfSystems(procedure) ? ['REST'] : undefined);
  });

  it.each(PROCEDURES.filter(isOfSystems).map((procedure) => [procedure.name, procedure] as const))(
    '%s is opened over tRPC by that of a person',
    async (_name, procedure) => {
      for (const kind of ['member', 'owner'] as const) {
        const { response, problem } = await overTrpc(procedure, { authorization: `Bearer ${KINDS[kind]}` });
        // He was let in, and then what he asked for was looked at.
        expect([400, 415, 422, 428]).toContain(response.status);
        expect(problem).toMatchObject({ status: response.status });
      }
    },
  );

  it.each(SCOPED.map((procedure) => [procedure.name, procedure] as const))(
    '%s is not opened by every scope but its own',
    async (_name, procedure) => {
      const scope = procedure.meta.scope ?? '';
      const others = MERCHANT_SCOPES.split(' ').filter((other) => other !== scope);
      await expectRefused(procedure, await environment.token(company, others.join(' ')), tooNarrow(scope));
    },
  );

  it('of some kind opens each procedure', () => {
    const closed = PROCEDURES.filter((procedure) =>
      (Object.keys(KINDS) as Kind[]).every((kind) => refusalOf(procedure, kind) !== undefined),
    );
    // Nobody here is an owner who has proved his second factor: what asks for that is opened in its own tests.
    expect(closed.every(({ meta }) => meta.demands?.assurance === 'AAL2')).toBe(true);
  });
});

/** On both faces unless told otherwise, whatever else may be wrong with the request. */
async function expectRefused(
  procedure: Procedure,
  token: string | undefined,
  refusal: Refusal,
  faces: readonly ('REST' | 'tRPC')[] = ['REST', 'tRPC'],
): Promise<void> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answers = [
    faces.includes('tRPC') ? await overTrpc(procedure, headers) : undefined,
    faces.includes('REST') ? await onRest(procedure, headers) : undefined,
  ];
  for (const answer of answers) {
    if (answer === undefined) continue;
    const { response, problem } = answer;
    expect({ status: response.status, problem }).toMatchObject({
      status: refusal.status,
      problem: { code: refusal.code },
    });
    const challenge = response.headers.get('www-authenticate');
    if (refusal.challenge === null) expect(challenge).toBeNull();
    else expect(challenge).toMatch(refusal.challenge);
  }
}

type Headers = Readonly<Record<string, string>>;

async function overTrpc({ name, type }: Procedure, headers: Headers) {
  const input = JSON.stringify({ nonsense: 1 });
  const response =
    type === 'query'
      ? await environment.fetch(`/trpc/${name}?input=${encodeURIComponent(input)}`, { headers })
      : await environment.fetch(`/trpc/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: input,
        });
  const body = (await response.json()) as { error?: { data?: { problem?: unknown } } };
  return { response, problem: body.error?.data?.problem };
}

async function onRest({ name }: Procedure, headers: Headers) {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) return undefined;
  const path = operation.path.replaceAll(/\{\w+\}/g, UNKNOWN);
  const response = await environment.fetch(`${path}?nonsense=1`, { method: operation.method, headers });
  return { response, problem: (await response.json()) as unknown };
}
