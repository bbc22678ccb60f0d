import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { failWith, isCommand } from '../shared/command.ts';
import { replaceFolder } from '../shared/replace-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** The folder that wrangler uploads: see `main` in wrangler.toml. */
const FOLDER = join(ROOT, 'dist', 'worker');

/** zod's schemas bring 19 kB that write JSON Schema. The service writes none: `docs/openapi.json` is made by a script. */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  load: {
    filter: { id: /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/ },
    handler: (id) =>
      id.endsWith('processors.js')
        ? 'export const allProcessors = {}; export const toJSONSchema = undefined;'
        : `const absent = () => { throw new Error('The bundle has no JSON Schema'); };
export const createToJSONSchemaMethod = () => absent;
export const createStandardJSONSchemaMethod = () => absent;
export { absent as processSchema, absent as process, absent as initializeContext, absent as extractDefs, absent as finalize };`,
  },
};

/** The fonts of labels are not in WOFF2, so fontkit needs no decompressor: 50 kB compressed. */
const withoutBrotli: Plugin = {
  name: 'without-brotli',
  load: {
    filter: { id: /[\\/]brotli[\\/]decompress\.js$/ },
    handler: () => "export default () => { throw new Error('The bundle has no Brotli'); };",
  },
};

/** Descriptions of members and operations are for the OpenAPI document, which a script makes. Blanks keep the places of source maps. */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  transform: {
    filter: { id: /[\\/](?:contract|routers)[\\/][\w-]+\.ts$/, code: /\.describe\(|summary: / },
    handler(code) {
      let shorter = code;
      const tree = parseAst(code, { lang: 'ts' });
      for (const [start, end] of describeCalls(tree))
        shorter = shorter.slice(0, start) + blank(code.slice(start, end)) + shorter.slice(end);
      for (const [start, end] of operationTexts(tree))
        shorter = `${shorter.slice(0, start)}''${blank(code.slice(start, end)).slice(2)}${shorter.slice(end)}`;
      return { code: shorter, map: null };
    },
  },
};

/** The places of the texts of operations in a tree. */
function operationTexts(node: unknown): Span[] {
  if (typeof node !== 'object' || node === null) return [];
  const found = Object.values(node).flatMap(operationTexts);
  const { type, key, value } = node as {
    readonly type?: string;
    readonly key?: { name?: string };
    readonly value?: Text;
  };
  const isText = value?.type === 'Literal' || value?.type === 'TemplateLiteral';
  const isOfOperation = type === 'Property' && (key?.name === 'summary' || key?.name === 'description');
  return isOfOperation && isText ? [...found, [value.start, value.end]] : found;
}
type Span = readonly [start: number, end: number];
interface Text {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

/** The places of `.describe(…)` in a tree. */
function describeCalls(node: unknown): Span[] {
  if (typeof node !== 'object' || node === null) return [];
  const found = Object.values(node).flatMap(describeCalls);
  const { type, callee, end } = node as { readonly type?: string; readonly callee?: Callee; readonly end?: number };
  if (type !== 'CallExpression' || callee?.property?.name !== 'describe' || end === undefined) return found;
  return [...found, [callee.object.end, end]];
}
interface Callee {
  readonly object: { readonly end: number };
  readonly property?: { readonly name?: string };
}

/** Indexes, checks and foreign keys are for the migrations, which a script makes. Statements need only columns and primary keys. */
const withoutIndexes: Plugin = {
  name: 'without-indexes',
  transform: {
    filter: { id: /[\\/]db[\\/]\w+[\\/]schema[\\/][\w-]+\.ts$/ },
    handler(code) {
      let shorter = code;
      // drizzle flattens the array.
      for (const [start, end] of constraintsIn(parseAst(code, { lang: 'ts' })))
        shorter = `${shorter.slice(0, start)}[]${blank(code.slice(start + 2, end))}${shorter.slice(end)}`;
      return { code: shorter, map: null };
    },
  },
};
const CONSTRAINT = /^(?:index|uniqueIndex|check|foreignKey)$/;

/** The places of the members of arrays that begin with a call of one of them. */
function constraintsIn(node: unknown): [start: number, end: number][] {
  if (typeof node !== 'object' || node === null) return [];
  const { elements = [] } = node as { readonly elements?: readonly Chain[] };
  const own = elements.filter((element) => CONSTRAINT.test(firstNameOf(element)));
  return [
    ...own.map(({ start, end }): [number, number] => [start, end]),
    ...Object.values(node).flatMap(constraintsIn),
  ];
}

/** `index` of `index('name').on(column).where(condition)`. */
function firstNameOf({ name, callee, object }: Chain): string {
  const inner = callee ?? object;
  return inner === undefined ? (name ?? '') : firstNameOf(inner);
}
interface Chain {
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly callee?: Chain;
  readonly object?: Chain;
}

/** WebAssembly is a module of its own beside the bundle: Workers compile none while they run. */
const wasmModules: Plugin = {
  name: 'wasm-modules',
  resolveId: {
    filter: { id: /\.wasm$/ },
    handler: (id) => ({ id: `./${basename(id)}`, external: true }),
  },
};
const WASM = ['harfbuzzjs/dist/harfbuzz.wasm'];

function wasmFiles(): [name: string, bytes: Buffer][] {
  const { resolve } = createRequire(import.meta.url);
  return WASM.map((path) => [basename(path), readFileSync(resolve(path))]);
}

/**
 * Bundles `src/worker.ts` as ES modules. What the sources import statically is loaded when an isolate starts, and what
 * they load by `import()` when it is first needed.
 */
async function bundleWorker() {
  const { output } = await build({
    cwd: ROOT,
    input: { worker: 'src/worker.ts' },
    write: false,
    external: /^cloudflare:/,
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import', 'module', 'default'] },
    transform: {
      target: 'es2024',
      define: { 'process.env.NODE_ENV': '"production"', 'navigator.userAgent': '"Cloudflare-Workers"' },
    },
    checks: { importIsUndefined: false },
    plugins: [withoutJsonSchema, withoutBrotli, withoutDescriptions, withoutIndexes, wasmModules],
    output: {
      // Source maps name the sources from here.
      dir: FOLDER,
      format: 'es',
      // With `npm run dev`, stack traces name functions as the sources do. wrangler sets this variable.
      minify: process.env['WRANGLER_COMMAND'] !== 'dev',
      sourcemap: true,
      chunkFileNames: '[name]-[hash].js',
      // One file: as many small files, the start takes 8 kB more, compressed.
      codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] },
    },
  });
  return output;
}

async function makeWorker(): Promise<void> {
  const files = (await bundleWorker()).map((file) => {
    const content = file.type === 'chunk' ? file.code : file.source;
    return [file.fileName, typeof content === 'string' ? Buffer.from(content) : content] as const;
  });
  files.push(...wasmFiles());
  // The entry comes last, because it names the other files.
  replaceFolder(FOLDER, new Map(files.toSorted(([one], [other]) => Number(one === ENTRY) - Number(other === ENTRY))));
}
const ENTRY = 'worker.js';

/** The modules that are loaded at one time. */
export interface Loaded {
  readonly gzipKilobytes: number;
  /** The sources in them, with paths from the root. */
  readonly sources: readonly string[];
  readonly code: string;
}

/** What a new isolate loads at its start, and what it loads later. */
export async function measureWorker(): Promise<{
  readonly atStart: Loaded;
  readonly later: Loaded;
  /** HarfBuzz, which a Worker starts at its first label. */
  readonly wasmGzipKilobytes: number;
}> {
  const chunks = (await bundleWorker()).filter((file) => file.type === 'chunk');
  const start = new Set<string>();
  const add = (name: string) => {
    if (start.has(name)) return;
    start.add(name);
    for (const { fileName, imports } of chunks) if (fileName === name) imports.forEach(add);
  };
  add(ENTRY);
  const loadedOf = (loaded: typeof chunks): Loaded => {
    const code = loaded.map((chunk) => chunk.code).join('');
    const sources = loaded.flatMap(({ moduleIds }) => moduleIds.map((id) => relative(ROOT, id)));
    return { gzipKilobytes: gzipSync(code).length / 1024, sources, code };
  };
  return {
    atStart: loadedOf(chunks.filter(({ fileName }) => start.has(fileName))),
    later: loadedOf(chunks.filter(({ fileName }) => !start.has(fileName))),
    wasmGzipKilobytes: gzipSync(Buffer.concat(wasmFiles().map(([, bytes]) => bytes))).length / 1024,
  };
}

if (isCommand(import.meta.filename)) {
  try {
    await makeWorker();
  } catch (error) {
    failWith(error);
  }
}
