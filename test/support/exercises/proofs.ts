import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../scripts/shared/connection.ts';
import { forceState } from '../../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../../scripts/shared/merchant.ts';
import { newSandbox } from '../../../scripts/shared/sandbox.ts';
import { newReference } from '../../../scripts/shared/shipments.ts';
import type { ProofRecord } from '../../../src/domain/proof/prepare.ts';
import { PDF, PNG, pngOf } from '../files.ts';
import { addMedia } from '../media.ts';
import type { Exercise, Scene } from './scene.ts';

const PATH = (shipmentId: string) => `${SHIPMENTS}/${shipmentId}/proof`;

/** What drivers prove. */
export const PROOF_EXERCISES: Readonly<Record<string, Exercise>> = {
  'proofs.upload': {
    async good({ environment }) {
      const { shipmentId, token } = await carrying(environment);
      return { path: uploadsOf(shipmentId), headers: PNG_TYPE, body: PNG, authorization: `Bearer ${token}` };
    },
    own: ({ environment, driver }) => {
      const send = async (given: Partial<Upload>) =>
        upload(environment, { ...(await carrying(environment)), body: PNG, type: 'image/png', ...given });
      return [
        [
          200,
          async () => {
            const carried = await carrying(environment);
            await upload(environment, { ...carried, body: PNG, type: 'image/png' });
            return upload(environment, { ...carried, body: PNG, type: 'image/png' });
          },
        ],
        [403, () => send({ shipmentId: randomUUID() })],
        [409, () => send({ shipmentId: driver.shipmentId, token: driver.token })],
        [413, () => send({ body: pngOf(1024 * 1024 + 1) })],
        [415, () => send({ body: PDF, type: 'application/pdf' })],
        [422, () => send({ type: 'image/jpeg' })],
      ];
    },
  },
  'proofs.get': {
    good: async (scene) => ({ path: PATH(await proven(scene)), headers: {} }),
    own: (scene) => [[404, () => ofNew(scene, '')]],
  },
  'proofs.readMedia': {
    async good(scene) {
      const shipmentId = await proven(scene);
      return { path: `${PATH(shipmentId)}/media/${await pictureOf(scene, shipmentId)}`, headers: {} };
    },
    own: (scene) => [[404, () => ofNew(scene, `/media/${randomUUID()}`)]],
  },
  'proofs.print': {
    good: async (scene) => ({ path: `${PATH(await proven(scene))}/document`, headers: {} }),
    own: (scene) => [[404, () => ofNew(scene, '/document')]],
  },
  'proofs.resendPin': {
    async good({ environment, sandbox: { merchant, company } }) {
      const { shipmentId } = await merchant.create({ requirements: ['PROOF_PIN'] });
      await forceState(environment, company, shipmentId, 'PICKED_UP');
      return { path: `${PATH(shipmentId)}/pin-resends`, headers: {}, body: '{}' };
    },
    own: ({ sandbox: { merchant } }) => [
      [409, async () => merchant.post(`${PATH((await merchant.create()).shipmentId)}/pin-resends`, {})],
    ],
  },
};

const PNG_TYPE = { 'content-type': 'image/png' };
const uploadsOf = (shipmentId: string) => `/v2/driver/shipments/${shipmentId}/proof-media?purpose=DELIVERY_PHOTO`;

interface Upload {
  readonly shipmentId: string;
  readonly token: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

function upload(environment: Environment, { shipmentId, token, body, type }: Upload): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  return environment.fetch(uploadsOf(shipmentId), { method: 'POST', headers, body });
}

/** A driver of another company's sandbox who has a parcel. */
async function carrying(environment: Environment) {
  const sandbox = await newSandbox(environment);
  const { token, act } = await sandbox.signIn();
  const { shipmentId } = await sandbox.create();
  await sandbox.untilState(shipmentId, 'OFFERED');
  for (const action of ['ACCEPT', 'PICK_UP']) await act(shipmentId, { action });
  return { shipmentId, token };
}

async function ofNew({ sandbox: { merchant } }: Scene, path: string): Promise<Response> {
  return merchant.get(`${PATH((await merchant.create()).shipmentId)}${path}`);
}

/** A shipment of a company with manual approval, with the record of a delivery that nobody has made. */
async function proven({ environment, sandbox: { merchant, company } }: Scene): Promise<string> {
  const { shipmentId } = await merchant.create();
  const recordedAt = '2026-11-01T09:00:00.000000Z';
  const record: Omit<ProofRecord, 'shipmentId'> & { readonly shipmentId: string } = {
    ...{ shipmentId, kind: 'DELIVERY', evidence: 'NONE', reasonCode: null, required: [], pin: null, pinMessage: null },
    ...{ signedBy: 'Huda', media: [], place: null, arrivedAt: null, arrivalTakenAt: null },
    ...{ waitedSeconds: null, calledAt: null, releasedAt: null, takenAt: null, recordedAt },
  };
  const insert =
    'insert into delivery_proofs (shipment_id, company_id, evidence, sha256, record) values (?, ?, ?, ?, ?)';
  const values = [shipmentId, company.companyId, 'NONE', 'a'.repeat(64), JSON.stringify(record)];
  await environment.sql(company.shard, insert, values);
  return shipmentId;
}

/** A picture of the shipment: the bytes are those of an uploaded one. */
async function pictureOf({ environment, sandbox: { company } }: Scene, shipmentId: string): Promise<string> {
  const { mediaAssetId } = await addMedia(environment, company, newReference(), 0);
  await environment.sql(
    company.shard,
    `insert into proof_media select id, ?, company_id, company_id, 'DELIVERY_PHOTO', 'READY', object_key, sha256, size_bytes, content_type, created_at, due_at
      from media_assets where id = ?`,
    [shipmentId, String(mediaAssetId)],
  );
  return String(mediaAssetId);
}
