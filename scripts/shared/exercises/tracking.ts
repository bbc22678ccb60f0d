import { randomUUID } from 'node:crypto';
import { forceState } from '../force-state.ts';
import { SHIPMENTS } from '../merchant.ts';
import { createLink, follow, linksOf } from '../tracking.ts';
import type { Exercise, Stage, Way } from './stage.ts';

const NOBODY = `shard-1_${'0'.repeat(32)}`;

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
    async good(stage) {
      const { shipmentId } = await newLink(stage);
      return { path: linksOf(shipmentId), headers: {} };
    },
  },
  'trackingLinks.get': {
    good: async (stage) => ({ path: (await newLink(stage)).path, headers: {} }),
    own: (stage) => [[404, async () => stage.sandbox.merchant.get(await pathOfNone(stage))]],
  },
  'trackingLinks.revoke': {
    good: async (stage) => ({ path: (await newLink(stage)).path, headers: { 'if-match': '*' } }),
    own: ({ sandbox, ...stage }) => [
      [
        404,
        async () => sandbox.send('DELETE', await pathOfNone({ sandbox, ...stage }), undefined, { 'if-match': '*' }),
      ],
    ],
  },
  'trackingLinks.follow': {
    good: async (stage) => ({ path: `/v2/public/tracking/${(await newLink(stage)).token}`, headers: {} }),
    own: (stage) => [
      unchanged(async (headers) => follow(stage.environment, (await oneLink(stage)).token, headers)),
      [404, () => follow(stage.environment, NOBODY)],
      [429, () => secondLook(stage)],
      [503, () => follow(stage.failing, NOBODY, newAddress())],
    ],
  },
  'shipments.tracking': {
    async good({ sandbox: { merchant } }) {
      return { path: `${SHIPMENTS}/${(await merchant.create()).shipmentId}/tracking`, headers: {} };
    },
    own: (stage) => [
      unchanged(async (headers) => {
        const { shipmentId } = await oneLink(stage);
        return stage.sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/tracking`, headers);
      }),
    ],
  },
};

async function newLink({ sandbox: { merchant } }: Pick<Stage, 'sandbox'>) {
  const { shipmentId } = await merchant.create();
  const { linkId, token } = await createLink(merchant, shipmentId);
  return { shipmentId, token, path: `${linksOf(shipmentId)}/${linkId}` };
}

const links = new WeakMap<object, ReturnType<typeof newLink>>();

/** The same link each time. */
function oneLink(stage: Stage): ReturnType<typeof newLink> {
  const link = links.get(stage) ?? newLink(stage);
  links.set(stage, link);
  return link;
}

async function pathOfNone({ sandbox: { merchant } }: Pick<Stage, 'sandbox'>): Promise<string> {
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

async function secondLook({ failing }: Stage): Promise<Response> {
  const address = newAddress();
  await follow(failing, NOBODY, address);
  return follow(failing, NOBODY, address);
}

function newAddress() {
  return { 'cf-connecting-ip': `test ${randomUUID()}` };
}
