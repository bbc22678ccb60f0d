import { part } from '../../core/part.ts';
import type { RangedFile } from '../../ports/ranged-file.ts';
import type { Routing } from '../../ports/routing.ts';
import type { StreetFile, Streets } from '../../ports/streets.ts';
import type { Config } from '../../service/config.ts';
import { noStreets } from '../absent.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import { chooseRouting } from './osrm.ts';

const archives = part(() => import('./street-archive.ts'));
const files = part(() => import('./street-file.ts'));
const httpFiles = part(() => import('./http-file.ts'));

interface MapsPlatform extends ProviderPlatform {
  /** Opens an archive that is not on a web server: a file on Deno, an object of a bucket on Workers. */
  readonly openFile: (url: URL) => RangedFile;
}

/** The routing engine and the streets of a deployment. Without an archive there are no streets, and nothing is loaded. */
export function chooseMaps(
  config: Pick<Config, 'routingUrl' | 'streetsUrl' | 'deployment'>,
  platform: MapsPlatform,
): { readonly routing: Routing; readonly streets: Streets } {
  const { streetsUrl } = config;
  const streets = streetsUrl === undefined ? noStreets : streetsOf(openArchive(streetsUrl, platform), platform);
  return { routing: chooseRouting(config, platform), streets };
}

function openArchive(address: string, { openFile, fetch }: MapsPlatform): RangedFile {
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return openFile(url);
  return {
    async read(range, signal) {
      const { httpFile } = await httpFiles();
      return httpFile(address, fetch).read(range, signal);
    },
  };
}

function streetsOf(file: RangedFile, platform: ProviderPlatform): Streets {
  let archive: Pick<Streets, 'find'> | undefined;
  return {
    file: streetFileOf(file, platform),
    async find(bounds, later) {
      const { streetArchive } = await archives();
      archive ??= streetArchive(file, platform);
      return archive.find(bounds, later);
    },
  };
}

function streetFileOf(file: RangedFile, platform: ProviderPlatform): StreetFile {
  let opened: StreetFile | undefined;
  const open = async () => {
    const { streetFile } = await files();
    opened ??= streetFile(file, platform);
    return opened;
  };
  return {
    find: async () => (await open()).find(),
    read: async (...part) => (await open()).read(...part),
  };
}
