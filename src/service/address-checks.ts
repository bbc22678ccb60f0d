import type { CompanyScope } from '../access/require.ts';
import type { Uuid } from '../core/uuid.ts';
import { addressesFor } from '../domain/sandbox/fault/addresses.ts';
import { checkAddress, checkDueAddresses } from '../domain/shipments/check-address.ts';
import type { Services, Store } from './services.ts';

const WHOLE_QUOTA = 1;

/** Asks the registry for the National Address of one shipment. */
export function checkOne(
  services: Services,
  store: Store,
  shipment: { scope: CompanyScope; shipmentId: Uuid },
): Promise<void> {
  return checkAddress(dependenciesOf(services, store), shipment.scope, shipment.shipmentId);
}

/** Asks the registry for the addresses of a shard that are due. */
export function checkDue(services: Services, store: Store): Promise<void> {
  return checkDueAddresses(dependenciesOf(services, store));
}

function dependenciesOf(services: Services, { database, writer }: Store) {
  const store = { database, writer };
  const findFor = (scope: CompanyScope) => addressesFor(services, store, scope, WHOLE_QUOTA).find;
  return { ...services, ...store, findFor };
}
