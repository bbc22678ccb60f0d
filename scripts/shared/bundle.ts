import { readFileSync, writeFileSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ExecaError, execa } from 'execa';
import { SetupError } from './setup-error.ts';
import type { Compatibility } from './workerd.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** A Worker as it would be deployed. */
export interface Bundle {
  readonly path: string;
  readonly gzipKilobytes: number;
}

/** The service, bundled as `npm run build` does. */
export function bundleService(folder: string): Promise<Bundle> {
  return bundle('service', folder, join(ROOT, 'wrangler.toml'), 'worker.js');
}

/** Another Worker, bundled by the same tool with the same settings. `main` is its entry. */
export function bundleWorker(main: string, folder: string, { date, flags }: Compatibility): Promise<Bundle> {
  const { name } = parse(main);
  const config = join(folder, `${name}.wrangler.json`);
  writeFileSync(config, JSON.stringify({ name, main, compatibility_date: date, compatibility_flags: flags }));
  return bundle(name, folder, config, `${name}.js`);
}

const BUILD_TIMEOUT_MS = 120_000;

async function bundle(name: string, folder: string, config: string, file: string): Promise<Bundle> {
  const outdir = join(folder, `${name}.dist`);
  const args = ['deploy', '--dry-run', '--minify', '--outdir', outdir, '--config', config];
  try {
    await execa('wrangler', args, {
      cwd: ROOT,
      preferLocal: true,
      timeout: BUILD_TIMEOUT_MS,
      env: { WRANGLER_SEND_METRICS: 'false', WRANGLER_WRITE_LOGS: 'false', NO_COLOR: '1' },
    });
  } catch (error) {
    const reason =
      error instanceof ExecaError ? `${error.stderr}${error.stdout}`.trim() || error.message : String(error);
    throw new SetupError(`${name} cannot be bundled: ${reason}`);
  }
  const path = join(outdir, file);
  return { path, gzipKilobytes: gzipSync(readFileSync(path)).length / 1024 };
}
