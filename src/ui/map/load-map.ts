import type { MapOptions, ShownMap } from './map.ts';
import type { MapTrouble } from './map-words.ts';

/* The small part of the map, which pages have from the start. */

/** The address of the deployment's archive, which the service writes into the page. Undefined if it has none. */
export function mapArchive(): string | undefined {
  return document.body.dataset['map'];
}

/** Loads the code of the map and shows it. Resolves to why there is none. */
export async function loadMap(options: MapOptions): Promise<ShownMap | Exclude<MapTrouble, 'partly'>> {
  if (!canDraw()) return 'unable';
  try {
    const { openMap } = await import('./map.ts');
    return await openMap(options);
  } catch {
    return 'away';
  }
}

/** MapLibre throws without it, but only after half a megabyte. */
function canDraw(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  // A page may have only a few contexts.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
