import { afterAll, describe, expect, it } from 'vitest';
import { MERCHANT_SCOPES } from '../../scripts/shared/companies.ts';
import {
  authorizationOf,
  callerOf,
  narrowToken,
  send,
  sendWith,
  strangerOf,
  tokenOfOtherKind,
} from '../../scripts/shared/exercises/callers.ts';
import { exercisesOf, sampleOf, withQuery } from '../../scripts/shared/exercises/exercise.ts';
import { newStage } from '../../scripts/shared/exercises/stage.ts';
import { DOCUMENTED, faultsOf, problemFaultsOf } from '../../scripts/shared/openapi.ts';
import { OPERATIONS, type Operation } from '../../src/http/rest/routes.ts';
import { serviceExercisesOf } from '../support/exercises/service.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** What every operation promises, so that a new one cannot forget it. */

const environment = sharedEnvironment();
const stage = await newStage(environment);
afterAll(() => stage.stop());
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

/** Nobody can bring about a bug on purpose. */
const UNPROVOKED = [500];

type Named = readonly [name: string, operation: Operation];
const ALL: readonly Named[] = OPERATIONS.map((operation) => [operation.name, operation]);
const only = (isOne: (operation: Operation) => boolean) => ALL.filter(([, operation]) => isOne(operation));

describe.each(ALL)('%s', (_name, operation) => {
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
    const response = await send(stage, operation, withQuery(sample, 'nonsense=1'));
    await expectProblem(response, {
      status: 400,
      code: 'UNKNOWN_QUERY_PARAMETER',
      violations: ['nonsense UNKNOWN_PROPERTY'],
    });
  });

  it('is on production what it says: there, or like any unknown path, whatever the method', async () => {
    const sample = await sampleOf(operation, stage);
    const isThere = operation.meta.deployments?.includes('production') ?? true;
    const answers = await Promise.all([
      sendWith(stage.production, sample, await authorizationOf(operation, stage)),
      stage.production.fetch(sample.path, { method: 'PATCH' }),
    ]);
    expect(answers.map(({ status }) => status === 404)).toEqual([!isThere, !isThere]);
  });

  it('is in the document, and its document says nothing that is not so', () => {
    const documented = DOCUMENTED.find(({ name }) => name === operation.name);
    expect(documented).toMatchObject({ method: operation.method, path: operation.path });
  });

  describeStatuses(operation.name, () => exercisesOf(operation, stage));
});

describe.each(only((operation) => callerOf(operation) !== 'none'))('%s, which needs a token,', (_name, operation) => {
  it('is 401 without one, its challenge without an error', async () => {
    const response = await sendWith(environment, await sampleOf(operation, stage), {});
    await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+"$/);
  });

  it.each(['Bearer abc', 'Bearer a.b.c', 'Bearer '])('is 401 with a bad one: %s', async (authorization) => {
    await expectInvalidToken(operation, { authorization });
  });

  it('is 401 with a good one of another kind of caller', async () => {
    await expectInvalidToken(operation, await tokenOfOtherKind(operation, stage));
  });
});

describe.each(only((operation) => callerOf(operation) === 'none'))('%s, which is public,', (_name, operation) => {
  it.each([{}, { authorization: 'Bearer abc' }])('answers whoever asks: %j', async (authorization) => {
    const response = await sendWith(environment, await sampleOf(operation, stage), authorization);
    expect(response.status).toBe(operation.meta.successStatuses?.[0] ?? 200);
  });
});

describe.each(only(({ meta }) => meta.scope !== undefined))('%s, which needs a scope,', (_name, operation) => {
  it('is 403 with every other, and says which it is', async () => {
    const response = await sendWith(environment, await sampleOf(operation, stage), await narrowToken(stage, operation));
    await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
    expect(response.headers.get('www-authenticate')).toContain(
      `error="insufficient_scope", scope="${String(operation.meta.scope)}"`,
    );
  });
});

describe.each(only((operation) => callerOf(operation) === 'client' && operation.meta.scope === undefined))(
  '%s, which needs no scope,',
  (_name, operation) => {
    it.each(MERCHANT_SCOPES.split(' '))('takes a token of %s', async (scope) => {
      const authorization = `Bearer ${await environment.token(stage.sandbox.company, scope)}`;
      const response = await sendWith(environment, await sampleOf(operation, stage), { authorization });
      expect(response.status).toBe(200);
    });

    it('is 403 for who acts for no company', async () => {
      const response = await sendWith(
        environment,
        await sampleOf(operation, stage),
        await narrowToken(stage, operation),
      );
      await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
    });
  },
);

describe.each(only(({ path }) => path.includes('{shipmentId}')))('%s, below a shipment,', (_name, operation) => {
  it('tells a foreign one from none by no byte', async () => {
    const stranger = await strangerOf(operation, stage);
    const sample = await sampleOf(operation, stage);
    const missing = { ...sample, path: sample.path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, UNKNOWN) };
    expect(missing.path).not.toBe(sample.path);
    const foreign = await sendWith(environment, sample, stranger);
    const unknown = await sendWith(environment, missing, stranger);
    const unknownText = await unknown.clone().text();
    await expectProblem(unknown, { status: 403, code: 'ACCESS_DENIED' });
    expect(foreign.status).toBe(403);
    expect(timelessText(await foreign.text())).toBe(timelessText(unknownText));
    // The owner still has its way: nothing was changed by who had no right to.
    expect((await send(stage, operation, sample)).status).toBe(operation.meta.successStatuses?.[0] ?? 200);
  });
});

const PROCEDURES = new Set(OPERATIONS.map(({ name }: Operation) => name));
const OTHERS = DOCUMENTED.filter(({ name }) => !PROCEDURES.has(name)).map(({ name }) => name);

describe.each(OTHERS)('%s', (name) => {
  describeStatuses(name, () => serviceExercisesOf(name, stage));
});

async function expectInvalidToken(operation: Operation, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await sendWith(environment, await sampleOf(operation, stage), headers);
  await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
}

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
