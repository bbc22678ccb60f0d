import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { type ChildGroup, startChild } from '../../scripts/shared/child-group.ts';
import { freePort, LOOPBACK } from '../../scripts/shared/ports.ts';
import { until } from '../../scripts/shared/until.ts';
import { BUCKET_KEY, newBucket } from '../support/bucket.ts';
import { type ProviderServer, startProvider } from '../support/provider-server.ts';

/*
 * What deploy/sandbox.sh does, without an engine: the instructions of deploy/Dockerfile in a clean folder, then the
 * commands of deploy/compose.yaml, all by a user without rights. Only addresses and folders are replaced by those of this
 * machine. Left out are the base images and nginx, and a simulated bucket takes the place of the object store.
 */

const ROOT = resolve(import.meta.dirname, '..', '..');
const DEPLOY = join(ROOT, 'deploy');
const isRoot = process.getuid?.() === 0;
const USER = isRoot ? 10001 : (process.getuid?.() ?? 0);
const AS_USER = isRoot ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--'] : ['env'];
const recipe = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8');
const compose = z
  .object({ services: z.record(z.string(), z.looseObject({ command: z.array(z.string()).optional() })) })
  .parse(parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }));

const folder = mkdtempSync(join(tmpdir(), 'mirsal-deploy-'));
const image = join(folder, 'image');
const children: ChildGroup[] = [];
const seconds: Record<string, number> = {};
let store: ProviderServer;
let variables: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  chmodSync(folder, 0o755);
  await timed('build', build);
  store = await startProvider();
  store.answer = newBucket().answer;
}, 900_000);

afterAll(async () => {
  for (const child of children.toReversed()) await child.stop();
  await store?.stop();
  rmSync(folder, { recursive: true, force: true });
  console.info(
    Object.entries(seconds)
      .map(([step, took]) => `${step} ${took.toFixed(1)} s`)
      .join(', '),
  );
});

test('the image leads from nothing to a first shipment on a root that it cannot write', async () => {
  const ports = { directory: await freePort(), shard: await freePort(), service: await freePort() };
  const admin = { directory: await freePort(), shard: await freePort() };
  const base = `http://${LOOPBACK}:${ports.service}`;
  const settings = (await run(['node', 'scripts/operate/sandbox.ts', 'settings']))
    .replaceAll('http://directory:8080', `http://${LOOPBACK}:${ports.directory}`)
    .replaceAll('http://directory:9090', `http://${LOOPBACK}:${admin.directory}`)
    .replaceAll('http://shard-1:8080', `http://${LOOPBACK}:${ports.shard}`)
    .replaceAll('http://shard-1:9090', `http://${LOOPBACK}:${admin.shard}`);
  const made = parseEnv(settings);
  const documents = { url: `${store.url}/documents`, ...BUCKET_KEY };
  const changes = { DOCUMENTS: JSON.stringify(documents), HOST: LOOPBACK, PORT: String(ports.service) };
  variables = Object.fromEntries(Object.entries({ ...made, ...changes }).map(([name, value]) => [name, within(value)]));
  for (const [name, place] of [
    ['directory', 'directory'],
    ['shard-1', 'shard'],
  ] as const) {
    const data = makeVolume(name);
    const command = commandOf(name).map((part) =>
      part
        .replace('/var/lib/mirsal', data)
        .replace('0.0.0.0:8080', `${LOOPBACK}:${ports[place]}`)
        .replace('0.0.0.0:9090', `${LOOPBACK}:${admin[place]}`),
    );
    start(command);
    await answers(`http://${LOOPBACK}:${ports[place]}/health`);
  }
  makeVolume('mirsal');
  await timed('prepare', () => run(commandOf('prepare')));
  const began = performance.now();
  start(lineOf('CMD'));
  await answers(`${base}/health`);
  seconds['start'] = (performance.now() - began) / 1000;
  // The image's own check of its health.
  await run(lineOf('HEALTHCHECK'));
  expect(await (await fetch(`${base}/health`)).json()).toEqual({ status: 'ok', version: '1.0.0' });
  await timed('stock', () => run(['node', 'scripts/operate/sandbox.ts', 'stock', '--base', base]));
  const onboard = ['node', 'scripts/dev/onboard.ts', '--base', base, '--messages', within('/var/lib/mirsal/messages')];
  const printed = await timed('onboard', () => run(onboard));
  expect(printed).toMatch(/Shipment +\S+ +[A-Z_]+/);
  expect(store.asked.map(({ method }) => method)).toContain('PUT');
  // What only builders and tests need is left out.
  expect(globSync('app/node_modules/{vitest,wrangler,deno}', { cwd: image })).toEqual([]);
}, 600_000);

/** Runs the instructions of the recipe. Each stage has a folder that stands for its root. */
async function build(): Promise<void> {
  const context = join(folder, 'context');
  const sent = readFileSync(join(DEPLOY, 'Dockerfile.dockerignore'), 'utf8').match(/(?<=^!).+$/gm) ?? [];
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...sent], { cwd: ROOT });
  for (const file of listed.toString().trim().split('\n')) copy(join(ROOT, file), join(context, file));
  const stages = new Map<string, string>();
  let stage = image;
  for (const [, instruction = '', rest = ''] of recipe.matchAll(/^([A-Z]+) (.+)$/gm)) {
    if (instruction === 'FROM') {
      const [, name] = / AS (\w+)$/.exec(rest) ?? [];
      stage = name === undefined ? image : join(folder, name);
      if (name !== undefined) stages.set(name, stage);
      mkdirSync(join(stage, 'app'), { recursive: true });
      mkdirSync(join(stage, 'home'));
      mkdirSync(join(stage, 'usr/local/bin'), { recursive: true });
    } else if (instruction === 'COPY') {
      const [, from, paths = ''] = /^(?:--from=(\w+) )?(.+)$/.exec(rest) ?? [];
      const [target = '', ...sources] = paths.split(' ').toReversed();
      for (const source of sources.toReversed()) {
        const origin = from === undefined ? join(context, source) : join(stages.get(from) ?? '', source);
        const place = resolve(stage, 'app', target.startsWith('/') ? join(stage, target) : target);
        copy(origin, target.endsWith('/') && source !== '.' ? join(place, basename(source)) : place);
      }
      if (isRoot && stage !== image) execFileSync('chown', ['-R', `${USER}:${USER}`, stage]);
    } else if (instruction === 'RUN') {
      const command = rest
        .replaceAll('/var/lib/mirsal', join(stage, 'var/lib/mirsal'))
        .replaceAll('10001', String(USER));
      // Only the last stage needs rights, to give a folder away.
      const prefix = stage === image ? [] : AS_USER;
      await execa('env', [...prefix, 'sh', '-c', command], {
        cwd: join(stage, 'app'),
        env: environmentOf(stage),
        extendEnv: false,
      });
    }
  }
  for (const each of stages.values()) rmSync(each, { recursive: true });
}

function copy(origin: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true });
  cpSync(origin, place, { recursive: true, verbatimSymlinks: true });
}

/** The stage's programs, then those of this machine that the base image has. While it is built, its Node is this one. */
function environmentOf(stage: string): NodeJS.ProcessEnv {
  const own = [join(stage, 'usr/local/bin'), join(stage, 'app/node_modules/.bin')];
  const ofMachine = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  return {
    PATH: [...own, ...(stage === image ? [] : [dirname(process.execPath)]), ...ofMachine].join(delimiter),
    HOME: join(stage, 'home'),
    npm_config_registry: registry,
    NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
    // Where nothing can be written. Only a file system in memory is there in a container.
    DENO_DIR: join(stage, 'tmp/deno'),
    VERSION: /^ARG VERSION=(.+)$/m.exec(recipe)?.[1],
  };
}

function within(text: string): string {
  return text.replaceAll('/var/lib/mirsal', join(image, 'var/lib/mirsal'));
}

/** The folder of a volume. It has the owner of the image's folder, as a new volume does. */
function makeVolume(name: string): string {
  const path = name === 'mirsal' ? join(image, 'var/lib/mirsal') : join(folder, 'volumes', name);
  mkdirSync(path, { recursive: true });
  if (isRoot) execFileSync('chown', [`${USER}:${USER}`, path]);
  return path;
}

function commandOf(name: string): string[] {
  return [...(compose.services[name]?.command ?? [])];
}

/** The program of an instruction in its JSON form. */
function lineOf(instruction: 'CMD' | 'HEALTHCHECK'): string[] {
  const [, text = ''] = new RegExp(`^${instruction} .*?(\\[".+\\])$`, 'm').exec(recipe) ?? [];
  return z.array(z.string()).parse(JSON.parse(text)).map(within);
}

function environment(): NodeJS.ProcessEnv {
  return { ...environmentOf(image), ...variables };
}

function start(command: readonly string[]): void {
  const [program = '', ...args] = [...AS_USER, ...command];
  children.push(startChild({ command: program, args, cwd: join(image, 'app'), env: environment() }));
}

/** Asynchronous, because the bucket answers in this process. */
async function run(command: readonly string[]): Promise<string> {
  const [program = '', ...args] = [...AS_USER, ...command];
  return (await execa(program, args, { cwd: join(image, 'app'), env: environment(), extendEnv: false })).stdout;
}

async function timed<Value>(step: string, work: () => Promise<Value>): Promise<Value> {
  const began = performance.now();
  const value = await work();
  seconds[step] = (performance.now() - began) / 1000;
  return value;
}

async function answers(address: string): Promise<void> {
  await until(`${address} is 200`, () =>
    fetch(address).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    ),
  );
}
