import { ASSET_PATHS } from '../../http/web/asset-paths.ts';
import { assetsUnavailable } from '../../http/web/asset-text.ts';
import type { ReadAsset, ReadShaper } from '../../service/services.ts';

declare const Deno: { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };

interface Assets {
  readonly readAsset: ReadAsset;
  readonly readShaper: ReadShaper;
}

/** Reads files of a folder, whose address ends with a slash. */
export function denoAssets(folder: URL, report: (path: string, failure: string) => void): Assets {
  const readAsset: ReadAsset = async (path) => {
    try {
      return await Deno.readFile(new URL(path, folder));
    } catch (error) {
      report(path, String(error));
      return undefined;
    }
  };
  const readShaper = async () => {
    const bytes = await readAsset(ASSET_PATHS.shaper);
    if (bytes === undefined) throw assetsUnavailable();
    return WebAssembly.compile(bytes);
  };
  return { readAsset, readShaper };
}
