import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { isCommand } from '../shared/command.ts';

/** Lists third-party packages in the bundles with their versions, for docs/security.md: `npm run -s shipped`. */

const ROOT = resolve(import.meta.dirname, '..', '..');
/** The entries of servers and browsers. */
const ENTRIES = ['src/worker.ts', 'src/deno.ts', 'src/console/main.tsx', 'src/http/web/tracking/browser.ts'];

/** `name version` of every package with a module in one of the bundles. */
export async function shippedPackages(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES,
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'dist',
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:workers', '*.woff2', '*?url'],
    loader: { '.wasm': 'copy' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
  });
  const names = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)].toSorted().map((name) => `${name} ${versionOf(name)}`);
}

function versionOf(name: string): string {
  const text = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
  return String((JSON.parse(text) as { readonly version?: unknown }).version);
}

if (isCommand(import.meta.filename)) process.stdout.write(`${(await shippedPackages()).join('\n')}\n`);
