import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { failWith, isCommand } from '../shared/command.ts';
import { isPortFree } from '../shared/ports.ts';
import { riyadhStreets } from '../shared/routing/riyadh-map.ts';
import { writeStreetMap } from '../shared/routing/street-map.ts';
import { findValhalla, startValhalla } from '../shared/routing/valhalla-engine.ts';
import { SetupError } from '../shared/setup-error.ts';

const USAGE = `Runs a routing engine on this machine, for ROUTING_URL: Valhalla with OSRM's HTTP API.

  npm run routing -- [--port 8805] [--map riyadh.osm.pbf]

  --port   port on 127.0.0.1
  --map    an extract of OpenStreetMap. Without it the map is a grid of streets over Riyadh, for a trial

The first run installs Valhalla into .local/valhalla (285 MB). Each start reads the map again: a city takes seconds, a
country minutes.`;

async function runRouting(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '8805' }, map: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help === true) return console.log(USAGE);
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : 0;
  if (port < 1 || port > 65_535) throw new SetupError(`--port ${values.port} is not a port.`);
  if (!(await isPortFree(port))) throw new SetupError(`Port ${port} is taken. Choose another one with --port.`);
  const packagePath = findValhalla();
  if (packagePath === undefined) throw new SetupError('Valhalla is not installed. Start this with npm run routing.');
  const map = values.map === undefined ? writeStreetMap(riyadhStreets()) : readMap(values.map);
  const engine = await startValhalla({ packagePath, map, port });
  console.log(`ROUTING_URL=${engine.url}`);
  const stop = () => void engine[Symbol.asyncDispose]().then(() => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
}

function readMap(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    throw new SetupError(`--map ${path} cannot be read.`);
  }
}

if (isCommand(import.meta.filename)) await runRouting().catch(failWith);
