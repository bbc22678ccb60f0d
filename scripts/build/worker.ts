import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildResult, build, type Plugin } from 'esbuild';
import { failWith, isCommand } from '../shared/command.ts';
import { replaceFolder } from '../shared/replace-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** The folder that wrangler uploads: see `main` in wrangler.toml. */
const FOLDER = join(ROOT, 'dist', 'worker');

/** zod's schemas bring 19 kB that write JSON Schema. The service writes none: `docs/openapi.json` is made by a script. */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]to-json-schema\.js$/ }, () => ({
      contents: `const absent = () => { throw new Error('The bundle has no JSON Schema'); };
export const createToJSONSchemaMethod = () => absent;
export const createStandardJSONSchemaMethod = () => absent;
export { absent as processSchema, absent as process, absent as initializeContext, absent as extractDefs, absent as finalize };`,
    }));
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]json-schema-processors\.js$/ }, () => ({
      contents: 'export const allProcessors = {}; export const toJSONSchema = undefined;',
    }));
  },
};

/** The fonts of labels are not in WOFF2, so fontkit needs no decompressor: 50 kB compressed. */
const withoutBrotli: Plugin = {
  name: 'without-brotli',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]brotli[\\/]decompress\.js$/ }, () => ({
      contents: "export default () => { throw new Error('The bundle has no Brotli'); };",
    }));
  },
};

/**
 * Bundles `src/worker.ts` as ES modules. What the sources import statically is loaded when an isolate starts, and what
 * they load by `import()` when it is first needed.
 */
async function bundleWorker() {
  return build({
    absWorkingDir: ROOT,
    entryPoints: ['src/worker.ts'],
    outdir: FOLDER,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"', 'navigator.userAgent': '"Cloudflare-Workers"' },
    // Arabic as it is: escaped, each letter takes three times the bytes.
    charset: 'utf8',
    // With `npm run dev`, stack traces name functions as the sources do. wrangler sets this variable.
    minify: process.env['WRANGLER_COMMAND'] !== 'dev',
    sourcemap: true,
    logOverride: { 'import-is-undefined': 'silent' },
    logLevel: 'warning',
    plugins: [withoutJsonSchema, withoutBrotli],
  });
}

async function makeWorker(): Promise<void> {
  const { outputFiles } = await bundleWorker();
  const files = outputFiles.map(({ path, contents }) => [relative(FOLDER, path), contents] as const);
  // The entry comes last, because it names the other files.
  replaceFolder(FOLDER, new Map(files.toSorted(([one], [other]) => Number(one === ENTRY) - Number(other === ENTRY))));
}
const ENTRY = 'worker.js';

/** The modules that are loaded at one time. */
export interface Loaded {
  readonly gzipKilobytes: number;
  /** The sources in them, with paths from the root. */
  readonly sources: readonly string[];
}

/** What a new isolate loads at its start, and what it loads later. */
export async function measureWorker(): Promise<{ readonly atStart: Loaded; readonly later: Loaded }> {
  const result = await bundleWorker();
  const names = Object.keys(result.metafile.outputs).filter((path) => path.endsWith('.js'));
  const start = new Set<string>();
  const add = (path: string) => {
    if (start.has(path)) return;
    start.add(path);
    const { imports = [] } = result.metafile.outputs[path] ?? {};
    for (const { path: next, kind, external } of imports)
      if (kind === 'import-statement' && external !== true) add(next);
  };
  for (const path of names) if (path.endsWith(`/${ENTRY}`)) add(path);
  const loadedOf = (paths: readonly string[]): Loaded => ({
    gzipKilobytes: gzipSync(Buffer.concat(paths.map((path) => contentsOf(result, path)))).length / 1024,
    sources: paths.flatMap((path) => Object.keys(result.metafile.outputs[path]?.inputs ?? {})),
  });
  return { atStart: loadedOf([...start]), later: loadedOf(names.filter((path) => !start.has(path))) };
}

function contentsOf({ outputFiles }: BuildResult<{ write: false }>, path: string): Uint8Array {
  const file = outputFiles.find((output) => output.path === join(ROOT, path));
  if (file === undefined) throw new Error(`esbuild did not write ${path}`);
  return file.contents;
}

if (isCommand(import.meta.filename)) {
  try {
    await makeWorker();
  } catch (error) {
    failWith(error);
  }
}
