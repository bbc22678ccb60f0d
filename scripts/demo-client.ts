import { join } from 'node:path';
import { createMirsalClient, type MirsalClient } from '../src/client.ts';
import { type DemoCompany, readDemo, readDemoAddress } from './demo.ts';
import { SetupError } from './setup-error.ts';

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
    throw new SetupError(`${file} is not there. Start the service first: npm run dev -- --data ${dataFolder}`);
  }
  const company = demo.companies.find(({ name }) => companyName === undefined || name === companyName);
  if (company === undefined) {
    const names = demo.companies.map(({ name }) => `"${name}"`).join(', ');
    throw new SetupError(`There is no company "${companyName}"; there are ${names}.`);
  }
  const { clientId, clientSecret } = company;
  return { client: createMirsalClient({ baseUrl, clientId, clientSecret }), company, baseUrl };
}
