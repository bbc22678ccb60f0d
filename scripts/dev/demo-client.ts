import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createMirsalClient, type MirsalClient } from '../../src/client.ts';
import { type DemoCompany, readDemo, readDemoAddress } from '../shared/local-files.ts';
import { SetupError } from '../shared/setup-error.ts';

export interface DemoAccess {
  readonly client: MirsalClient;
  readonly company: DemoCompany;
  readonly baseUrl: string;
}

/** A client for one of the sample companies of the service that runs with this data folder. */
export function openDemo(dataFolder: string, companyName: string | undefined): DemoAccess {
  const file = join(dataFolder, 'local.json');
  const demo = readDemo(file);
  const baseUrl = readDemoAddress(file);
  if (demo === undefined || baseUrl === undefined) {
    throw new SetupError(`${file} does not exist. Start the service first: npm run dev -- --data ${dataFolder}`);
  }
  const company = demo.companies.find(({ name }) => companyName === undefined || name === companyName);
  if (company === undefined) {
    const names = demo.companies.map(({ name }) => `"${name}"`).join(', ');
    throw new SetupError(`There is no company "${companyName}"; the companies are ${names}.`);
  }
  const { clientId, clientSecret } = company;
  return { client: createMirsalClient({ baseUrl, clientId, clientSecret }), company, baseUrl };
}

type Fixtures = Awaited<ReturnType<MirsalClient['sandbox']['bootstrap']['mutate']>>;

/** Creates a sandbox shipment. Its reference starts with `purpose`. */
export function createSample(client: MirsalClient, fixtures: Fixtures, purpose: string) {
  const { branchCode, pickupLocationCode, destinationCityCode, delivery } = fixtures;
  return client.shipments.create.mutate({
    externalReference: `${purpose}-${randomUUID()}`,
    branchCode,
    pickupLocationCode,
    recipient: { name: 'Sara Al-Harbi', phone: '0512345678' },
    destination: { addressLine: '2929 King Fahd Road', cityCode: destinationCityCode, ...delivery },
    declaredValue: '180.5',
    codAmount: '0',
    currency: 'SAR',
    paymentMethod: 'PREPAID',
    pickupWindowStart: '2030-01-31T09:00:00Z',
    pickupWindowEnd: '2030-01-31T12:00:00Z',
    items: [{ description: 'Coffee beans, 1 kg', quantity: 2, weightKilograms: '1.05' }],
    requirements: [],
  });
}
