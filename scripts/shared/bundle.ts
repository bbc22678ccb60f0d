import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { ExecaError, execa } from 'execa';
import { SetupError } from './setup-error.ts';
import type { Compatibility } from './workerd.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** A Worker as it would be deployed. */
export interface Bundle {
  /** The entry. Its folder has the other modules. */
  readonly path: string;
}

/** The service, bundled as `npm run build` does. */
export function bundleService(folder: string): Promise<Bundle> {
  return bundle({ name: 'service', folder, config: join(ROOT, 'wrangler.toml'), file: 'worker.js' });
}

/** Holds the path of the bundle for the processes that this one starts. */
const SHARED_BUNDLE = 'SERVICE_BUNDLE';
let bundled: Promise<string> | undefined;

/** The path of the service's bundle, whose pages are in `dist`. It is made once, because the sources do not change meanwhile. */
export async function serviceBundle(): Promise<string> {
  const shared = process.env[SHARED_BUNDLE];
  if (shared !== undefined) return shared;
  bundled ??= makeSharedBundle();
  return bundled;
}

export function hasSharedBundle(): boolean {
  return process.env[SHARED_BUNDLE] !== undefined;
}

async function makeSharedBundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-bundle-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { path } = await bundleService(folder);
  process.env[SHARED_BUNDLE] = path;
  return path;
}

/** Another Worker, bundled by the same tool with the same settings. `main` is its entry. */
export function bundleWorker(main: string, folder: string, { date, flags }: Compatibility): Promise<Bundle> {
  const { name } = parse(main);
  const config = join(folder, `${name}.wrangler.json`);
  writeFileSync(config, JSON.stringify({ name, main, compatibility_date: date, compatibility_flags: flags }));
  return bundle({ name, folder, config, file: `${name}.js`, minify: true });
}

const BUILD_TIMEOUT_MS = 120_000;

interface Bundling {
  readonly name: string;
  readonly folder: string;
  readonly config: string;
  readonly file: string;
  /** For wrangler's own bundles. */
  readonly minify?: true;
}

async function bundle({ name, folder, config, file, minify }: Bundling): Promise<Bundle> {
  const outdir = join(folder, `${name}.dist`);
  const args = ['deploy', '--dry-run', ...(minify ? ['--minify'] : []), '--outdir', outdir, '--config', config];
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
  return { path: join(outdir, file) };
}
