import type { ReadAsset } from '../../service/services.ts';

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
