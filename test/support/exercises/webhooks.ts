import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Environment } from '../../../scripts/shared/connection.ts';
import { setApprovalPolicy } from '../../../scripts/shared/force-state.ts';
import type { Merchant } from '../../../scripts/shared/merchant.ts';
import { newKey } from '../../../scripts/shared/shipments.ts';
import { until } from '../../../scripts/shared/until.ts';
import { DELIVERIES, ENDPOINTS, type NewEndpointBody, webhooksOf } from '../../../scripts/shared/webhooks.ts';
import { type Exercise, type FailingScene, newMerchant, type Way } from './scene.ts';

/** No program listens on this port, and no request leaves this machine. */
const URL = 'http://127.0.0.1:9/hook';
const ENDPOINTS_MAX = 10;
const started = z.looseObject({ replayId: z.string() });
const attempted = z.looseObject({ attempts: z.array(z.unknown()).min(1) });
const skipped = z.looseObject({ status: z.enum(['SKIPPED', 'EXHAUSTED']) });
const deliveries = z.object({ data: z.array(z.looseObject({ deliveryId: z.string() })).min(1) });

/** Each request uses a new company, because a company may have ten endpoints only. */
interface Subscriber {
  readonly environment: Environment;
  readonly merchant: Merchant;
  readonly endpoint: NewEndpointBody;
  readonly path: string;
  readonly authorization: string;
}

/** Endpoints, deliveries and replays. */
export const WEBHOOK_EXERCISES: Readonly<Record<string, Exercise>> = {
  'webhookEndpoints.create': {
    async good({ environment }) {
      const { authorization } = await subscriber(environment);
      return { path: ENDPOINTS, headers: {}, body: JSON.stringify({ url: URL, eventTypes: ['*'] }), authorization };
    },
    own: ({ environment }) => [
      [
        409,
        async () => {
          const { merchant } = await subscriber(environment);
          for (let made = 1; made < ENDPOINTS_MAX; made += 1) {
            await (await webhooksOf(environment, merchant)).add(URL);
          }
          return merchant.post(ENDPOINTS, { url: URL, eventTypes: ['*'] });
        },
      ],
    ],
  },
  'webhookEndpoints.list': {
    good: async ({ environment }) => {
      const { authorization } = await subscriber(environment);
      return { path: ENDPOINTS, headers: {}, authorization };
    },
  },
  'webhookEndpoints.get': {
    good: async ({ environment }) => {
      const { path, authorization } = await subscriber(environment);
      return { path, headers: {}, authorization };
    },
    own: (scene) => [noneAt(scene, (merchant) => merchant.get(`${ENDPOINTS}/${randomUUID()}`))],
  },
  'webhookEndpoints.update': {
    good: async ({ environment }) => {
      const { path, authorization } = await subscriber(environment);
      return { path, headers: { 'if-match': '*' }, body: JSON.stringify({ enabled: true }), authorization };
    },
    own: ({ environment }) => [
      [
        404,
        async () => {
          const { merchant } = await subscriber(environment);
          return (await webhooksOf(environment, merchant)).patch(randomUUID(), { enabled: true });
        },
      ],
    ],
  },
  'webhookEndpoints.delete': {
    good: async ({ environment }) => {
      const { path, authorization } = await subscriber(environment);
      return { path, headers: { 'if-match': '*' }, authorization };
    },
    own: ({ environment }) => [
      [
        404,
        async () => {
          const { merchant } = await subscriber(environment);
          return (await webhooksOf(environment, merchant)).delete(randomUUID());
        },
      ],
    ],
  },
  'webhookEndpoints.rotateSecret': below('secret-rotations', { overlapSeconds: 60 }, (scene) => [
    [
      409,
      async () => {
        const { merchant, path } = await subscriber(scene.environment);
        await merchant.post(`${path}/secret-rotations`, { overlapSeconds: 60 });
        return merchant.post(`${path}/secret-rotations`, { overlapSeconds: 60 });
      },
    ],
  ]),
  'webhookEndpoints.sendTestEvent': below('test-events', { eventType: 'webhook.test' }),
  'webhookEndpoints.replay': below('replays', rangeOf(), (scene) => [
    [
      409,
      async () => {
        const { merchant, path } = await subscriber(scene.environment, false);
        return merchant.post(`${path}/replays`, rangeOf());
      },
    ],
  ]),
  'webhookEndpoints.getReplay': {
    async good({ environment }) {
      const { merchant, path, authorization } = await subscriber(environment);
      const { replayId } = started.parse(await (await merchant.post(`${path}/replays`, rangeOf())).json());
      return { path: `${path}/replays/${replayId}`, headers: {}, authorization };
    },
    own: ({ environment }) => [
      [
        404,
        async () => {
          const { merchant, path } = await subscriber(environment);
          return merchant.get(`${path}/replays/${randomUUID()}`);
        },
      ],
    ],
  },
  'webhookDeliveries.list': { good: async () => ({ path: DELIVERIES, headers: {} }) },
  'webhookDeliveries.get': {
    async good({ environment }) {
      const one = await subscriber(environment, false);
      return { path: await skippedBy(one), headers: {}, authorization: one.authorization };
    },
    own: (scene) => [noneAt(scene, (merchant) => merchant.get(`${DELIVERIES}/${randomUUID()}`))],
  },
  'webhookDeliveries.getAttempt': {
    async good({ environment }) {
      const one = await subscriber(environment);
      return { path: `${await attemptedBy(one)}/attempts/1`, headers: {}, authorization: one.authorization };
    },
    own: (scene) => [noneAt(scene, (merchant) => merchant.get(`${DELIVERIES}/${randomUUID()}/attempts/1`))],
  },
  'webhookDeliveries.replay': {
    async good({ environment }) {
      const one = await subscriber(environment, false);
      const path = await skippedBy(one);
      await (await webhooksOf(environment, one.merchant)).patch(one.endpoint.endpointId, { enabled: true });
      return { path: `${path}/replays`, headers: {}, authorization: one.authorization };
    },
    own: (scene) => [
      noneAt(scene, (merchant) => merchant.post(`${DELIVERIES}/${randomUUID()}/replays`)),
      [
        409,
        async () => {
          const one = await subscriber(scene.environment, false);
          return one.merchant.post(`${await skippedBy(one)}/replays`);
        },
      ],
      [
        422,
        async () => {
          const one = await subscriber(scene.environment, false);
          const paths = [await skippedBy(one), await skippedBy(one)];
          await (await webhooksOf(scene.environment, one.merchant)).patch(one.endpoint.endpointId, { enabled: true });
          const key = { 'idempotency-key': newKey() };
          const answers = [];
          for (const path of paths) answers.push(await one.merchant.post(`${path}/replays`, undefined, key));
          const [, second] = answers;
          if (second === undefined) throw new Error('The endpoint has no second delivery');
          return second;
        },
      ],
    ],
  },
};

/** A request below an endpoint. It is 404 if the endpoint does not exist. */
function below(name: string, body: object, more: (scene: FailingScene) => readonly Way[] = () => []): Exercise {
  return {
    async good({ environment }) {
      const { path, authorization } = await subscriber(environment);
      return { path: `${path}/${name}`, headers: {}, body: JSON.stringify(body), authorization };
    },
    own: (scene) => [
      noneAt(scene, (merchant) => merchant.post(`${ENDPOINTS}/${randomUUID()}/${name}`, body)),
      ...more(scene),
    ],
  };
}

function noneAt({ environment }: FailingScene, ask: (merchant: Merchant) => Promise<Response>): Way {
  return [404, async () => ask(await newMerchant(environment))];
}

async function subscriber(environment: Environment, enabled = true): Promise<Subscriber> {
  const merchant = await newMerchant(environment);
  // The creation is its only event, because approval is manual.
  await setApprovalPolicy(environment, merchant.company, 'MANUAL');
  const endpoint = await (await webhooksOf(environment, merchant)).add(URL, { enabled });
  const authorization = `Bearer ${await environment.token(merchant.company)}`;
  return { environment, merchant, endpoint, path: `${ENDPOINTS}/${endpoint.endpointId}`, authorization };
}

/** The path of a delivery that was attempted. Its endpoint is disabled after that, so that no second attempt follows. */
async function attemptedBy(one: Subscriber): Promise<string> {
  const path = await skippedBy(one);
  const read = async () => (await one.merchant.get(path)).json();
  await until('a delivery was attempted', async () => attempted.safeParse(await read()).success || undefined);
  await (await webhooksOf(one.environment, one.merchant)).patch(one.endpoint.endpointId, { enabled: false });
  await until('the delivery waits no longer', async () => skipped.safeParse(await read()).success || undefined);
  return path;
}

/** The path of a delivery, which is skipped if the endpoint is disabled. */
async function skippedBy({ merchant }: Subscriber): Promise<string> {
  await merchant.create();
  const { data } = deliveries.parse(await (await merchant.get(DELIVERIES)).json());
  return `${DELIVERIES}/${data[0]?.deliveryId}`;
}

function rangeOf() {
  const now = Date.now();
  return { from: new Date(now - 3_600_000).toISOString(), to: new Date(now).toISOString() };
}
