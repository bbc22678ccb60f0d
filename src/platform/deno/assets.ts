import { ASSET_PATHS } from '../../http/web/asset-paths.ts';
import { assetsUnavailable } from '../../http/web/asset-text.ts';
import type { ReadAsset, ReadShaper } from '../../service/services.ts';

declare const Deno: { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };

/** Reads files of a folder, whose address ends with a slash. */
export function denoAssets(folder: URL, report: (path: string, failure: string) => void): ReadAsset {
  return async (path) => {
    try {
      return await Deno.readFile(new URL(path, folder));
    } catch (error) {
      report(path, String(error));
      return undefined;
    }
  };
}

/** Compiles the shaper of labels, which is among the assets. */
export function denoShaper(readAsset: ReadAsset): ReadShaper {
  return async () => {
    const bytes = await readAsset(ASSET_PATHS.shaper);
    if (bytes === undefined) throw assetsUnavailable();
    return WebAssembly.compile(bytes);
  };
}
