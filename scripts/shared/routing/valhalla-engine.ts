import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { LOOPBACK } from '../ports.ts';

const PACKAGE = '@valhallajs/valhallajs';

/**
 * The installed Valhalla package, if there is one: its 285 MB are too much for every developer. `VALHALLA_FROM` names a
 * folder with it in node_modules, which must then exist.
 */
export function findValhalla(): string | undefined {
  const from = process.env['VALHALLA_FROM'];
  try {
    return createRequire(join(resolve(from ?? import.meta.dirname), 'from.js')).resolve(PACKAGE);
  } catch {
    if (from === undefined) return undefined;
    throw new Error(`VALHALLA_FROM is ${from}, but ${PACKAGE} is not installed there`);
  }
}

export interface ValhallaEngine extends AsyncDisposable {
  /** The URL before `/route/v1`. */
  readonly url: string;
}

interface ValhallaOptions {
  /** The answer of `findValhalla`. */
  readonly packagePath: string;
  /** OpenStreetMap data in the PBF format. */
  readonly map: Uint8Array;
  /** On 127.0.0.1. Without it the system chooses one. */
  readonly port?: number;
}

/** Builds Valhalla's tiles of a map and serves them until disposed. */
export async function startValhalla({ packagePath, map, port = 0 }: ValhallaOptions): Promise<ValhallaEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'valhalla-'));
  const [mapFile, settings] = [join(folder, 'map.osm.pbf'), join(folder, 'valhalla.json')];
  const configuration = JSON.stringify(configurationOf(join(folder, 'tiles')));
  await Promise.all([writeFile(mapFile, map), writeFile(settings, configuration)]);
  const builder = join(dirname(packagePath), process.platform, process.arch, 'valhalla_build_tiles');
  // Valhalla writes a file of duplicate ways into the current directory.
  await promisify(execFile)(builder, ['-c', settings, mapFile], { cwd: folder });

  const bridge = fork(join(import.meta.dirname, 'valhalla-bridge.ts'), [packagePath, configuration, String(port)], {
    execArgv: [],
    silent: true,
  });
  const ended = once(bridge, 'exit');
  const [message] = (await Promise.race([once(bridge, 'message'), ended])) as [{ port?: number } | number | null];
  if (typeof message !== 'object' || message?.port === undefined) throw new Error('Valhalla did not start');
  return {
    url: `http://${LOOPBACK}:${message.port}`,
    async [Symbol.asyncDispose]() {
      bridge.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Only the settings without which Valhalla does not start. The distance limit is short, so that a test can exceed it.
 */
function configurationOf(tileFolder: string): object {
  const locations = { max_locations: 20, max_matrix_distance: 400_000, max_matrix_location_pairs: 2500 };
  return {
    mjolnir: { tile_dir: tileFolder, concurrency: 1, logging: { type: '' } },
    loki: {
      actions: ['route'],
      service_defaults: {
        heading_tolerance: 60,
        minimum_reachability: 50,
        node_snap_tolerance: 5,
        radius: 0,
        search_cutoff: 35_000,
        street_side_max_distance: 1000,
        street_side_tolerance: 5,
      },
    },
    meili: { default: { breakage_distance: 2000 } },
    thor: {},
    service_limits: {
      auto: { max_distance: 500_000, ...locations },
      pedestrian: {
        max_distance: 250_000,
        max_transit_walking_distance: 10_000,
        min_transit_walking_distance: 1,
        ...locations,
      },
      isochrone: {
        max_contours: 4,
        max_distance: 25_000,
        max_distance_contour: 200,
        max_locations: 1,
        max_time_contour: 120,
      },
      trace: {
        max_alternates: 3,
        max_alternates_shape: 100,
        max_distance: 200_000,
        max_gps_accuracy: 100,
        max_search_radius: 100,
        max_shape: 16_000,
      },
      skadi: { max_shape: 750_000, min_resample: 10 },
      max_alternates: 2,
      max_exclude_locations: 50,
      max_exclude_polygons_length: 10_000,
      max_radius: 200,
      max_reachability: 100,
    },
  };
}
