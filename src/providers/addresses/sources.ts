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

/** The configured sources, and `otherwise` for those that are not. */
export function openSources(
  { registry, geocoder }: Config['addresses'],
  otherwise: 'none' | 'fixture',
  platform: ProviderPlatform,
): Sources {
  const [noRegistry, noGeocoder] =
    otherwise === 'none' ? [noAddresses, noAddresses] : [fixtureRegistry, fixtureGeocoder];
  return {
    registry: registry === undefined ? noRegistry : splRegistry(registry, platform),
    geocoder: geocoder === undefined ? noGeocoder : photonGeocoder(geocoder, platform),
  };
}
