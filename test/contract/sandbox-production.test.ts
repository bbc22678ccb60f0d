import { afterAll, describe, expect, it } from 'vitest';
import { CREDENTIAL, newOwner, readIssued } from '../../scripts/shared/credentials.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import { timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** On production there is no sandbox, and nothing tells that there is one elsewhere. */

const environment = await startEnvironment('worker', { DEPLOYMENT: 'production' });
afterAll(() => environment.stop());
const owner = await newOwner(environment);
const sandboxed = OPERATIONS.filter(({ path }) => path.startsWith('/v2/external/sandbox'));
const SHIPMENT = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

/** All that a client sees of a response, without ids and times; paths are as long as each other. */
async function seen(path: string, init: RequestInit, instance: string): Promise<string> {
  const response = await environment.fetch(path, init);
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'content-length');
  return timelessText(JSON.stringify([response.status, headers, (await response.text()).replace(instance, '<path>')]));
}

it('has sandbox operations to hide', () => {
  expect(sandboxed.length).toBeGreaterThan(9);
});

describe.each(sandboxed.map(({ method, path }) => [method, path.replace(/\{\w+\}/, SHIPMENT)] as const))(
  '%s %s',
  (method, path) => {
    it.each(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', method])('is an unknown path to %s', async (tried) => {
      const nowhere = `/v2/external/nowhere/${path.split('/').slice(4).join('/')}`;
      const company = await environment.token(environment.companies[0]);
      for (const headers of [{}, { authorization: `Bearer ${owner.token}` }, { authorization: `Bearer ${company}` }]) {
        const [hidden, unknown] = [
          await seen(path, { method: tried, headers }, path),
          await seen(nowhere, { method: tried, headers }, nowhere),
        ];
        expect(hidden).toBe(unknown);
        expect(hidden).toContain('ROUTE_NOT_FOUND');
      }
    });
  },
);

it.each(['sandbox.bootstrap', 'sandbox.reset', 'sandbox.setFault'])('nor is there %s over tRPC', async (name) => {
  const ask = (procedure: string) =>
    seen(
      `/trpc/${procedure}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        body: '{}',
      },
      `/trpc/${procedure}`,
    );
  expect(await ask(name)).toContain('ROUTE_NOT_FOUND');
});

it('gives secrets that say where they are good', async () => {
  const response = await owner.send('POST', CREDENTIAL);
  expect(await response.clone().json()).toMatchObject({ deployment: 'production' });
  const issued = await readIssued(response);
  expect(issued.clientSecret).toMatch(/^msk_live_/);
  // A token of another deployment is none here, nor one of here there.
  const elsewhere = sharedEnvironment();
  const foreign = await elsewhere.token(elsewhere.companies[0]);
  const answer = await environment.fetch('/v2/external/branches', { headers: { authorization: `Bearer ${foreign}` } });
  expect(answer.status).toBe(401);
});
