import { beforeAll, describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { TestCompany } from '../../scripts/shared/connection.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox, RIYADH, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { until } from '../../scripts/shared/until.ts';
import { type ListProcedure, listAll } from '../../src/client/list-all.ts';
import { ADDRESSES, NAMES, ONE_PAGE_AND_ONE } from '../support/cast.ts';
import { addDriver, newCity, operatorOf } from '../support/fleet.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

/* Every list that can be longer than a page, over the cast: a client that reads all pages sees each entry as it was typed. */

const environment = sharedEnvironment();
const PAGE = 50;
const EVERY = Array.from({ length: ONE_PAGE_AND_ONE }, (_, index) => index);
const nameAt = (index: number) => NAMES[index % NAMES.length]?.name ?? '';
const addressAt = (index: number) => ADDRESSES[index % ADDRESSES.length]?.line ?? '';
const codeAt = (index: number) => `CAST-${String(index).padStart(2, '0')}`;
const destinationAt = (index: number) => ({ ...RIYADH, addressLine: addressAt(index) });

let sandbox: Sandbox;
let company: TestCompany;
let person: Awaited<ReturnType<typeof personOf>>;
beforeAll(async () => {
  sandbox = await newSandbox(environment);
  ({ company } = sandbox);
  person = await personOf(company);
  await Promise.all(
    EVERY.map((index) =>
      sandbox.create({
        externalReference: codeAt(index),
        recipient: { name: nameAt(index), phone: '0512345678' },
        destination: destinationAt(index),
      }),
    ),
  );
}, 120_000);

async function personOf(owner: TestCompany) {
  const owning = await addPerson(environment, owner, 'OWNER');
  return trpcClient(environment, await addSession(environment, owning, { assurance: 'AAL2' }));
}

/** The entries of a list, over all of its pages. */
async function entriesOf<Input extends { readonly cursor?: string | undefined }, Entry>(
  list: ListProcedure<Input, Entry>,
  input: Input,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of listAll(list, { limit: PAGE, ...input })) entries.push(entry);
  return entries;
}

const sorted = (texts: readonly string[]) => [...texts].sort();

describe('a list read to its end has each of 51 entries once, as it was written', () => {
  it('shipments.list', async () => {
    const shipments = await entriesOf(person.shipments.list, {});
    expect(sorted(shipments.map(({ externalReference }) => externalReference ?? ''))).toEqual(EVERY.map(codeAt));
    for (const { externalReference, recipientName, destination } of shipments) {
      const index = EVERY.findIndex((one) => codeAt(one) === externalReference);
      expect([recipientName, destination.addressLine]).toEqual([nameAt(index), addressAt(index)]);
    }
  });

  it('events.list', async () => {
    const all = await entriesOf(person.events.list, { type: 'shipment.created' });
    expect(new Set(all.map(({ shipmentId }) => shipmentId)).size).toBe(ONE_PAGE_AND_ONE);
  });

  it('branches.list and pickupLocations.list', async () => {
    // Names that others read take no marks of direction and no presentation forms are changed in them.
    const places = EVERY.map((index) => ({
      branchCode: codeAt(index),
      name: nameAt(index),
      nameAr: null,
      cityCode: 'RUH',
    }));
    for (const place of places) await person.branches.create.mutate(place);
    const branches = (await entriesOf(person.branches.list, {})).filter(({ branchCode }) =>
      branchCode.startsWith('CAST-'),
    );
    expect(sorted(branches.map(({ branchCode, name }) => `${branchCode} ${name}`))).toEqual(
      EVERY.map((index) => `${codeAt(index)} ${nameAt(index)}`),
    );
    for (const index of EVERY) {
      await person.pickupLocations.create.mutate({
        ...{ branchCode: codeAt(0), pickupLocationCode: `P-${codeAt(index)}`, name: nameAt(index), nameAr: null },
        ...{ contactName: nameAt(index), contactPhone: null, instructions: addressAt(index) },
        location: { addressLine: addressAt(index), cityCode: 'RUH', latitude: '24.7', longitude: '46.6' },
      });
    }
    const locations = await entriesOf(person.pickupLocations.list, { branchCode: codeAt(0) });
    expect(sorted(locations.map(({ name, location }) => `${name}, ${location.addressLine}`))).toEqual(
      sorted(EVERY.map((index) => `${nameAt(index)}, ${addressAt(index)}`)),
    );
  });

  it('operations.drivers.list', async () => {
    const city = newCity();
    for (const index of EVERY) await addDriver(environment, city, { firstName: nameAt(index).slice(0, 40) });
    const { drivers } = await operatorOf(environment);
    const all = await entriesOf(drivers.list, { shard: 'shard-1', cityCode: city });
    expect(sorted(all.map(({ firstName }) => firstName))).toEqual(
      sorted(EVERY.map((index) => nameAt(index).slice(0, 40))),
    );
  });

  it('operations.companies.list', async () => {
    const added = await Promise.all(EVERY.map(() => addCompany(environment)));
    const { companies } = await operatorOf(environment);
    const known = new Set((await entriesOf(companies.list, {})).map(({ companyId }) => companyId));
    expect(added.filter(({ companyId }) => !known.has(companyId))).toEqual([]);
  });

  it('requestLog.list', async () => {
    const all = await until('each request is in the log', async () => {
      const entries = await entriesOf(person.requestLog.list, {});
      return entries.length >= ONE_PAGE_AND_ONE ? entries : undefined;
    });
    expect(new Set(all.map(({ requestId }) => requestId)).size).toBe(all.length);
  });

  it('webhookDeliveries.list', async () => {
    const url = 'http://127.0.0.1:9/';
    await person.webhookEndpoints.create.mutate({ url, eventTypes: ['shipment.created'] });
    const before = codeAt(0).replace('CAST', 'LATER');
    await Promise.all(
      EVERY.map((index) =>
        sandbox.create({ externalReference: `${before}-${index}`, destination: destinationAt(index) }),
      ),
    );
    const all = await until('each event has its delivery', async () => {
      const deliveries = await entriesOf(person.webhookDeliveries.list, { eventType: 'shipment.created' });
      return deliveries.length >= ONE_PAGE_AND_ONE ? deliveries : undefined;
    });
    expect(new Set(all.map(({ eventId }) => eventId)).size).toBe(ONE_PAGE_AND_ONE);
  });
});
