import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { TokenCache } from '../../../src/access/authenticate.ts';
import type * as App from '../../../src/app.ts';
import type * as Parts from '../../../src/core/part.ts';
import { noMetrics } from '../../../src/providers/absent.ts';
import { SystemClock, systemRandom } from '../../../src/providers/system.ts';
import type { Services } from '../../../src/service/services.ts';

/** A part of the program that is loaded when it is first needed, and then cannot be loaded. */

const lost = vi.hoisted(() => ({ routes: false, texts: false }));
vi.mock('../../../src/core/part.ts', async (load) => {
  const { part, ...rest } = await load<typeof Parts>();
  const isLost = (file: string) =>
    (lost.routes && file.includes('all-routes')) || (lost.texts && file.includes('problem-body'));
  return {
    ...rest,
    part: (loadPart: () => Promise<unknown>) => {
      const loaded = part(loadPart);
      return () => (isLost(String(loadPart)) ? Promise.reject(new Error('The module is lost')) : loaded());
    },
  };
});

// Other files of this worker may have loaded the application with the parts as they are.
let handle: typeof App.handle;
beforeAll(async () => {
  vi.resetModules();
  ({ handle } = await import('../../../src/app.ts'));
});
afterAll(() => vi.resetModules());

afterEach(() => {
  Object.assign(lost, { routes: false, texts: false });
  vi.restoreAllMocks();
});

async function send(path: string) {
  const services = {
    config: { baseUrl: 'https://mirsal.example', deployment: 'production' },
    clock: new SystemClock(),
    metrics: noMetrics,
    monotonicMs: () => performance.now(),
    shards: new Map(),
    tokenCache: new TokenCache(new SystemClock()),
    random: systemRandom,
  } as unknown as Services;
  vi.spyOn(console, 'log').mockReturnValue();
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  const request = new Request(`https://mirsal.example${path}`);
  const response = await handle(request, services, { address: undefined, later: () => undefined });
  const problem = (await response.json()) as Record<string, unknown>;
  return { status: response.status, code: problem['code'], logged: errors.mock.calls.flat().join() };
}

it('is answered 500 if it has the route, and works when it can be loaded again', async () => {
  lost.routes = true;
  const { logged, ...answer } = await send('/v2/external/unknown');
  expect(answer).toEqual({ status: 500, code: 'INTERNAL_ERROR' });
  expect(logged).toContain('The module is lost');
  lost.routes = false;
  expect((await send('/v2/external/unknown')).status).toBe(404);
});

it('is answered 500 if it has the texts of problems', async () => {
  lost.texts = true;
  expect(await send('/v2/external/shipments')).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
  lost.texts = false;
  expect(await send('/v2/external/shipments')).toMatchObject({ status: 401, code: 'AUTHENTICATION_REQUIRED' });
});
