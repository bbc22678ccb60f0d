import type { CompanyScope } from '../../../access/require.ts';
import type { Addresses, RegistryAnswer } from '../../../ports/addresses.ts';
import { findInRegistry, findNearest, LOOK_UP_SHARE, type RegistryDependencies } from '../../addresses/registry.ts';
import { type FaultStore, type FaultyServices, takeFault } from './fault.ts';

/** When a client should ask again. It may be at once, because each use takes one of the faults. */
const UNAVAILABLE: RegistryAnswer = { kind: 'unavailable', retryAfterSeconds: 1 };

/**
 * The addresses of a company: those of the deployment with kept answers and the registry's quota. They are unavailable while
 * requested faults are left, kept answers too. Production has no faults. `share`: of the registry's quota.
 */
export function addressesFor(
  services: FaultyServices & RegistryDependencies,
  store: FaultStore,
  scope: CompanyScope,
  share = LOOK_UP_SHARE,
): Addresses {
  const { addresses, faultBook, config } = services;
  const isDown = async () =>
    config.deployment !== 'production' && (await takeFault({ ...store, faultBook }, scope, 'ADDRESS'));
  return {
    registry: addresses.registry,
    geocoder: addresses.geocoder,
    isRegistryDown: () => addresses.isRegistryDown(),
    find: async (shortAddress) => ((await isDown()) ? UNAVAILABLE : findInRegistry(services, shortAddress, share)),
    nearest: async (point) => ((await isDown()) ? UNAVAILABLE : findNearest(services, point)),
    suggest: async (search) => ((await isDown()) ? undefined : addresses.suggest(search)),
  };
}
