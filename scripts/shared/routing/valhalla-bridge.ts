import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

/*
 * A process that serves the OSRM `route` service on 127.0.0.1 by calling Valhalla, whose own HTTP service has another
 * request format. Started by valhalla-engine.ts with the package's folder, Valhalla's configuration and the port.
 */

interface Actor {
  route(query: string): Promise<string>;
}

const [packagePath = '', configuration = '', port = '0'] = process.argv.slice(2);
const { Actor } = createRequire(import.meta.url)(packagePath) as { Actor: new (configuration: string) => Actor };
const actor = new Actor(configuration);

const server = createServer((request, response) => void answer(request.url ?? '', response));
server.listen(Number(port), '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());

async function answer(path: string, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(path, 'http://engine');
  const places = /^\/route\/v1\/driving\/([^/]+)$/.exec(pathname)?.[1]?.split(';').map(placeOf);
  if (places === undefined) return send(response, 400, { code: 'InvalidUrl', message: 'URL string malformed' });
  const options = Object.fromEntries(searchParams);
  if (options['overview'] !== 'full' || options['geometries'] !== 'polyline6' || places.includes(undefined)) {
    return send(response, 400, { code: 'InvalidQuery', message: 'Query string malformed' });
  }
  const query = {
    locations: places,
    costing: 'auto',
    format: 'osrm',
    shape_format: 'polyline6',
    directions_type: 'none',
  };
  try {
    send(response, 200, await actor.route(JSON.stringify(query)));
  } catch (error) {
    send(response, 400, { code: codeOf(String(error)), message: String(error) });
  }
}

function placeOf(text: string): { lat: number; lon: number } | undefined {
  const [, longitude, latitude] = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  return latitude === undefined ? undefined : { lat: Number(latitude), lon: Number(longitude) };
}

/** The codes that Valhalla's own service uses for errors in this format. */
function codeOf(message: string): string {
  if (/No path could be found|unconnected regions/.test(message)) return 'NoRoute';
  if (/No suitable edges/.test(message)) return 'NoSegment';
  return message.includes('exceeds the max distance') ? 'DistanceExceeded' : 'InvalidOptions';
}

function send(response: ServerResponse, status: number, body: object | string): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
