import type { CompanyScope } from '../src/access/require.ts';
import { part } from '../src/core/part.ts';
import type { Uuid } from '../src/core/uuid.ts';
import type { Store } from '../src/service/services.ts';
import type { Context } from './context.ts';

const checks = part(() => import('../src/service/address-checks.ts'));

interface CheckContext extends Pick<Context, 'services' | 'later'> {
  readonly company: CompanyScope;
  readonly store: Store;
}

/** Asks the registry for the National Address of a shipment after the answer. If that does not end, the sweep asks. */
export function checkAddressLater({ services, store, company: scope, later }: CheckContext, shipmentId: Uuid): void {
  if (services.addresses.registry === 'none') return;
  later(checks().then(({ checkOne }) => checkOne(services, store, { scope, shipmentId })));
}
