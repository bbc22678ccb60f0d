import { part } from '../../core/part.ts';
import type { Addresses } from '../../ports/addresses.ts';
import type { Config } from '../../service/config.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import type { Sources } from './sources.ts';

const sources = part(() => import('./sources.ts'));

/** Where a deployment looks up addresses. Nothing is loaded before the first look-up. */
export function chooseAddresses(
  config: Pick<Config, 'addresses' | 'deployment'>,
  platform: ProviderPlatform,
): Addresses {
  const { registry, geocoder } = config.addresses;
  const otherwise = config.deployment === 'production' ? 'none' : 'fixture';
  let opened: Sources | undefined;
  const open = async () => {
    const { openSources } = await sources();
    opened ??= openSources(config.addresses, otherwise, platform);
    return opened;
  };
  return {
    registry: registry === undefined ? otherwise : 'spl',
    geocoder: geocoder === undefined ? otherwise : 'photon',
    isRegistryDown: () => opened?.registry.isRegistryDown() === true,
    find: async (shortAddress) => (await open()).registry.find(shortAddress),
    nearest: async (point) => (await open()).registry.nearest(point),
    suggest: async (search) => (await open()).geocoder.suggest(search),
  };
}
