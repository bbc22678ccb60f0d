import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { startHttpProxy } from '../../scripts/shared/http-proxy.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { freePort, LOOPBACK } from '../../scripts/shared/ports.ts';
import { buildPages } from '../../scripts/shared/service.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { hasNginx, startNginx } from '../support/nginx.ts';

/*
 * `npm run restart` replaces the service under load, behind the shipped nginx.conf, and behind a proxy of this project that looks for the
 * same file where there is no nginx.
 */

const ROOT = resolve(import.meta.dirname, '..', '..');
const COMMAND = join(ROOT, 'scripts', 'operate', 'restart.ts');
const EVERY_MS = 20;

interface Front {
  readonly address: string;
  stop(): Promise<void> | void;
}
interface Place {
  readonly folder: string;
  readonly ports: readonly [number, number];
}

let place: Place;
let front: Front;
let environment: OwnEnvironment;

const FRONTS = [
  ['the shipped nginx.conf', ({ folder, ports }: Place) => startNginx(folder, ports)],
  ['a proxy of this project', startOwnProxy],
] as const;

describe.each(hasNginx() ? FRONTS : FRONTS.slice(1))('a restart behind %s', (_name, startFront) => {
  beforeAll(async () => {
    await buildPages();
    place = { folder: mkdtempSync(join(tmpdir(), 'mirsal-restart-')), ports: [await freePort(), await freePort()] };
    front = await startFront(place);
    environment = await startEnvironment('deno', { PROXIES: '1' }, async (variables) => {
      await restart(variables);
      return {
        address: front.address,
        logs: () => readFileSync(join(place.folder, 'service.log'), 'utf8').split('\n'),
        sweep: () => Promise.resolve(),
        stop: () => endAll(place),
      };
    });
  });
  afterAll(async () => {
    await environment.stop();
    await front.stop();
    rmSync(place.folder, { recursive: true, force: true });
  });

  it('loses none of 50 requests a second, there and back', async () => {
    const merchant = await merchantOf(environment, environment.companies[0]);
    const body = shipmentBody(environment.companies[0]);
    const answered: Promise<number | string>[] = [];
    let isOver = false;
    const send = async () => {
      const startedAtMs = performance.now();
      for (let count = 0; !isOver; count += 1) {
        const response =
          count % 2 === 0
            ? merchant.postShipment({ ...body, externalReference: `restart-${count}` })
            : merchant.get(`${SHIPMENTS}?limit=1`);
        answered.push(response.then(statusOf, String));
        await delay(Math.max(0, startedAtMs + (count + 1) * EVERY_MS - performance.now()));
      }
    };
    const sending = send();
    const second = await restart(environment.variables);
    const third = await restart(environment.variables);
    await delay(500);
    isOver = true;
    await sending;
    const [a, b] = place.ports;
    expect([second.stdout, third.stdout]).toEqual([
      `serving on port ${b}, stopped on port ${a}`,
      `serving on port ${a}, stopped on port ${b}`,
    ]);
    const lost = (await Promise.all(answered)).filter((status) => status !== 200 && status !== 201);
    expect(answered.length).toBeGreaterThan(200);
    expect(lost).toEqual([]);
  });

  it('leaves the present version serving if the next one does not start', async () => {
    const wrong = await restart({ ...environment.variables, BASE_URL: 'https://mirsal.example/path' });
    expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining('The new version')]);
    expect((await environment.fetch('/health')).status).toBe(200);
  });
});

function restart(variables: Readonly<Record<string, string>>) {
  const args = [COMMAND, '--folder', place.folder, '--ports', place.ports.join(',')];
  return execa(process.execPath, args, { env: { ...process.env, ...variables }, reject: false });
}

async function statusOf(response: Response): Promise<number> {
  await response.arrayBuffer();
  return response.status;
}

/** Ends the processes that the command has started, by its files. */
async function endAll({ folder }: Place): Promise<void> {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const { pid } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGTERM');
    await until('it ends', () => (existsSync(`/proc/${pid}`) ? undefined : true));
  }
}

function startOwnProxy({ folder, ports }: Place): Promise<Front> {
  const portNow = () => (existsSync(join(folder, 'b')) ? ports[1] : ports[0]);
  return startHttpProxy(() => `http://${LOOPBACK}:${portNow()}`, {}).then(({ url, close }) => ({
    address: url,
    stop: close,
  }));
}
