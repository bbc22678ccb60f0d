import { decodeJwt } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import openApiDocument from '../../docs/openapi.json' with { type: 'json' };
import { addClient } from '../../scripts/shared/companies.ts';
import { issueToken } from '../../scripts/shared/connection.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import { curlSample } from '../../src/pages/reference/curl.ts';
import { listOperations, type ReferenceOperation } from '../../src/pages/reference/operations.ts';
import { phpSample } from '../../src/pages/reference/php.ts';
import { pythonSample } from '../../src/pages/reference/python.ts';
import { CALLER_VARIABLES, pathVariableOf, sampleRequest } from '../../src/pages/reference/sample-request.ts';
import { clientSetUp, isOfClient, typeScriptSample } from '../../src/pages/reference/typescript.ts';
import { authorizationOf } from '../support/exercises/callers.ts';
import { sampleOf } from '../support/exercises/exercise.ts';
import { newScene, type Sample } from '../support/exercises/scene.ts';
import { missingFor } from '../support/languages.ts';
import {
  newSampleFolder,
  runProgram,
  runShell,
  runTypeScript,
  type SampleResult,
  type Variables,
} from '../support/samples.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** Every code sample of the reference runs unchanged: in a real shell, in Node, in Python, and in PHP where it is installed. */

const environment = sharedEnvironment();
const stage = await newScene(environment);
const folder = newSampleFolder();
afterAll(() => folder.remove());

const ALL = listOperations(openApiDocument).map((operation) => [operation.id ?? '', operation] as const);

describe.each(ALL)('%s', (_id, operation) => {
  const request = sampleRequest(openApiDocument, operation, environment.address);

  it('succeeds with its curl sample', async () => {
    const result = await runShell(curlSample(request), await variablesOf(operation), folder);
    expectSuccess(operation, result);
  });

  it('succeeds with its TypeScript sample', async () => {
    const setUp = isOfClient(request) ? `${clientSetUp(environment.address)}\n` : '';
    const result = await runTypeScript(setUp + typeScriptSample(request), await variablesOf(operation), folder);
    expectSuccess(operation, isOfClient(request) ? { ...result, statuses: documentedBy(operation, result) } : result);
  });

  it('succeeds with its Python sample', async () => {
    const result = await runProgram('python3', ['-c', pythonSample(request)], await variablesOf(operation), folder);
    expectSuccess(operation, withStatus(result));
  });

  it('succeeds with its PHP sample', async ({ skip }) => {
    const missing = missingFor('PHP', 'curl');
    skip(missing !== undefined, missing);
    const result = await runProgram('php', ['-r', phpSample(request)], await variablesOf(operation), folder);
    expectSuccess(operation, withStatus(result));
  });
});

/** The status that a program prints first. */
function withStatus(result: SampleResult): SampleResult {
  return { ...result, statuses: [Number.parseInt(result.output, 10)] };
}

/** The last request has a documented success status, and all earlier ones succeed. */
function expectSuccess(operation: ReferenceOperation, { exitCode, statuses, output, errors }: SampleResult): void {
  const documented = operation.responses.map(({ status }) => Number(status)).filter((status) => status < 300);
  expect({ exitCode, output, errors, status: statuses.at(-1) }).toMatchObject({
    exitCode: 0,
    status: expect.toBeOneOf(documented) as unknown,
  });
}

/** tRPC answers 200 whatever the status of the REST operation. */
function documentedBy({ responses }: ReferenceOperation, { statuses }: SampleResult): readonly number[] {
  const success = responses.map(({ status }) => Number(status)).find((status) => status >= 200 && status < 300);
  return statuses.map((status) => (status === 200 ? (success ?? 0) : status));
}

/** The values that a reader fills in, taken from a valid request of the operation. */
async function variablesOf(operation: ReferenceOperation): Promise<Variables> {
  const { clientId, clientSecret } = stage.sandbox.company;
  const client = { MIRSAL_CLIENT_ID: clientId, MIRSAL_CLIENT_SECRET: clientSecret };
  const procedure = OPERATIONS.find(({ name }) => name === operation.id);
  // Revoked by one sample, so other samples must not use it.
  if (procedure === undefined) {
    return { ...client, MIRSAL_TOKEN: await issueToken(environment, stage.sandbox.company) };
  }
  const sample = await sampleOf(procedure, stage);
  if (operation.id === 'resolutions.returnItems') await freeReference('ORDER-1001-BACK');
  const authorization = sample.authorization ?? (await authorizationOf(procedure, stage))['authorization'] ?? '';
  const { caller } = sampleRequest(openApiDocument, operation, environment.address);
  const proof =
    caller === 'upload' ? sample.headers['registration-upload-capability'] : authorization.slice('Bearer '.length);
  return {
    ...client,
    ...(caller === 'client' ? await clientOf(authorization) : {}),
    ...(caller === 'none' || caller === 'basic' ? {} : { [CALLER_VARIABLES[caller]]: proof ?? '' }),
    ETAG: sample.headers['if-match'] ?? '',
    ...variablesOfBody(sample),
    ...variablesOfPath(operation.path, sample.path),
    ...variablesOfQuery(sample.path),
  };
}

/** Returns have no key that the samples could repeat, so the reference of the sample before is another one by now. */
function freeReference(reference: string): Promise<unknown> {
  const { company } = stage.sandbox;
  const update = 'update shipments set external_reference = id where company_id = ? and external_reference = ?';
  return environment.sql(company.shard, update, [company.companyId, reference]);
}

/** The client of a token: some samples need another company than the shared one. */
async function clientOf(authorization: string): Promise<Variables> {
  const { company } = z.object({ company: z.string() }).parse(decodeJwt(authorization.slice('Bearer '.length)));
  if (company === stage.sandbox.company.companyId) return {};
  const { clientId, clientSecret } = await addClient(environment, { companyId: company });
  return { MIRSAL_CLIENT_ID: clientId, MIRSAL_CLIENT_SECRET: clientSecret };
}

/** `otp` becomes `OTP`. */
function variablesOfBody({ body }: Pick<Sample, 'body'>): Variables {
  const members: unknown = typeof body === 'string' && body.startsWith('{') ? JSON.parse(body) : {};
  const texts = Object.entries(members ?? {}).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts.map(([name, value]) => [name.toUpperCase(), String(value)]));
}

/** The values of the path parameters. */
function variablesOfPath(template: string, path: string): Variables {
  const parts = (text: string) => text.split('/');
  const values = parts(path);
  const holes = parts(template).flatMap((part, index) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? [] : [[pathVariableOf(name), values[index] ?? ''] as const];
  });
  return Object.fromEntries(holes);
}

/** `shipmentIds` becomes `SHIPMENT_IDS`. */
function variablesOfQuery(path: string): Variables {
  const [, query = ''] = path.split('?');
  return Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [pathVariableOf(name), value]));
}
