import type { ReadAsset } from '../../ports/assets.ts';

/** A binding of Cloudflare's static assets. Of an address it reads the path alone. */
export interface AssetsBinding {
  fetch(address: string): Promise<Response>;
}

/** Reads what was uploaded with the Worker; nothing where no assets are bound, as under a bare workerd. */
export function cloudflareAssets(
  binding: AssetsBinding | undefined,
  report: (path: string, failure: string) => void,
): ReadAsset {
  return async (path) => {
    try {
      if (binding === undefined) throw new Error('No assets are bound');
      const response = await binding.fetch(`https://assets.invalid/${path}`);
      const bytes = await response.arrayBuffer();
      if (!response.ok) throw new Error(`The binding answered ${response.status}`);
      return new Uint8Array(bytes);
    } catch (error) {
      report(path, String(error));
      return undefined;
    }
  };
}
