import { expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { ITEM, readShipmentPage } from '../../scripts/shared/shipments.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();

it('pages of long shipments are shorter, and no shipment is lost', async () => {
  const company = await addCompany(environment, 'shard-2');
  await setApprovalPolicy(environment, company, 'MANUAL');
  const merchant = await merchantOf(environment, company);
  // About 100 KB each, as stored and sent by the database.
  const items = Array.from({ length: 100 }, () => ({ ...ITEM, description: '\u0001'.repeat(160) }));
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 5 }, () => merchant.create({ items })));
  }
  const seen: string[] = [];
  let query = 'limit=100';
  for (;;) {
    const response = await merchant.get(`${SHIPMENTS}?${query}`);
    expect(response.status).toBe(200);
    const { data, page } = await readShipmentPage(response);
    seen.push(...data.map(({ shipmentId }) => shipmentId));
    if (page.nextCursor === null) break;
    query = `limit=100&cursor=${page.nextCursor}`;
  }
  expect([seen.length, new Set(seen).size]).toEqual([100, 100]);
});
