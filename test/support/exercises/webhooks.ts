import { readDeliveryPage } from '../deliveries.ts';
import { EVENTS } from '../events.ts';
import { DELIVERIES, ENDPOINTS, webhooksOf } from '../webhooks.ts';
import type { Exercise, Stage, Way } from './stage.ts';

/** Nobody listens there, and nothing leaves this machine. */
const URL = 'http://127.0.0.1:9/hook';
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';
const RANGE = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };
const ROTATION = { overlapSeconds: 60 };

/** What a merchant's system does to be told of events. */
export const WEBHOOK_EXERCISES: Readonly<Record<string, Exercise>> = {
  'events.list': {
    async good({ sandbox }) {
      await sandbox.merchant.create();
      return { path: EVENTS, headers: {} };
    },
  },
  'webhookEndpoints.create': {
    async good(stage) {
      await forgetEndpoints(stage);
      return { path: ENDPOINTS, headers: {}, body: JSON.stringify({ url: URL, eventTypes: ['shipment.delivered'] }) };
    },
    own: (stage) => [
      [
        409,
        async () => {
          await forgetEndpoints(stage);
          const body = { url: URL, eventTypes: ['*'], enabled: false };
          for (let index = 0; index < 10; index += 1) await stage.sandbox.merchant.post(ENDPOINTS, body);
          return stage.sandbox.merchant.post(ENDPOINTS, body);
        },
      ],
    ],
  },
  'webhookEndpoints.list': {
    async good(stage) {
      await newEndpoint(stage);
      return { path: ENDPOINTS, headers: {} };
    },
  },
  'webhookEndpoints.get': {
    good: async (stage) => ({ path: await newEndpoint(stage), headers: {} }),
    own: ({ sandbox }) => [[404, () => sandbox.merchant.get(`${ENDPOINTS}/${UNKNOWN}`)]],
  },
  'webhookEndpoints.update': {
    good: async (stage) => ({
      path: await newEndpoint(stage),
      headers: { 'if-match': '*' },
      body: JSON.stringify({ enabled: false }),
    }),
    own: (stage) => [[404, () => sendOther(stage, 'PATCH', { enabled: false })]],
  },
  'webhookEndpoints.delete': {
    good: async (stage) => ({ path: await newEndpoint(stage), headers: { 'if-match': '*' } }),
    own: (stage) => [[404, () => sendOther(stage, 'DELETE')]],
  },
  'webhookEndpoints.rotateSecret': {
    good: (stage) => belowEndpoint(stage, '/secret-rotations', ROTATION),
    own: (stage) => [
      notThere(stage, '/secret-rotations', ROTATION),
      [
        409,
        async () => {
          const path = `${await newEndpoint(stage)}/secret-rotations`;
          await stage.sandbox.merchant.post(path, ROTATION);
          return stage.sandbox.merchant.post(path, ROTATION);
        },
      ],
    ],
  },
  'webhookEndpoints.sendTestEvent': {
    good: (stage) => belowEndpoint(stage, '/test-events', { eventType: 'webhook.test' }),
    own: (stage) => [notThere(stage, '/test-events', { eventType: 'webhook.test' })],
  },
  'webhookEndpoints.replay': {
    good: (stage) => belowEndpoint(stage, '/replays', RANGE),
    own: (stage) => [
      notThere(stage, '/replays', RANGE),
      [409, async () => stage.sandbox.merchant.post(`${await newEndpoint(stage, false)}/replays`, RANGE)],
    ],
  },
  'webhookEndpoints.getReplay': {
    async good(stage) {
      const path = `${await newEndpoint(stage)}/replays`;
      const { replayId } = (await (await stage.sandbox.merchant.post(path, RANGE)).json()) as { replayId: string };
      return { path: `${path}/${replayId}`, headers: {} };
    },
    own: (stage) => [[404, async () => stage.sandbox.merchant.get(`${await newEndpoint(stage)}/replays/${UNKNOWN}`)]],
  },
  'webhookDeliveries.list': {
    async good(stage) {
      await newDelivery(stage);
      return { path: DELIVERIES, headers: {} };
    },
  },
  'webhookDeliveries.get': {
    good: async (stage) => ({ path: (await newDelivery(stage)).path, headers: {} }),
    own: ({ sandbox }) => [[404, () => sandbox.merchant.get(`${DELIVERIES}/${UNKNOWN}`)]],
  },
  'webhookDeliveries.replay': {
    good: async (stage) => ({ path: `${(await newDelivery(stage)).path}/replays`, headers: {} }),
    own: (stage) => [
      [404, () => stage.sandbox.merchant.post(`${DELIVERIES}/${UNKNOWN}/replays`)],
      [
        409,
        async () => {
          const { path } = await newDelivery(stage, false);
          return stage.sandbox.merchant.post(`${path}/replays`);
        },
      ],
    ],
  },
};

/** Makes room: a company has ten endpoints at most. */
async function forgetEndpoints({ environment, sandbox: { company } }: Stage): Promise<void> {
  const forget = "update webhook_endpoints set state = 'DELETED' where company_id = ?";
  await environment.sql(company.shard, forget, [company.companyId]);
}

/** Where a new endpoint of the company is. */
async function newEndpoint(stage: Stage, enabled = true): Promise<string> {
  await forgetEndpoints(stage);
  const { environment, sandbox } = stage;
  const { endpointId } = await (await webhooksOf(environment, sandbox.merchant)).add(URL, { enabled });
  return `${ENDPOINTS}/${endpointId}`;
}

/** Where a delivery is, on its way or skipped. */
async function newDelivery(stage: Stage, enabled = true): Promise<{ readonly path: string }> {
  await newEndpoint(stage, enabled);
  const { merchant } = stage.sandbox;
  const { shipmentId } = await merchant.create();
  const { data } = await readDeliveryPage(await merchant.get(`${DELIVERIES}?shipmentId=${shipmentId}&limit=1`));
  return { path: `${DELIVERIES}/${data[0]?.deliveryId}` };
}

async function belowEndpoint(stage: Stage, path: string, body: object) {
  return { path: `${await newEndpoint(stage)}${path}`, headers: {}, body: JSON.stringify(body) };
}

function notThere({ sandbox }: Stage, path: string, body: object): Way {
  return [404, () => sandbox.merchant.post(`${ENDPOINTS}/${UNKNOWN}${path}`, body)];
}

async function sendOther({ environment, sandbox }: Stage, method: string, body?: object): Promise<Response> {
  const authorization = `Bearer ${await environment.token(sandbox.company)}`;
  const headers = { authorization, 'if-match': '*', 'content-type': 'application/json' };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  return environment.fetch(`${ENDPOINTS}/${UNKNOWN}`, { method, headers, ...content });
}
