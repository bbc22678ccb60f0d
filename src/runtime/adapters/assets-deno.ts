import type { ReadAsset } from '../ports/assets.ts';

declare const Deno: { readTextFile(path: URL): Promise<string> };

/** Reads files of a folder, whose address ends with a slash. */
export function denoAssets(folder: URL, report: (path: string, failure: string) => void): ReadAsset {
  return async (path) => {
    try {
      return await Deno.readTextFile(new URL(path, folder));
    } catch (error) {
      report(path, String(error));
      return undefined;
    }
  };
}
