import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { TestCompany } from '../../scripts/shared/connection.ts';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { readShipment } from '../../scripts/shared/shipments.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment, 'shard-1');
await setApprovalPolicy(environment, company, 'MANUAL');
const owner = await merchantOf(environment, company);
const strangers: readonly (readonly [string, TestCompany])[] = [
  ['of the same shard', await addCompany(environment, 'shard-1')],
  ['of another shard', await addCompany(environment, 'shard-2')],
];
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

/** Every request below the path of a shipment. */
const REQUESTS: readonly (readonly [string, (merchant: Merchant, path: string) => Promise<Response>])[] = [
  ['GET', (merchant, path) => merchant.get(path)],
  ['GET timeline', (merchant, path) => merchant.get(`${path}/timeline`)],
  ['GET timeline with a limit', (merchant, path) => merchant.get(`${path}/timeline?limit=1`)],
  [
    'POST cancellation',
    (merchant, path) => merchant.post(`${path}/cancellations`, { reasonCode: 'OTHER' }, { 'if-match': '*' }),
  ],
  [
    'POST cancellation with a tag',
    (merchant, path) => merchant.post(`${path}/cancellations`, { reasonCode: 'OTHER' }, { 'if-match': '"9"' }),
  ],
  [
    'POST cancellation with a bad body',
    (merchant, path) => merchant.post(`${path}/cancellations`, {}, { 'if-match': '*' }),
  ],
  [
    'POST cancellation without a tag',
    (merchant, path) => merchant.post(`${path}/cancellations`, { reasonCode: 'OTHER' }),
  ],
  ['POST retry', (merchant, path) => merchant.post(`${path}/dispatch-retries`, undefined, { 'if-match': '*' })],
  [
    'POST retry with a tag',
    (merchant, path) => merchant.post(`${path}/dispatch-retries`, undefined, { 'if-match': '"9"' }),
  ],
];

describe.each(strangers)("to a stranger's company %s", (_where, stranger) => {
  it.each(REQUESTS)('a foreign shipment is answered exactly like an unknown one: %s', async (_name, send) => {
    const merchant = await merchantOf(environment, stranger);
    const { shipmentId } = await owner.create();
    const [foreign, unknown] = [
      await send(merchant, `${SHIPMENTS}/${shipmentId}`),
      await send(merchant, `${SHIPMENTS}/${UNKNOWN}`),
    ];
    expect(headersOf(foreign)).toEqual(headersOf(unknown));
    expect(timelessText(await foreign.text())).toBe(timelessText(await unknown.text()));
    const after = await readShipment(await owner.get(`${SHIPMENTS}/${shipmentId}`));
    expect(after).toMatchObject({ state: 'PENDING_APPROVAL', version: 0 });
  });

  it('foreign and unknown shipments are 403 ACCESS_DENIED without a challenge', async () => {
    const merchant = await merchantOf(environment, stranger);
    const { shipmentId } = await owner.create();
    for (const id of [shipmentId, UNKNOWN]) {
      const response = await merchant.get(`${SHIPMENTS}/${id}`);
      await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
      expect(response.headers.has('www-authenticate')).toBe(false);
    }
  });

  it('a foreign shipment is 403 even right after its owner used it', async () => {
    const merchant = await merchantOf(environment, stranger);
    const { shipmentId } = await owner.create();
    expect((await owner.cancel(shipmentId)).status).toBe(200);
    await expectProblem(await merchant.cancel(shipmentId), { status: 403, code: 'ACCESS_DENIED' });
    await expectProblem(await merchant.get(`${SHIPMENTS}/${shipmentId}`), { status: 403, code: 'ACCESS_DENIED' });
  });
});

function headersOf(response: Response): Record<string, string> {
  const {
    date: _date,
    'x-request-id': _request,
    'x-correlation-id': _correlation,
    // It counts the caller's own requests.
    ratelimit: _left,
    'mirsal-sandbox-now': _now,
    ...rest
  } = Object.fromEntries(response.headers);
  return rest;
}
