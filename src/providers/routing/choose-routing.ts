import type { Routing } from '../../ports/routing.ts';
import type { Config } from '../../service/config.ts';
import { noRouting } from '../absent.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import { fixtureRouting } from './fixture.ts';
import { osrmRouting } from './osrm.ts';

/** The routing of a deployment: the engine at its address. Without an address a fixture, but none in production. */
export function chooseRouting(
  { routingUrl, deployment }: { readonly routingUrl: string | undefined; readonly deployment: Config['deployment'] },
  platform: ProviderPlatform,
): Routing {
  if (routingUrl !== undefined) return osrmRouting(routingUrl, platform);
  return deployment === 'production' ? noRouting : fixtureRouting;
}
