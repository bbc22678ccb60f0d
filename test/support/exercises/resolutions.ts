import { randomUUID } from 'node:crypto';
import { forceState } from '../../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../../scripts/shared/merchant.ts';
import { newSandbox, SANDBOX } from '../../../scripts/shared/sandbox.ts';
import type { Exercise, Scene } from './scene.ts';

const RETURN = {
  reasonCode: 'CHANGED_MIND',
  items: [{ index: 0, quantity: 1 }],
  pickupWindowStart: '2031-01-31T09:00:00Z',
  pickupWindowEnd: '2031-01-31T15:00:00Z',
};
const returnOrder = () => ({ externalReference: `BACK-${randomUUID()}`, ...RETURN });

/** A shipment of the scene's company that its scenario has brought to this state. */
async function ended({ environment, sandbox }: Scene, scenario: string, state: string): Promise<string> {
  const { shipmentId } = await sandbox.create();
  // Shipments of the scene wait for their approval.
  await forceState(environment, sandbox.company, shipmentId, 'READY_FOR_DISPATCH');
  await environment.sql(sandbox.company.shard, 'update shipments set due_at = created_at where id = ?', [shipmentId]);
  await sandbox.play(shipmentId, scenario);
  await sandbox.untilState(shipmentId, state);
  return `${SHIPMENTS}/${shipmentId}`;
}
const failed = (scene: Scene) => ended(scene, 'RECIPIENT_REFUSED', 'DELIVERY_FAILED');

/** What follows a failed delivery. */
export const RESOLUTION_EXERCISES: Readonly<Record<string, Exercise>> = {
  'resolutions.get': {
    good: async (scene) => ({ path: `${await failed(scene)}/resolution`, headers: {} }),
    own: ({ sandbox }) => [
      [404, async () => sandbox.merchant.get(`${SHIPMENTS}/${(await sandbox.create()).shipmentId}/resolution`)],
    ],
  },
  'resolutions.choose': {
    good: async (scene) => ({
      path: `${await failed(scene)}/resolutions`,
      headers: {},
      body: JSON.stringify({ kind: 'RETURN' }),
    }),
    own: (scene) => [
      [
        200,
        async () => {
          const [path, key] = [`${await failed(scene)}/resolutions`, { 'idempotency-key': randomUUID() }];
          await scene.sandbox.merchant.post(path, { kind: 'RETURN' }, key);
          return scene.sandbox.merchant.post(path, { kind: 'RETURN' }, key);
        },
      ],
      [
        409,
        async () => {
          const { shipmentId } = await scene.sandbox.create();
          return scene.sandbox.merchant.post(`${SHIPMENTS}/${shipmentId}/resolutions`, { kind: 'RETURN' });
        },
      ],
    ],
  },
  'resolutions.recall': {
    async good({ environment }) {
      const sandbox = await newSandbox(environment);
      const { act } = await sandbox.signIn();
      const { shipmentId } = await sandbox.create();
      await sandbox.untilState(shipmentId, 'OFFERED');
      for (const action of ['ACCEPT', 'PICK_UP']) await act(shipmentId, { action });
      return {
        path: `${SHIPMENTS}/${shipmentId}/recalls`,
        headers: { 'if-match': '*' },
        body: JSON.stringify({ reasonCode: 'WRONG_ITEM' }),
        authorization: `Bearer ${await environment.token(sandbox.company)}`,
      };
    },
    own: ({ sandbox }) => [
      [
        409,
        async () => {
          const { shipmentId } = await sandbox.create();
          const path = `${SHIPMENTS}/${shipmentId}/recalls`;
          return sandbox.merchant.post(path, { reasonCode: 'OTHER' }, { 'if-match': '*' });
        },
      ],
    ],
  },
  'resolutions.returnItems': {
    good: async (scene) => ({
      path: `${await ended(scene, 'HAPPY_PATH', 'DELIVERED')}/returns`,
      headers: {},
      body: JSON.stringify(returnOrder()),
    }),
    own: (scene) => [
      [
        200,
        async () => {
          const path = `${await ended(scene, 'HAPPY_PATH', 'DELIVERED')}/returns`;
          const [body, key] = [returnOrder(), { 'idempotency-key': randomUUID() }];
          await scene.sandbox.merchant.post(path, body, key);
          return scene.sandbox.merchant.post(path, body, key);
        },
      ],
      [
        409,
        async () => {
          const { shipmentId } = await scene.sandbox.create();
          return scene.sandbox.merchant.post(`${SHIPMENTS}/${shipmentId}/returns`, returnOrder());
        },
      ],
      [
        503,
        async () => {
          const path = await ended(scene, 'HAPPY_PATH', 'DELIVERED');
          await scene.sandbox.merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count: 1 });
          return scene.sandbox.merchant.post(`${path}/returns`, returnOrder());
        },
      ],
    ],
  },
  'resolutions.relations': {
    good: async (scene) => ({ path: `${await failed(scene)}/relations`, headers: {} }),
  },
};
