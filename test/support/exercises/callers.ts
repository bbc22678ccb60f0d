import { randomUUID } from 'node:crypto';
import { addClient, addCompany, MERCHANT_SCOPES } from '../../../scripts/shared/companies.ts';
import type { Environment, OwnEnvironment, TestCompany } from '../../../scripts/shared/connection.ts';
import { addPerson, addSession } from '../../../scripts/shared/people.ts';
import { newSandbox } from '../../../scripts/shared/sandbox.ts';
import { ACTING_AS, actingAsText } from '../../../src/core/acting-as.ts';
import type { RestOperation } from '../../../src/http/rest/routes.ts';
import type { FailingScene, RequestTarget, Sample, Scene } from './scene.ts';

/* The callers of operations: a merchant's system, a merchant's person, a driver, or a client without a token. */

type Headers = Sample['headers'];

/**
 * The kind of caller that an operation accepts. An upload and what a recipient does have a proof of their own in each sample, so any
 * client may send them.
 */
export function callerOf({ meta }: RestOperation): 'client' | 'driver' | 'session' | 'none' {
  if (meta.security === 'upload' || meta.security === 'recipient') return 'none';
  return meta.security ?? 'client';
}

/** Sends a sample as a caller with the right to do so. */
export async function send(scene: Scene, operation: RestOperation, sample: Sample): Promise<Response> {
  const { authorization } = sample;
  const headers = authorization === undefined ? await authorizationOf(operation, scene) : { authorization };
  return sendWith(scene.environment, sample, headers);
}

export function sendWith(
  place: RequestTarget,
  { method, path, headers, body }: Sample,
  more: Headers,
): Promise<Response> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const init = { method, headers: { ...type, ...headers, ...more } };
  return place.fetch(path, body === undefined ? init : { ...init, body });
}

export async function authorizationOf(
  operation: RestOperation,
  { environment, sandbox, driver }: Scene,
): Promise<Headers> {
  const caller = callerOf(operation);
  if (caller === 'none') return {};
  if (caller === 'session') return newSession(environment, sandbox.company);
  return bearer(caller === 'driver' ? driver.token : await environment.token(sandbox.company));
}

/** A caller with the same right in another company. */
export async function strangerOf(operation: RestOperation, { environment, sandbox }: Scene): Promise<Headers> {
  const { shard } = sandbox.company;
  if (callerOf(operation) === 'driver') return bearer((await (await newSandbox(environment, shard)).signIn()).token);
  return bearer(await environment.token(await addCompany(environment, shard)));
}

/** A valid token of the wrong kind. */
export async function tokenOfOtherKind(
  operation: RestOperation,
  { environment, sandbox, driver }: Scene,
): Promise<Headers> {
  return bearer(callerOf(operation) === 'driver' ? await environment.token(sandbox.company) : driver.token);
}

/** A token with all scopes except the operation's. If any scope is enough, a token without a company. */
export async function narrowToken({ environment, sandbox }: Scene, { meta }: RestOperation): Promise<Headers> {
  if (meta.scope === undefined) return bearer(await environment.token(environment.operator));
  const others = MERCHANT_SCOPES.split(' ').filter((scope) => scope !== meta.scope);
  return bearer(await environment.token(sandbox.company, others.join(' ')));
}

/** A caller whose shard is gone, in the failing environment. */
export async function cutOff(operation: RestOperation, { failing }: FailingScene): Promise<Headers> {
  if (callerOf(operation) === 'session') return newSession(failing, await addCompanyOfNoShard(failing));
  return callerOf(operation) === 'driver' ? bearer(`drv_shard-1_${'a'.repeat(43)}`) : clientOfFailing(failing);
}

/** A caller who may call once, in the failing environment. */
export async function limited(operation: RestOperation, { failing, limitedDriver }: FailingScene): Promise<Headers> {
  if (callerOf(operation) === 'session') return newSession(failing, failing.companies[1]);
  return callerOf(operation) === 'driver' ? bearer(limitedDriver.token) : clientOfFailing(failing);
}

async function clientOfFailing(failing: OwnEnvironment): Promise<Headers> {
  const [company] = failing.companies;
  return authorizationOfClient(failing, { ...company, ...(await addClient(failing, company)) });
}

export async function authorizationOfClient(environment: Environment, company: TestCompany): Promise<Headers> {
  return bearer(await environment.token(company));
}

/** A new owner with both factors just proved. Each test has its own, because a request may end the session. */
/** A session in a page that shows somebody else. */
export async function anotherShown(operation: RestOperation, scene: Scene): Promise<Headers> {
  const { environment, sandbox } = scene;
  const own =
    callerOf(operation) === 'driver'
      ? await authorizationOf(operation, scene)
      : await newSession(environment, sandbox.company);
  return { ...own, [ACTING_AS]: actingAsText({ id: randomUUID(), companyId: null }) };
}

async function newSession(environment: Environment, company: { readonly companyId: string }): Promise<Headers> {
  return bearer(await addSession(environment, await addPerson(environment, company), { assurance: 'AAL2' }));
}

/** A company in a shard that the service does not know. */
async function addCompanyOfNoShard(environment: Environment): Promise<{ readonly companyId: string }> {
  const companyId = randomUUID();
  await environment.sql(
    'directory',
    "insert into companies (id, name, shard, created_at) values (?, 'X', 'shard-9', 1)",
    [companyId],
  );
  return { companyId };
}

function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}
