import { randomUUID } from 'node:crypto';
import { forceState } from '../../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../../scripts/shared/merchant.ts';
import { createLink, follow, linksOf } from '../../../scripts/shared/tracking.ts';
import type { Exercise, FailingScene, Way } from './scene.ts';

export const NOBODY = `shard-1_${'0'.repeat(32)}`;

/** Tracking links and their pages. */
export const TRACKING_EXERCISES: Readonly<Record<string, Exercise>> = {
  'trackingLinks.create': {
    async good({ sandbox: { merchant } }) {
      const { shipmentId } = await merchant.create();
      return { path: linksOf(shipmentId), headers: {}, body: JSON.stringify({ expiresInSeconds: 600, locale: 'ar' }) };
    },
    own: ({ environment, sandbox: { merchant, company } }) => [
      [
        409,
        async () => {
          const { shipmentId } = await merchant.create();
          await forceState(environment, company, shipmentId, 'DELIVERED');
          return merchant.post(linksOf(shipmentId), {});
        },
      ],
    ],
  },
  'trackingLinks.list': {
    async good(scene) {
      const { shipmentId } = await newLink(scene);
      return { path: linksOf(shipmentId), headers: {} };
    },
  },
  'trackingLinks.get': {
    good: async (scene) => ({ path: (await newLink(scene)).path, headers: {} }),
    own: (scene) => [[404, async () => scene.sandbox.merchant.get(await pathOfNone(scene))]],
  },
  'trackingLinks.getUrl': {
    good: async (scene) => ({ path: `${(await newLink(scene)).path}/url`, headers: {} }),
    own: (scene) => [
      [404, async () => scene.sandbox.merchant.get(`${await pathOfNone(scene)}/url`)],
      [
        409,
        async () => {
          const { path } = await newLink(scene);
          await scene.sandbox.send('DELETE', path, undefined, { 'if-match': '*' });
          return scene.sandbox.merchant.get(`${path}/url`);
        },
      ],
    ],
  },
  'trackingLinks.revoke': {
    good: async (scene) => ({ path: (await newLink(scene)).path, headers: { 'if-match': '*' } }),
    own: ({ sandbox, ...scene }) => [
      [
        404,
        async () => sandbox.send('DELETE', await pathOfNone({ sandbox, ...scene }), undefined, { 'if-match': '*' }),
      ],
    ],
  },
  'trackingLinks.follow': {
    good: async (scene) => ({ path: `/v2/public/tracking/${(await newLink(scene)).token}`, headers: {} }),
    own: (scene) => [
      unchanged(async (headers) => follow(scene.environment, (await oneLink(scene)).token, headers)),
      [404, () => follow(scene.environment, NOBODY)],
      [429, () => secondLook(scene)],
      [503, () => follow(scene.failing, NOBODY, newAddress())],
    ],
  },
  'shipments.tracking': {
    async good({ sandbox: { merchant } }) {
      return { path: `${SHIPMENTS}/${(await merchant.create()).shipmentId}/tracking`, headers: {} };
    },
    own: (scene) => [
      unchanged(async (headers) => {
        const { shipmentId } = await oneLink(scene);
        return scene.sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/tracking`, headers);
      }),
    ],
  },
};

async function newLink({ sandbox: { merchant } }: Pick<FailingScene, 'sandbox'>) {
  const { shipmentId } = await merchant.create();
  const { linkId, token } = await createLink(merchant, shipmentId);
  return { shipmentId, token, path: `${linksOf(shipmentId)}/${linkId}` };
}

const links = new WeakMap<object, ReturnType<typeof newLink>>();

/** The same link each time. */
function oneLink(scene: FailingScene): ReturnType<typeof newLink> {
  const link = links.get(scene) ?? newLink(scene);
  links.set(scene, link);
  return link;
}

async function pathOfNone({ sandbox: { merchant } }: Pick<FailingScene, 'sandbox'>): Promise<string> {
  const { shipmentId } = await merchant.create();
  return `${linksOf(shipmentId)}/${randomUUID()}`;
}

/** Sends the request, and again with the entity tag of the answer. */
function unchanged(ask: (headers: Readonly<Record<string, string>>) => Promise<Response>): Way {
  return [
    304,
    async () => {
      const first = await ask({});
      return ask({ 'if-none-match': first.headers.get('etag') ?? '' });
    },
  ];
}

async function secondLook({ failing }: FailingScene): Promise<Response> {
  const address = newAddress();
  await follow(failing, NOBODY, address);
  return follow(failing, NOBODY, address);
}

/** An address whose requests have not been counted yet. */
export function newAddress() {
  return { 'cf-connecting-ip': `test ${randomUUID()}` };
}
