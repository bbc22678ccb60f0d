import { afterAll, describe, expect, it } from 'vitest';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import { CREDENTIAL, newOwner, readIssued } from '../support/credentials.ts';
import { timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** Production has no sandbox, and its answers do not reveal that other deployments have one. */

const environment = await startEnvironment('worker', { DEPLOYMENT: 'production' });
afterAll(() => environment.stop());
const owner = await newOwner(environment);
const sandboxed = OPERATIONS.filter(({ path }) => path.startsWith('/v2/external/sandbox'));
const SHIPMENT = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

/** The client's view of a response, without ids and times. Compared paths have equal lengths. */
async function seen(path: string, init: RequestInit, instance: string): Promise<string> {
  const response = await environment.fetch(path, init);
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'content-length');
  return timelessText(JSON.stringify([response.status, headers, (await response.text()).replace(instance, '<path>')]));
}

it('there are sandbox operations to hide', () => {
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

it.each(['sandbox.bootstrap', 'sandbox.reset', 'sandbox.setFault'])(
  '%s is an unknown procedure over tRPC',
  async (name) => {
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
  },
);

it('secrets and tokens are valid in their own deployment only', async () => {
  const response = await owner.send('POST', CREDENTIAL);
  expect(await response.clone().json()).toMatchObject({ deployment: 'production' });
  const issued = await readIssued(response);
  expect(issued.clientSecret).toMatch(/^msk_live_/);
  // A token of another deployment is refused.
  const elsewhere = sharedEnvironment();
  const foreign = await elsewhere.token(elsewhere.companies[0]);
  const answer = await environment.fetch('/v2/external/branches', { headers: { authorization: `Bearer ${foreign}` } });
  expect(answer.status).toBe(401);
});
