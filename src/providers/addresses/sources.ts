import type { Geocoder, Registry } from '../../ports/addresses.ts';
import type { Config } from '../../service/config.ts';
import { noAddresses } from '../absent.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import { fixtureGeocoder, fixtureRegistry } from './fixture.ts';
import { photonGeocoder } from './photon.ts';
import { splRegistry } from './spl.ts';

export interface Sources {
  readonly registry: Registry;
  readonly geocoder: Geocoder;
}

export function openSources(
  { addresses, deployment }: Pick<Config, 'addresses' | 'deployment'>,
  platform: ProviderPlatform,
): Sources {
  const { registry, geocoder } = addresses;
  const [noRegistry, noGeocoder] =
    deployment === 'production' ? [noAddresses, noAddresses] : [fixtureRegistry, fixtureGeocoder];
  return {
    registry: registry === undefined ? noRegistry : splRegistry(registry, platform),
    geocoder: geocoder === undefined ? noGeocoder : photonGeocoder(geocoder, platform),
  };
}
