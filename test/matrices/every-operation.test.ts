import { afterAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type RestOperation } from '../../src/http/rest/routes.ts';
import { send } from '../support/exercises/callers.ts';
import { exercisesOf, sampleOf, withQuery } from '../support/exercises/exercise.ts';
import { newFailingScene } from '../support/exercises/scene.ts';
import { serviceExercisesOf } from '../support/exercises/service.ts';
import { DOCUMENTED, faultsOf, problemFaultsOf } from '../support/openapi.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** The rules that every operation must follow. New operations are tested here automatically. */

const environment = sharedEnvironment();
const stage = await newFailingScene(environment);
afterAll(() => stage.stop());

/**
 * A request that causes 500 would be a bug, so no exercise causes it. A body that is too slow takes ten seconds and a raw
 * connection: test/prove/wire.test.ts sends one to each kind of reader.
 */
const UNPROVOKED = [408, 500];

type Named = readonly [name: string, operation: RestOperation];
const ALL: readonly Named[] = OPERATIONS.map((operation) => [operation.name, operation]);

describe.each(ALL)('%s', (_name, operation) => {
  it('answers 405 to another method and names all methods of the path', async () => {
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

  it('answers 400 to an unknown query parameter', async () => {
    const sample = await sampleOf(operation, stage);
    const response = await send(stage, operation, withQuery(sample, 'nonsense=1'));
    await expectProblem(response, {
      status: 400,
      code: 'UNKNOWN_QUERY_PARAMETER',
      violations: ['nonsense UNKNOWN_PROPERTY'],
    });
  });

  it('has its method and path in the OpenAPI document', () => {
    const documented = DOCUMENTED.find(({ name }) => name === operation.name);
    expect(documented).toMatchObject({ method: operation.method, path: operation.path });
  });

  describeStatuses(operation.name, () => exercisesOf(operation, stage));
});

const PROCEDURES = new Set(OPERATIONS.map(({ name }: RestOperation) => name));
const OTHERS = DOCUMENTED.filter(({ name }) => !PROCEDURES.has(name)).map(({ name }) => name);

describe.each(OTHERS)('%s', (name) => {
  describeStatuses(name, () => serviceExercisesOf(name, stage));
});

/** Causes every documented status and compares every answer with the document. */
function describeStatuses(name: string, exercises: () => ReturnType<typeof exercisesOf>): void {
  const documented = DOCUMENTED.find((candidate) => candidate.name === name)?.statuses ?? [];
  it.each(documented.filter((status) => !UNPROVOKED.includes(status)))('answers %i as documented', async (status) => {
    const exercise = exercises().get(status);
    if (exercise === undefined) throw new Error(`${name} documents ${status}, but no exercise causes it`);
    const response = await exercise();
    expect({ status: response.status, text: await response.clone().text() }).toMatchObject({ status });
    if (status >= 400 && name !== 'service.ready') expect(problemFaultsOf(await response.clone().json())).toEqual([]);
    expect(await faultsOf(name, response)).toEqual([]);
  });

  it('documents every status that an exercise causes', () => {
    expect([...exercises().keys()].filter((status) => !documented.includes(status))).toEqual([]);
  });
}
