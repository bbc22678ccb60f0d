import { addPickupLocation } from '../../../scripts/shared/companies.ts';
import { forceState } from '../../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../../scripts/shared/merchant.ts';
import { RIYADH, SANDBOX } from '../../../scripts/shared/sandbox.ts';
import { lockBody, newKey, shipmentBody } from '../../../scripts/shared/shipments.ts';
import { riyadhDay } from '../../../src/core/riyadh.ts';
import type { Exercise, Scene } from './scene.ts';

const ESTIMATES = '/v2/external/shipment-price-estimates';
const LOCKS = '/v2/external/price-locks';
const LOOK_UPS = '/v2/external/national-address-lookups';
const SUGGESTIONS = '/v2/external/address-suggestions';
const VALIDATIONS = '/v2/external/shipment-validations';
const QUESTION = {
  pickup: { latitude: 24.711667, longitude: 46.674167 },
  delivery: { latitude: 24.794722, longitude: 46.626111 },
  destinationCityCode: 'RUH',
};

const AMENDMENT = {
  location: { latitude: 24.78, longitude: 46.66 },
  instructions: 'بجانب المسجد',
  reasonCode: 'OTHER',
};

/** Operations of a merchant's system: shipments, prices, places. */
export const SHIPMENT_EXERCISES: Readonly<Record<string, Exercise>> = {
  'shipments.create': {
    good: async ({ sandbox }) => ({
      path: SHIPMENTS,
      headers: { 'idempotency-key': newKey() },
      body: JSON.stringify(shipmentBody(sandbox.company)),
    }),
    own: ({ sandbox: { merchant, company } }) => [
      [
        200,
        async () => {
          const key = { 'idempotency-key': newKey() };
          const body = shipmentBody(company);
          await merchant.postShipment(body, key);
          return merchant.postShipment(body, key);
        },
      ],
      [
        409,
        async () => {
          const { externalReference } = await merchant.create();
          return merchant.postShipment(shipmentBody(company, { externalReference }));
        },
      ],
    ],
  },
  'shipmentValidations.create': {
    good: async ({ sandbox }) => ({
      path: VALIDATIONS,
      headers: {},
      body: JSON.stringify(shipmentBody(sandbox.company)),
    }),
    own: ({ sandbox: { merchant } }) => [[422, () => merchant.post(VALIDATIONS, [])]],
  },
  'shipments.list': {
    async good({ sandbox }) {
      await sandbox.merchant.create();
      return { path: SHIPMENTS, headers: {} };
    },
  },
  'shipments.get': { good: (scene) => ofNewShipment(scene, '') },
  'shipments.charges': { good: (scene) => ofNewShipment(scene, '/charges') },
  'shipments.previewCancellation': { good: (scene) => ofNewShipment(scene, '/cancellation-preview') },
  'shipments.waybill': { good: (scene) => ofNewShipment(scene, '/waybill') },
  'waybills.print': {
    async good({ sandbox }) {
      const { shipmentId } = await sandbox.merchant.create();
      return { path: `/v2/external/waybills?shipmentIds=${shipmentId}`, headers: {} };
    },
  },
  'shipments.timeline': { good: (scene) => ofNewShipment(scene, '/timeline') },
  'shipments.cancel': {
    good: async (scene) => ({
      ...(await ofNewShipment(scene, '/cancellations')),
      headers: { 'if-match': '*' },
      body: JSON.stringify({ reasonCode: 'DUPLICATE', comment: 'Ordered twice' }),
    }),
    own: ({ environment, sandbox: { merchant, company } }) => [
      [
        409,
        async () => {
          const { shipmentId } = await merchant.create();
          await forceState(environment, company, shipmentId, 'DELIVERED');
          return merchant.cancel(shipmentId);
        },
      ],
    ],
  },
  'nationalAddresses.get': { good: (scene) => ofNewShipment(scene, '/national-address') },
  'nationalAddresses.replace': {
    good: async (scene) => ({
      ...(await ofNewShipment(scene, '/national-address')),
      headers: { 'if-match': '*' },
      body: JSON.stringify({ shortAddress: 'rrrd 2929' }),
    }),
    own: (scene) => [
      [
        409,
        async () => {
          const { environment, sandbox } = scene;
          const { shipmentId } = await sandbox.merchant.create();
          await environment.sql(sandbox.company.shard, "update shipments set recipient_phone = '0000' where id = ?", [
            shipmentId,
          ]);
          const path = `${SHIPMENTS}/${shipmentId}/national-address`;
          return scene.sandbox.send('PUT', path, { shortAddress: 'RRRD2929' }, { 'if-match': '*' });
        },
      ],
    ],
  },
  'shipmentAmendments.preview': {
    good: async (scene) => ({
      ...(await inRiyadh(scene, '/amendment-previews')),
      body: JSON.stringify(AMENDMENT),
    }),
    own: (scene) => [[503, () => withoutRoutes(scene, '/amendment-previews')]],
  },
  'shipmentAmendments.create': {
    good: async (scene) => ({
      ...(await inRiyadh(scene, '/amendments')),
      headers: { 'if-match': '*' },
      body: JSON.stringify(AMENDMENT),
    }),
    own: (scene) => [
      [
        409,
        async () => {
          const { environment, sandbox } = scene;
          const { shipmentId } = await sandbox.merchant.create();
          await forceState(environment, sandbox.company, shipmentId, 'DELIVERED');
          return sandbox.merchant.post(`${SHIPMENTS}/${shipmentId}/amendments`, AMENDMENT, { 'if-match': '*' });
        },
      ],
      [503, () => withoutRoutes(scene, '/amendments')],
    ],
  },
  'codCollections.get': { good: (scene) => ofNewShipment(scene, '/cod') },
  'codCollections.list': {
    good: async () => ({
      path: '/v2/external/cod-collections?from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z',
      headers: {},
    }),
  },
  'statements.get': { good: async () => ({ path: `/v2/external/statements/${monthNow()}`, headers: {} }) },
  'deliveryWindows.get': { good: (scene) => ofNewShipment(scene, '/delivery-windows') },
  'shipmentAmendments.list': { good: (scene) => ofNewShipment(scene, '/amendments') },
  'shipmentMetadata.get': { good: (scene) => ofNewShipment(scene, '/metadata') },
  'shipmentMetadata.replace': {
    good: async (scene) => ({
      ...(await ofNewShipment(scene, '/metadata')),
      headers: { 'if-match': '*' },
      body: JSON.stringify({ metadata: { channel: 'web', 'gift.note': 'مع أطيب التمنيات' } }),
    }),
    own: (scene) => [
      [
        409,
        async () => {
          const { environment, sandbox } = scene;
          const { shipmentId } = await sandbox.merchant.create();
          await environment.sql(sandbox.company.shard, "update shipments set recipient_phone = '0000' where id = ?", [
            shipmentId,
          ]);
          const path = `${SHIPMENTS}/${shipmentId}/metadata`;
          return scene.sandbox.send('PUT', path, { metadata: { channel: 'web' } }, { 'if-match': '*' });
        },
      ],
    ],
  },
  'shipments.retryDispatch': {
    good: async (scene) => ({ ...(await unresolved(scene)), headers: { 'if-match': '*' } }),
    own: (scene) => [
      [
        409,
        async () => {
          const { path } = await ofNewShipment(scene, '/dispatch-retries');
          return scene.sandbox.merchant.post(path, undefined, { 'if-match': '*' });
        },
      ],
      [
        422,
        async () => {
          const headers = { 'if-match': '*', 'idempotency-key': newKey() };
          await scene.sandbox.merchant.post((await unresolved(scene)).path, undefined, headers);
          return scene.sandbox.merchant.post((await unresolved(scene)).path, undefined, headers);
        },
      ],
    ],
  },
  'priceEstimates.create': {
    good: async () => ({ path: ESTIMATES, headers: {}, body: JSON.stringify(QUESTION) }),
    own: ({ sandbox: { merchant } }) => [
      [
        503,
        async () => {
          await merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count: 1 });
          return merchant.post(ESTIMATES, QUESTION);
        },
      ],
    ],
  },
  'priceLocks.create': {
    good: async ({ sandbox }) => ({ path: LOCKS, headers: {}, body: JSON.stringify(lockBody(sandbox.company)) }),
    own: ({ environment, sandbox: { merchant, company } }) => [
      [
        409,
        async () => {
          const pickupLocationCode = `CLOSED-${newKey().slice(0, 8).toUpperCase()}`;
          await addPickupLocation(environment, company, {
            branchCode: company.branchCode,
            pickupLocationCode,
            status: 'INACTIVE',
          });
          return merchant.post(LOCKS, lockBody(company, { pickupLocationCode }));
        },
      ],
      [
        503,
        async () => {
          await merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count: 1 });
          return merchant.post(LOCKS, lockBody(company));
        },
      ],
    ],
  },
  'nationalAddresses.lookUp': {
    good: async () => ({ path: LOOK_UPS, headers: {}, body: JSON.stringify({ shortAddress: 'RRRD2929' }) }),
    own: ({ sandbox: { merchant } }) => [
      [404, () => merchant.post(LOOK_UPS, { shortAddress: 'RRRD2930' })],
      [503, () => whileAddressesAreDown(merchant, () => merchant.post(LOOK_UPS, { shortAddress: 'RRRD2929' }))],
    ],
  },
  'nationalAddresses.suggest': {
    good: async () => ({ path: SUGGESTIONS, headers: {}, body: JSON.stringify({ text: 'Olaya' }) }),
    own: ({ sandbox: { merchant } }) => [
      [503, () => whileAddressesAreDown(merchant, () => merchant.post(SUGGESTIONS, { text: 'Olaya' }))],
    ],
  },
  'events.list': { good: async () => ({ path: '/v2/external/events', headers: {} }) },
  'shipments.dispatch': { good: (scene) => ofNewShipment(scene, '/dispatch') },
  'branches.list': { good: async () => ({ path: '/v2/external/branches', headers: {} }) },
  'cities.list': { good: async () => ({ path: '/v2/external/cities', headers: {} }) },
  'capabilities.list': { good: async () => ({ path: '/v2/external/capabilities', headers: {} }) },
  'pickupLocations.list': { good: async () => ({ path: '/v2/external/pickup-locations', headers: {} }) },
};

async function whileAddressesAreDown<Answer>(
  merchant: Scene['sandbox']['merchant'],
  act: () => Promise<Answer>,
): Promise<Answer> {
  await merchant.post(`${SANDBOX}/faults`, { target: 'ADDRESS', count: 1 });
  return act();
}

async function ofNewShipment({ sandbox }: Scene, path: string) {
  const { shipmentId } = await sandbox.merchant.create();
  return { path: `${SHIPMENTS}/${shipmentId}${path}`, headers: {} };
}

/** A new shipment to the city of the amendment. */
async function inRiyadh({ sandbox }: Scene, path: string) {
  const { shipmentId } = await sandbox.merchant.create({ destination: RIYADH });
  return { path: `${SHIPMENTS}/${shipmentId}${path}`, headers: {} };
}

/** An amendment while the engine of routes is down. */
async function withoutRoutes({ sandbox: { merchant } }: Scene, path: string) {
  const { shipmentId } = await merchant.create({ destination: RIYADH });
  await merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count: 1 });
  return merchant.post(`${SHIPMENTS}/${shipmentId}${path}`, AMENDMENT, { 'if-match': '*' });
}

/** The retry of a shipment that found no driver. */
async function unresolved({ environment, sandbox: { merchant, company } }: Scene) {
  const { shipmentId } = await merchant.create();
  await forceState(environment, company, shipmentId, 'DISPATCH_UNRESOLVED');
  return { path: `${SHIPMENTS}/${shipmentId}/dispatch-retries` };
}

/** The month in which new shipments have their lines. */
function monthNow(): string {
  return riyadhDay(Date.now()).slice(0, '2026-11'.length);
}
