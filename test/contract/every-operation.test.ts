import { afterAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type Operation } from '../../src/http/rest/routes.ts';
import { addCompany } from '../support/companies.ts';
import { startEnvironment } from '../support/environment.ts';
import { exercisesOf, narrowToken, type Stage, sampleOf, send, sendWith } from '../support/exercises.ts';
import { setApprovalPolicy } from '../support/force-state.ts';
import { merchantOf } from '../support/merchant.ts';
import { DOCUMENTED, faultsOf, problemFaultsOf } from '../support/openapi.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { serviceExercisesOf } from '../support/service-exercises.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** What every operation promises, so that a new one cannot forget it. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);
const failing = await startEnvironment('worker', {
  RATE_LIMITS: JSON.stringify({ reads: 1, writes: 1, estimates: 1, tokens: 3 }),
});
for (const shard of Object.values(failing.databases.shards)) await shard.kill();
afterAll(() => failing.stop());
const stage: Stage = { environment, merchant, failing };
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

/** Nobody can bring about a bug on purpose. */
const UNPROVOKED = [500];

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  it('is 401 without a token, its challenge without an error', async () => {
    const response = await sendWith(environment, await sampleOf(operation, stage), {});
    await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+"$/);
  });

  it.each(['Bearer abc', 'Bearer a.b.c', 'Bearer '])('is 401 with a bad token: %s', async (authorization) => {
    const response = await sendWith(environment, await sampleOf(operation, stage), { authorization });
    await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('is 403 with every scope but its own, and says which it is', async () => {
    const authorization = await narrowToken(stage, operation);
    const response = await sendWith(environment, await sampleOf(operation, stage), { authorization });
    await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
    expect(response.headers.get('www-authenticate')).toContain(
      `error="insufficient_scope", scope="${String(operation.meta.scope)}"`,
    );
  });

  it('is 405 for another method, with all that the path allows', async () => {
    const { path } = await sampleOf(operation, stage);
    const methods = OPERATIONS.filter((other) => other.path === operation.path).map((other) => other.method as string);
    const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (candidate) => !methods.includes(candidate),
    )) {
      const response = await environment.fetch(path, { method });
      await expectProblem(response, { status: 405, code: 'METHOD_NOT_ALLOWED' });
      const allow = (response.headers.get('allow') ?? '').split(',').map((word) => word.trim());
      expect(allow.toSorted()).toEqual(allowed);
    }
  });

  it('is 400 for an unknown query parameter', async () => {
    const sample = await sampleOf(operation, stage);
    const response = await send(environment, company, { ...sample, path: `${sample.path}?nonsense=1` });
    await expectProblem(response, {
      status: 400,
      code: 'UNKNOWN_QUERY_PARAMETER',
      violations: ['nonsense UNKNOWN_PROPERTY'],
    });
  });

  const itBelowShipment = operation.path.includes('{shipmentId}') ? it : undefined;
  itBelowShipment?.('tells a foreign shipment from none by no byte', async () => {
    const stranger = await addCompany(environment, company.shard);
    const sample = await sampleOf(operation, stage);
    const missing = { ...sample, path: sample.path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, UNKNOWN) };
    expect(missing.path).not.toBe(sample.path);
    const [foreign, unknown] = [await send(environment, stranger, sample), await send(environment, stranger, missing)];
    const unknownText = await unknown.clone().text();
    await expectProblem(unknown, { status: 403, code: 'ACCESS_DENIED' });
    expect(foreign.status).toBe(403);
    expect(timelessText(await foreign.text())).toBe(timelessText(unknownText));
    // The owner still has its way: nothing was changed by who had no right to.
    expect((await send(environment, company, sample)).status).toBe(200);
  });

  it('is in the document, and its document says nothing that is not so', () => {
    const documented = DOCUMENTED.find(({ name }) => name === operation.name);
    expect(documented).toMatchObject({ method: operation.method, path: operation.path });
  });

  describeStatuses(operation.name, () => exercisesOf(operation, stage));
});

const PROCEDURES = new Set(OPERATIONS.map(({ name }: Operation) => name));
const OTHERS = DOCUMENTED.filter(({ name }) => !PROCEDURES.has(name)).map(({ name }) => name);

describe.each(OTHERS)('%s', (name) => {
  describeStatuses(name, () => serviceExercisesOf(name, stage));
});

/** Every documented status is brought about, and every answer is as documented. */
function describeStatuses(name: string, exercises: () => ReturnType<typeof exercisesOf>): void {
  const documented = DOCUMENTED.find((candidate) => candidate.name === name)?.statuses ?? [];
  it.each(documented.filter((status) => !UNPROVOKED.includes(status)))('answers %i as documented', async (status) => {
    const exercise = exercises().get(status);
    if (exercise === undefined) throw new Error(`${name} documents ${status}, and no test brings it about`);
    const response = await exercise();
    expect({ status: response.status, text: await response.clone().text() }).toMatchObject({ status });
    if (status >= 400 && name !== 'service.ready') expect(problemFaultsOf(await response.clone().json())).toEqual([]);
    expect(await faultsOf(name, response)).toEqual([]);
  });

  it('documents every status that a test brings about', () => {
    expect([...exercises().keys()].filter((status) => !documented.includes(status))).toEqual([]);
  });
}
