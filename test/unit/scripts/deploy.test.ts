import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { newSettings, prepareBucket, settingsText } from '../../../scripts/operate/sandbox.ts';
import { PACKAGE_VERSION } from '../../../src/core/deployment.ts';
import { parseConfig } from '../../../src/service/config.ts';
import { BUCKET_KEY, newBucket } from '../../support/bucket.ts';
import { hasProgram } from '../../support/has-program.ts';
import { type ProviderServer, startProvider } from '../../support/provider-server.ts';

/* The files of deploy/, as far as no engine is needed. test/prove/deploy.test.ts builds and runs what they describe. */

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const DEPLOY = join(ROOT, 'deploy');
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8');

describe('deploy/Dockerfile', () => {
  const text = read('Dockerfile');

  test('has no instruction that a builder refuses or that is out of use', () => {
    expect(validate('FROM a\nRUNN b').map(({ message }) => message)).toEqual(['Unknown instruction: RUNN']);
    expect(validate(text)).toEqual([]);
  });

  test('starts from exact versions and runs without privileges, by number', () => {
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base);
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/:\w*-?\d+[\w.]*-\w/);
    expect(text).toMatch(/^USER (\d+):\1$/m);
    // A volume that is mounted on a folder of root's would belong to root (tursodatabase/libsql#1590).
    expect(text).toContain('mkdir -p /var/lib/mirsal && chown 10001:10001 /var/lib/mirsal');
  });

  test('is called by the version of package.json if the builder names none', () => {
    expect(text).toContain(`\nARG VERSION=${PACKAGE_VERSION}\n`);
  });

  test('takes everything that it copies from files that the builder is sent', () => {
    const sent = read('Dockerfile.dockerignore').match(/^!.+$/gm) ?? [];
    expect(sent.map((line) => line.slice(1)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(read('Dockerfile.dockerignore').startsWith('*\n')).toBe(true);
  });
});

const LINTER = { rules: {}, quiet: true, debug: false, exclude: [] };
const service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  read_only: z.boolean().optional(),
  network_mode: z.string().optional(),
  ports: z.array(z.string()).default([]),
  restart: z.string(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
});

describe('deploy/compose.yaml', () => {
  const { services } = z
    .object({ services: z.record(z.string(), service) })
    .parse(parse(read('compose.yaml'), { merge: true }));
  const all = Object.entries(services);

  test('follows the schema of Compose and has none of the errors that a linter knows', () => {
    const faults = (file: string) =>
      new DCLinter(LINTER)
        .lintFiles([file], false)
        .flatMap(({ messages }) =>
          messages.filter(({ type }) => type === 'error').map(({ rule, message }) => `${rule}: ${message}`),
        );
    expect(faults(join(DEPLOY, 'compose.yaml'))).toEqual([]);
    const folder = mkdtempSync(join(tmpdir(), 'mirsal-compose-'));
    try {
      writeFileSync(join(folder, 'compose.yaml'), read('compose.yaml').replace('    restart:', '    restarts:'));
      expect(faults(join(folder, 'compose.yaml')).join()).toContain('invalid-schema');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('publishes nginx alone, to this machine', () => {
    expect(all.filter(([, { ports }]) => ports.length > 0).map(([name, { ports }]) => [name, ports])).toEqual([
      ['nginx', ['127.0.0.1:8080:8080']],
    ]);
  });

  test('runs all programs but the object store on a read-only root', () => {
    expect(all.filter(([, { read_only }]) => read_only !== true).map(([name]) => name)).toEqual(['store']);
  });

  test('asks for health by number, because `localhost` may be ::1 (wallabag/docker#407)', () => {
    const tests = [...all.map(([, { healthcheck }]) => healthcheck?.test.join(' ') ?? ''), read('Dockerfile')];
    for (const text of tests) expect(text).not.toMatch(/\/\/localhost/);
  });

  test('lets another service wait for each that ends, or `up --wait` fails (docker/compose#10596)', () => {
    const awaited = all.flatMap(([, { depends_on }]) =>
      Object.entries(depends_on).filter(([, { condition }]) => condition === 'service_completed_successfully'),
    );
    const ending = all.filter(([, { restart }]) => restart === 'no').map(([name]) => name);
    expect(awaited.map(([name]) => name)).toEqual(ending);
    expect(ending).toEqual(['prepare']);
  });

  test('shares no network between services, which one of them loses at a restart (docker/compose#10263)', () => {
    expect(all.filter(([, { network_mode }]) => network_mode !== undefined)).toEqual([]);
  });

  test('gives nginx the shipped configuration, with a name for each address of the service', () => {
    const command = services['nginx']?.command?.[0] ?? '';
    const edit = command.slice(0, command.indexOf(' > ')).replace('/mirsal/nginx.conf', join(ROOT, 'docs/nginx.conf'));
    const edited = execFileSync('sh', ['-c', edit], { encoding: 'utf8' });
    for (const name of ['mirsal_a', 'mirsal_b'])
      expect(edited).toMatch(new RegExp(`upstream ${name} \\{ zone ${name} 64k; resolver 127\\.0\\.0\\.11 [^;]+;\\n`));
    expect(edited).toContain('server service:8787 resolve');
    expect(edited).not.toMatch(/server 127\.0\.0\.1/);
  });

  test('asks for settings that `sandbox settings` makes', async () => {
    const settings = await newSettings();
    const asked = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    expect(asked).toHaveLength(4);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(asked));
  });
});

describe('settings of a sandbox', () => {
  test('start a service, whether a shell, Compose or systemd reads them', async () => {
    const text = settingsText(await newSettings());
    // Each of them takes what is in single quotes as it is, if it has neither quotes nor ends of lines.
    expect(text.split('\n').filter((line) => !/^[A-Z0-9_]+='[^'\\]+'$/.test(line))).toEqual([]);
    const { deployment, shards, proxies } = parseConfig(parseEnv(text));
    expect([deployment, shards.length, proxies]).toEqual(['sandbox', 1, 1]);
  });

  test('are new each time', async () => {
    const [first, second] = [await newSettings(), await newSettings()];
    const same = Object.keys(first).filter((name) => first[name] === second[name]);
    expect(same).toEqual(['DEPLOYMENT', 'BASE_URL', 'PROXIES', 'MESSAGES', 'DISPATCH_WAITS']);
  });
});

describe('the bucket of a sandbox', () => {
  let store: ProviderServer;
  beforeEach(async () => {
    store = await startProvider();
  });
  afterEach(() => store.stop());
  const prepare = () => prepareBucket({ url: `${store.url}/documents`, ...BUCKET_KEY });

  test('is created and used once', async () => {
    const { kept, answer } = newBucket();
    store.answer = answer;
    await prepare();
    expect(store.asked.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'GET', 'DELETE']);
    expect([...kept.keys()]).toEqual(['/documents']);
  });

  test('is refused if the store takes files and keeps none, as one without the bucket may', async () => {
    store.answer = (response, { method }) => response.writeHead(method === 'PUT' ? 200 : 404).end();
    await expect(prepare()).rejects.toThrow('/documents does not keep files: its creation was answered 200.');
  });
});

test('deploy/sandbox.sh is a script of sh that makes settings once', () => {
  execFileSync('sh', ['-n', join(DEPLOY, 'sandbox.sh')]);
  expect(read('sandbox.sh')).toMatch(/^umask 077$/m);
  expect(read('sandbox.sh')).toContain('[ -s deploy/.env ] ||');
});

describe('deploy/mirsal.service', () => {
  const unit = read('mirsal.service');

  test('starts Deno itself, with the rights that docs/deploy.md gives it', () => {
    const [, command] = /^ExecStart=\/opt\/mirsal\/(\S+) run/m.exec(unit) ?? [];
    expect(command).toBe('node_modules/@deno/linux-x64-glibc/deno');
    const [, recipe = ''] = /^CMD \["deno", (.+)\]$/m.exec(read('Dockerfile')) ?? [];
    expect(unit).toContain(` ${recipe.replaceAll(/[",]/g, '')}\n`);
  });

  test.skipIf(!hasProgram('systemd-analyze'))('is accepted by systemd and leaves few rights', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mirsal-unit-'));
    try {
      const file = join(folder, 'mirsal.service');
      const runnable = unit.replace('/opt/mirsal/node_modules/@deno/linux-x64-glibc/deno', process.execPath);
      writeFileSync(file, runnable);
      expect(systemdComplaints(file)).toBe('');
      const options = ['security', '--offline=true', '--threshold=40', '--no-pager', file];
      expect(execFileSync('systemd-analyze', options, { encoding: 'utf8' })).toContain('OK');
      writeFileSync(file, runnable.replace('Restart=always', 'Restart=sometimes'));
      expect(systemdComplaints(file)).toContain('sometimes');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function systemdComplaints(file: string): string {
  try {
    return execFileSync('sh', ['-c', `systemd-analyze verify ${file} 2>&1`], { encoding: 'utf8' });
  } catch (error) {
    return z.object({ stdout: z.string() }).parse(error).stdout;
  }
}
