import type { ReadAsset } from '../../service/services.ts';

/** A binding of Cloudflare's static assets. It reads only the path of an address. */
export interface AssetsBinding {
  fetch(address: string): Promise<Response>;
}

/** Reads files that were uploaded with the Worker. Without a binding, as under a bare workerd, every read fails. */
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
