import { part } from '../../core/part.ts';
import type { Routing } from '../../ports/routing.ts';
import type { Streets } from '../../ports/streets.ts';
import type { Config } from '../../service/config.ts';
import { noStreets } from '../absent.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import { chooseRouting } from './osrm.ts';

const archives = part(() => import('./street-archive.ts'));

/** The routing engine and the streets of a deployment. */
export function chooseMaps(
  config: Pick<Config, 'routingUrl' | 'streetsUrl' | 'deployment'>,
  platform: ProviderPlatform,
): { readonly routing: Routing; readonly streets: Streets } {
  return { routing: chooseRouting(config, platform), streets: chooseStreets(config, platform) };
}

/** The streets of the archive at an address. Without an address there are none, and nothing is loaded. */
function chooseStreets({ streetsUrl }: Pick<Config, 'streetsUrl'>, platform: ProviderPlatform): Streets {
  if (streetsUrl === undefined) return noStreets;
  let archive: Streets | undefined;
  return {
    async find(bounds, later) {
      const { streetArchive } = await archives();
      archive ??= streetArchive(streetsUrl, platform);
      return archive.find(bounds, later);
    },
  };
}
