import type { Routing } from '../../ports/routing.ts';
import type { Config } from '../../service/config.ts';
import { noRouting } from '../absent.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import { fixtureRouting } from './fixture.ts';
import { osrmRouting } from './osrm.ts';

/** Which routing a deployment has: the engine at its address; without one a fixture, and in production none. */
export function chooseRouting(
  { routingUrl, deployment }: { readonly routingUrl: string | undefined; readonly deployment: Config['deployment'] },
  platform: ProviderPlatform,
): Routing {
  if (routingUrl !== undefined) return osrmRouting(routingUrl, platform);
  return deployment === 'production' ? noRouting : fixtureRouting;
}
