import { part } from '../../core/part.ts';
import type { Routing } from '../../ports/routing.ts';
import type { Streets } from '../../ports/streets.ts';
import type { Config } from '../../service/config.ts';
import { noStreets } from '../absent.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import type { ArchivePlatform, OpenStreets } from './open-streets.ts';
import { chooseRouting } from './osrm.ts';

const archives = part(() => import('./open-streets.ts'));

/** The routing engine and the streets of a deployment. */
export function chooseMaps(
  config: Pick<Config, 'routingUrl' | 'streetsUrl' | 'deployment'>,
  platform: ProviderPlatform & ArchivePlatform,
): { readonly routing: Routing; readonly streets: Streets } {
  return { routing: chooseRouting(config, platform), streets: chooseStreets(config, platform) };
}

/** The streets of the archive at an address. Without an address there are none, and nothing is loaded. */
function chooseStreets(
  { streetsUrl }: Pick<Config, 'streetsUrl'>,
  platform: ProviderPlatform & ArchivePlatform,
): Streets {
  if (streetsUrl === undefined) return noStreets;
  let opened: OpenStreets | undefined;
  const open = async () => {
    const { openStreets } = await archives();
    opened ??= openStreets(streetsUrl, platform);
    return opened;
  };
  return {
    find: async (...asked) => (await open()).find(...asked),
    file: {
      find: async () => (await open()).file.find(),
      read: async (...asked) => (await open()).file.read(...asked),
    },
  };
}
