import type { RangedFile } from '../../ports/ranged-file.ts';
import type { StreetFile, Streets } from '../../ports/streets.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import { httpFile } from './http-file.ts';
import { streetArchive } from './street-archive.ts';
import { streetFile } from './street-file.ts';

export interface ArchivePlatform {
  /** Opens an archive that is not on a web server: a file on Deno, an object of a bucket on Workers. */
  readonly openFile: (url: URL) => RangedFile | Promise<RangedFile>;
}

export interface OpenStreets extends Streets {
  readonly file: StreetFile;
}

/** The archive at an address, for drawings and for the maps of browsers. */
export function openStreets(address: string, platform: ProviderPlatform & ArchivePlatform): OpenStreets {
  const url = new URL(address);
  const file: RangedFile = /^https?:$/.test(url.protocol)
    ? httpFile(address, platform.fetch)
    : { read: async (...asked) => (await platform.openFile(url)).read(...asked) };
  return { ...streetArchive(file, platform), file: streetFile(file, platform) };
}
