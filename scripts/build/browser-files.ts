import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Manifest } from 'vite';
import type { BrowserFiles } from '../../src/http/web/asset-paths.ts';
import { writeFonts, writeLabelFonts } from './fonts.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Builds by a hash of their sources. A folder that exists is complete. */
const BUILDS = join(ROOT, 'dist', 'browser');
/** The entries for browsers, by their names in pages. */
const ENTRIES = {
  site: 'src/pages/site.css',
  reference: 'src/pages/reference/browser.ts',
  console: 'src/console/main.tsx',
  driver: 'src/driver/main.tsx',
  worker: 'src/driver/worker.ts',
  tracking: 'src/http/web/tracking/browser.ts',
  // The tracking page loads it by this address, because the loader of the bundler alone is nearly a kilobyte.
  'route-map': 'src/http/web/tracking/route-map.ts',
  recipient: 'src/http/web/recipient/browser.ts',
  waybill: 'src/http/web/waybill/waybill.css',
  proof: 'src/http/web/proof/proof.css',
} as const;
/** All sources that a browser file may depend on. */
const SOURCES = ['src', 'package-lock.json', 'scripts/build/browser-files.ts', 'scripts/build/fonts.ts'];
/** A font with the letters of a language. */
const LETTERS = /^assets\/((?:arabic|latin)-\d+)-[\w-]{8}\.woff2$/;
/** Browsers of the last two and a half years. */
const TARGETS = ['chrome123', 'firefox128', 'safari17.4'];

/** A build: each file by its path among the assets, and what the service has to know of them. */
export interface BrowserBuild {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly browserFiles: BrowserFiles;
}

/** Scripts, styles and fonts for browsers, with content hashes in their names. They are built only if a source has changed. */
export async function browserBuild(): Promise<BrowserBuild> {
  const folder = join(BUILDS, sourceKey());
  if (!existsSync(folder)) await buildInto(folder);
  const names = readdirSync(join(folder, 'assets'));
  const fonts = readdirSync(join(folder, 'fonts')).map((name) => `fonts/${name}`);
  const files = [...names.map((name) => `assets/${name}`), ...fonts].map((path): [string, Uint8Array] => [
    path,
    readFileSync(join(folder, path)),
  ]);
  const entries = JSON.parse(readFileSync(join(folder, 'entries.json'), 'utf8')) as BrowserFiles['entries'];
  return { files: new Map(files), browserFiles: { entries, names } };
}

async function buildInto(folder: string): Promise<void> {
  mkdirSync(BUILDS, { recursive: true });
  const draft = mkdtempSync(join(BUILDS, 'draft-'));
  const letters = mkdtempSync(join(BUILDS, 'draft-'));
  try {
    await writeFonts(letters);
    await build({
      root: ROOT,
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      resolve: { alias: { '@letters': letters } },
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        outDir: draft,
        emptyOutDir: true,
        manifest: 'manifest.json',
        target: TARGETS,
        // The content security policy does not allow `data:`.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        // The library of the map, which loads only where a map is shown.
        chunkSizeWarningLimit: 1200,
        rolldownOptions: {
          input: { ...ENTRIES },
          // The tracking page calls what its map exports.
          preserveEntrySignatures: 'exports-only',
          output: {
            // The worker of the map is copied as it is. Its name ends as the names of other scripts do.
            assetFileNames: ({ names: [name = ''] }) =>
              `assets/[name]-[hash]${name.endsWith('.mjs') ? '.js' : '[extname]'}`,
            codeSplitting: {
              groups: [
                // One file of what console and drivers' page share compresses better than the pieces that lazy parts would make of it.
                { name: 'kit', test: /\/kit\/(?:loading|problem-notice)\.tsx$/ },
                // The tracking page shares only this with them.
                { name: 'page-script', test: /\/ui\/page-script\.ts$/, priority: 1 },
              ],
            },
          },
          // The client of tRPC comes with parts for servers and WebSockets, which no page calls.
          treeshake: {
            moduleSideEffects: [{ test: /node_modules\/@trpc\//, sideEffects: false }],
            manualPureFunctions: ['__commonJS', '__commonJSMin', '__toESM'],
          },
        },
      },
    });
    const manifest = JSON.parse(readFileSync(join(draft, 'manifest.json'), 'utf8')) as Manifest;
    await writeLabelFonts(draft);
    writeFileSync(join(draft, 'entries.json'), JSON.stringify(entriesOf(manifest)));
    moveWhole(draft, folder);
  } finally {
    for (const folder of [draft, letters]) rmSync(folder, { recursive: true, force: true });
  }
  forgetOlder(basename(folder));
}

/** `console.js`, `console.css` and so on, by the names of the entries, and the fonts that pages preload. */
function entriesOf(manifest: Manifest): BrowserFiles['entries'] {
  const entries: Record<string, string> = {};
  for (const [name, source] of Object.entries(ENTRIES)) {
    const chunk = manifest[source];
    if (chunk === undefined) throw new Error(`${source} was not built`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) entries[`${name}.${file.split('.').at(-1)}`] = `/${file}`;
  }
  for (const { file } of Object.values(manifest)) {
    const [, font] = LETTERS.exec(file) ?? [];
    if (font !== undefined) entries[`${font}.woff2`] = `/${file}`;
  }
  return entries;
}

/** If another process has built the same meanwhile, its files are used. */
function moveWhole(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** Keeps two more builds, because a process that has just started may still read one. */
function forgetOlder(newest: string): void {
  const old = readdirSync(BUILDS)
    .filter((name) => name !== newest && !name.startsWith('draft-'))
    .map((name) => ({ name, at: statSync(join(BUILDS, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at);
  for (const { name } of old.slice(2)) rmSync(join(BUILDS, name), { recursive: true, force: true });
}

function sourceKey(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES.flatMap(filesOf).toSorted()) {
    hash
      .update(`${source}\0`)
      .update(readFileSync(join(ROOT, source)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 20);
}

function filesOf(path: string): string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
}
