import { randomBytes } from 'node:crypto';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { Environment, TestCompany } from '../../scripts/shared/connection.ts';
import type { Merchant } from '../../scripts/shared/merchant.ts';
import type { TestDriver } from '../../scripts/shared/sandbox.ts';
import type { ShardId } from '../../scripts/shared/sql.ts';
import { newPhone, signInBySms } from './driver-sign-in.ts';
import { trpcClient } from './trpc.ts';

/* Cities and drivers of one test, created as operators do: no other shipments are offered there. */

export function newCity(): string {
  return `CITY-${randomBytes(5).toString('hex').toUpperCase()}`;
}

/** A company whose only pickup location is in this city, at the coordinates of Abha. */
export async function addCompanyIn(
  environment: Environment,
  cityCode: string,
  shard: ShardId = 'shard-1',
): Promise<TestCompany> {
  const company = await addCompany(environment, shard);
  const move = 'update pickup_locations set city_code = ? where company_id = ?';
  await environment.sql(shard, move, [cityCode, company.companyId]);
  return company;
}

/** The procedures of an operator. */
export async function operatorOf(environment: Environment) {
  return trpcClient(environment, await environment.token(environment.operator)).operations;
}

export interface FleetDriver {
  readonly driverId: string;
  readonly phone: string;
  readonly shard: ShardId;
}

/** The properties of a driver, as an operator sends them; the driver can carry what a car can. */
export function driverTerms(cityCode: string, phone = newPhone()) {
  return {
    shard: 'shard-1' as ShardId,
    phone,
    firstName: 'Faisal',
    vehicleType: 'CAR' as const,
    capabilities: ['FRAGILE', 'SIGNATURE'],
    weightKilogramsMax: '50',
    lengthCentimetresMax: '150',
    cityCode,
    activeMax: 5,
  };
}

/** A driver who is on duty. */
export async function addDriver(
  environment: Environment,
  cityCode: string,
  changes: Partial<ReturnType<typeof driverTerms>> = {},
): Promise<FleetDriver> {
  const { drivers } = await operatorOf(environment);
  const { shard, phone, ...terms } = { ...driverTerms(cityCode), ...changes };
  const { driverId, version } = await drivers.create.mutate({ shard, phone, ...terms });
  await drivers.setDuty.mutate({ shard, driverId, version, onDuty: true });
  return { driverId, phone, shard };
}

export async function addSignedInDriver(
  environment: Environment,
  cityCode: string,
  changes: Partial<ReturnType<typeof driverTerms>> = {},
): Promise<FleetDriver & TestDriver> {
  const driver = await addDriver(environment, cityCode, changes);
  return { ...driver, ...(await signInBySms(environment, driver.phone)) };
}

/** Makes the due work of a shipment due at once. The alarm of the next creation runs it. */
export async function letFallDue(environment: Environment, merchant: Merchant, shipmentId: string): Promise<void> {
  const { shard } = merchant.company;
  // First the offer: once the shipment is due, work of another shipment may look for a driver at any moment.
  await environment.sql(
    shard,
    "update offers set expires_at = offered_at + 1 where shipment_id = ? and state = 'OPEN'",
    [shipmentId],
  );
  await environment.sql(shard, 'update shipments set due_at = created_at where id = ?', [shipmentId]);
  await merchant.cancel((await merchant.create({ requirements: ['NOBODY_CAN'] })).shipmentId);
}
