import { addCompany } from '../../../scripts/shared/companies.ts';
import type { Environment, TestCompany } from '../../../scripts/shared/connection.ts';
import { merchantOf } from '../../../scripts/shared/merchant.ts';
import { newKey, shipmentBody } from '../../../scripts/shared/shipments.ts';
import { until } from '../../../scripts/shared/until.ts';
import type { Exercise, Sample, Scene } from './scene.ts';

const BATCHES = '/v2/external/shipment-batches';

/** Batches. Each request has a company of its own, because a company has at most two running ones. */
export const BATCH_EXERCISES: Readonly<Record<string, Exercise>> = {
  'shipmentBatches.create': {
    async good({ environment }) {
      const { company, authorization } = await sender(environment);
      return { path: BATCHES, headers: {}, body: batchOf(company), authorization };
    },
    own: ({ environment, sandbox: { merchant } }) => [
      [413, () => merchant.post(BATCHES, ' '.repeat(5_000_000))],
      [409, () => startThird(environment)],
    ],
  },
  'shipmentBatches.get': {
    good: (scene) => ofEndedBatch(scene, ''),
    own: ({ sandbox: { merchant } }) => [[404, () => merchant.get(`${BATCHES}/${newKey()}`)]],
  },
  'shipmentBatches.listItems': {
    good: (scene) => ofEndedBatch(scene, '/items'),
    own: ({ sandbox: { merchant } }) => [[404, () => merchant.get(`${BATCHES}/${newKey()}/items`)]],
  },
};

async function sender(environment: Environment) {
  const company = await addCompany(environment);
  return { company, authorization: `Bearer ${await environment.token(company)}` };
}

function batchOf(company: TestCompany): string {
  const items = [1, 2].map(() => ({ key: newKey(), shipment: shipmentBody(company) }));
  return JSON.stringify({ mode: 'VALIDATE', onInvalid: 'SKIP', items });
}

async function ofEndedBatch({ environment }: Scene, path: string): Promise<Omit<Sample, 'method'>> {
  const { company, authorization } = await sender(environment);
  const merchant = await merchantOf(environment, company);
  const { batchId } = (await (await merchant.post(BATCHES, batchOf(company))).json()) as { batchId: string };
  await until(`${batchId} ends`, async () => {
    const { state } = (await (await merchant.get(`${BATCHES}/${batchId}`)).json()) as { state: string };
    return state === 'RUNNING' ? undefined : true;
  });
  return { path: `${BATCHES}/${batchId}${path}`, headers: {}, authorization };
}

/** Starts a batch while two others seem to be running. */
async function startThird(environment: Environment): Promise<Response> {
  const { company } = await sender(environment);
  for (const id of [newKey(), newKey()]) {
    await environment.sql(
      company.shard,
      `insert into shipment_batches (id, company_id, client_id, mode, on_invalid, state, total, correlation_id, request_id, created_at)
       values (?, ?, 'mcl_x', 'CREATE', 'SKIP', 'RUNNING', 1, ?, ?, ?)`,
      [id, company.companyId, id, id, Date.now() * 1000],
    );
  }
  return (await merchantOf(environment, company)).post(BATCHES, batchOf(company));
}
