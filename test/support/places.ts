import { addCompany } from '../../scripts/shared/companies.ts';
import type { Environment, TestCompany } from '../../scripts/shared/connection.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { trpcClient } from './trpc.ts';

export const BRANCH = { branchCode: 'JED-1', name: 'Jeddah, Al Hamra', nameAr: 'جدة، الحمراء', cityCode: 'JED' };
export const LOCATION = {
  addressLine: '9 Palestine Street, Jeddah',
  cityCode: 'JED',
  latitude: '21.543333',
  longitude: '39.172779',
};
export const STORE = {
  pickupLocationCode: 'JED-STORE',
  branchCode: 'JED-1',
  name: 'Al Hamra store',
  location: LOCATION,
  contactName: 'Huda',
  contactPhone: '+966126543210',
  instructions: 'Ring at gate 3',
};

/** A person of a company, as a tRPC client. */
export async function newConsole(environment: Environment, role: 'OWNER' | 'MEMBER' = 'MEMBER') {
  const company: TestCompany = await addCompany(environment, 'shard-2');
  const person = await addPerson(environment, company, role);
  const call = trpcClient(environment, await addSession(environment, person));
  return { company, person, call };
}
