import { beforeAll, describe, expect, it } from 'vitest';
import type { TestCompany } from '../../scripts/shared/connection.ts';
import { type Merchant, merchantOf } from '../../scripts/shared/merchant.ts';
import { readShipment, shipmentBody } from '../../scripts/shared/shipments.ts';
import { BRANCH, LOCATION, newConsole, STORE } from '../support/places.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();

describe('creating a shipment', () => {
  let company: TestCompany;
  let merchant: Merchant;
  let call: Awaited<ReturnType<typeof newConsole>>['call'];
  const create = () => merchant.postShipment(shipmentBody({ ...company, ...STORE }));
  beforeAll(async () => {
    ({ company, call } = await newConsole(environment));
    merchant = await merchantOf(environment, company);
    await call.branches.create.mutate(BRANCH);
    await call.pickupLocations.create.mutate(STORE);
  });

  it('copies the current pickup location, even when it is cached', async () => {
    const target = { pickupLocationCode: STORE.pickupLocationCode, ifMatch: '*' };
    for (const latitude of ['21.543333', '21.61', '21.62']) {
      await call.pickupLocations.update.mutate({ ...target, location: { ...LOCATION, latitude } });
      for (let index = 0; index < 2; index += 1) {
        const shipment = await readShipment(await create());
        expect(shipment['pickup']).toEqual({ ...LOCATION, latitude: Number(latitude), longitude: 39.172779 });
      }
    }
  });

  it.each([
    ['branch', () => call.branches, { branchCode: STORE.branchCode }],
    ['pickup location', () => call.pickupLocations, { pickupLocationCode: STORE.pickupLocationCode }],
  ] as const)('is 409 while the %s is inactive', async (_what, procedures, target) => {
    const { activate, deactivate } = procedures() as unknown as Record<
      string,
      { mutate(input: unknown): Promise<unknown> }
    >;
    expect((await create()).status).toBe(201);
    await deactivate?.mutate({ ...target, ifMatch: '*' });
    for (let index = 0; index < 2; index += 1)
      await expectProblem(await create(), { status: 409, code: 'BRANCH_INACTIVE' });
    await activate?.mutate({ ...target, ifMatch: '*' });
    expect((await create()).status).toBe(201);
  });

  it('is 409 for an inactive pickup location that was never cached', async () => {
    await call.pickupLocations.create.mutate({ ...STORE, pickupLocationCode: 'JED-NEW' });
    await call.pickupLocations.deactivate.mutate({ pickupLocationCode: 'JED-NEW', ifMatch: '"0"' });
    const body = shipmentBody({ ...company, ...STORE, pickupLocationCode: 'JED-NEW' });
    await expectProblem(await merchant.postShipment(body), { status: 409, code: 'BRANCH_INACTIVE' });
  });
});
