import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { readTimelinePage } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

async function shipmentOfSixEvents() {
  const { shipmentId } = await merchant.create();
  for (const state of ['READY_FOR_DISPATCH', 'OFFERED', 'ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY'] as const) {
    await forceState(environment, company, shipmentId, state);
  }
  return `${SHIPMENTS}/${shipmentId}/timeline`;
}

describe('GET a timeline', () => {
  it('returns the events, oldest first', async () => {
    const { shipmentId } = await merchant.create();
    const body = { reasonCode: 'OUT_OF_STOCK', comment: 'Back in March' };
    await merchant.post(`${SHIPMENTS}/${shipmentId}/cancellations`, body, { 'if-match': '*' });
    const response = await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      data: [
        {
          sequence: 1,
          type: 'shipment.created',
          state: 'PENDING_APPROVAL',
          occurredAt: expect.stringMatching(INSTANT),
          actor: 'MERCHANT',
          note: null,
        },
        {
          sequence: 2,
          type: 'shipment.cancelled',
          state: 'CANCELLED',
          occurredAt: expect.stringMatching(INSTANT),
          actor: 'MERCHANT',
          note: 'OUT_OF_STOCK: Back in March',
        },
      ],
      page: { nextCursor: null, hasMore: false },
    });
  });

  it('shows the automatic approval with the actor SYSTEM', async () => {
    const automatic = await merchantOf(environment, await addCompany(environment));
    const { shipmentId, approvedAt } = await automatic.createApproved();
    const { data } = await readTimelinePage(await automatic.get(`${SHIPMENTS}/${shipmentId}/timeline`));
    expect(data.at(1)).toEqual({
      sequence: 2,
      type: 'shipment.approved',
      state: 'READY_FOR_DISPATCH',
      occurredAt: approvedAt,
      actor: 'SYSTEM',
      note: null,
    });
  });

  it('is paged', async () => {
    const path = await shipmentOfSixEvents();
    const sequences: number[] = [];
    let query = '?limit=4';
    for (;;) {
      const { data, page } = await readTimelinePage(await merchant.get(`${path}${query}`));
      sequences.push(...data.map(({ sequence }) => sequence));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      if (page.nextCursor === null) break;
      query = `?limit=1&cursor=${page.nextCursor}`;
    }
    expect(sequences).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('the cursor', () => {
  it('is refused for another shipment of the same company', async () => {
    const [one, other] = [await shipmentOfSixEvents(), await shipmentOfSixEvents()];
    const { page } = await readTimelinePage(await merchant.get(`${one}?limit=2`));
    await expectProblem(await merchant.get(`${other}?cursor=${page.nextCursor ?? ''}`), {
      status: 400,
      code: 'INVALID_CURSOR',
    });
    await expectProblem(await merchant.get(`${SHIPMENTS}?cursor=${page.nextCursor ?? ''}`), {
      status: 400,
      code: 'INVALID_CURSOR',
    });
  });
});

describe('a wrong request', () => {
  it.each([
    ['limit=0', 'LIMIT_OUT_OF_RANGE', ['limit OUT_OF_RANGE']],
    ['limit=101', 'LIMIT_OUT_OF_RANGE', ['limit OUT_OF_RANGE']],
    ['limit=x', 'INVALID_QUERY_PARAMETER', ['limit TYPE_MISMATCH']],
    ['limit=1&limit=2', 'INVALID_QUERY_PARAMETER', ['limit DUPLICATE_ITEM']],
    ['state=OFFERED', 'UNKNOWN_QUERY_PARAMETER', ['state UNKNOWN_PROPERTY']],
    ['cursor=AAAA', 'INVALID_CURSOR', undefined],
  ])('%s', async (query, code, violations) => {
    const { shipmentId } = await merchant.create();
    const response = await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline?${query}`);
    await expectProblem(response, { status: 400, code, ...(violations === undefined ? {} : { violations }) });
  });

  it('with a malformed id is 400', async () => {
    const problem = { status: 400, code: 'INVALID_PATH_PARAMETER', violations: ['shipmentId PATTERN_MISMATCH'] };
    await expectProblem(await merchant.get(`${SHIPMENTS}/x/timeline`), problem);
  });
});
