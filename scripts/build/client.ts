import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { build, transform } from 'esbuild';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { isCommand } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { clientTypes } from './client-types.ts';

/** Writes the package of the TypeScript client to dist/client: `npm run build:client`. */

const ROOT = join(import.meta.dirname, '..', '..');
const SOURCES = join(ROOT, 'src');
const FOLDER = join(ROOT, 'dist', 'client');

/** The module of each entry, by its path in the package. */
const ENTRIES = {
  index: 'client.ts',
  rest: 'client/rest.ts',
  testing: 'client/testing.ts',
  'verify-webhook': 'client/verify-webhook.ts',
} as const;
/** The router of the server, in whose place the package has generated types. */
const ROUTER = 'client/router.ts';
const CATALOGUE = 'core/catalogue.ts';

const TARGET = 'es2022';

/** How each file is written for programs that import it and for those that require it. */
const FORMATS = { import: { code: '.js', types: '.d.ts' }, require: { code: '.cjs', types: '.d.cts' } } as const;

export async function buildClient(): Promise<string> {
  rmSync(FOLDER, { recursive: true, force: true });
  await writeCode();
  const declarations = declarationsFrom(Object.values(ENTRIES));
  for (const [name, text] of declarations) write(join('types', name), text);
  write(join('types', declarationName(ROUTER)), `${ROUTER_TYPES}${clientTypes()}`);
  for (const { types } of Object.values(FORMATS)) {
    for (const [name, source] of Object.entries(ENTRIES)) write(`${name}${types}`, entryTypes(source));
    write(`app-router${types}`, APP_ROUTER);
  }
  write('package.json', `${JSON.stringify(manifest(), undefined, 2)}\n`);
  write('README.md', readFileSync(join(ROOT, 'docs', 'client.md'), 'utf8'));
  return FOLDER;
}

/** ES modules, and the same modules for `require`. The entries share modules, so that each class exists once. */
async function writeCode(): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: SOURCES,
    outdir: FOLDER,
    target: TARGET,
    // Readable, so that a stack trace needs no source maps.
    minify: false,
    metafile: true,
    logLevel: 'error',
    entryPoints: { ...ENTRIES },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    external: ['@trpc/*'],
  });
  const { code } = FORMATS.require;
  for (const path of Object.keys(metafile.outputs)) {
    const name = basename(path, FORMATS.import.code);
    const text = readFileSync(join(FOLDER, `${name}${FORMATS.import.code}`), 'utf8');
    const required = await transform(text, { target: TARGET, format: 'cjs', platform: 'node' });
    write(`${name}${code}`, required.code.replaceAll(/(require\("\.\/[\w-]+)\.js"/g, `$1${code}"`));
  }
}

/** An entry has all types that its own can lead to, so that a program's declarations can name them. */
function entryTypes(source: string): string {
  const pathOf = (of: string) => `./types/${of.replace(/\.ts$/, '.cjs')}`;
  return `export * from '${pathOf(source)}';\nexport type * from '${pathOf(ROUTER)}';\n`;
}

/** The declarations of these modules and of those that their declarations import, by path. */
function declarationsFrom(entries: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const open = [...entries];
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    const name = declarationName(source);
    if (source === ROUTER || found.has(name)) continue;
    const { imports, text } = declarationOf(source);
    found.set(name, text);
    open.push(...imports);
  }
  return found;
}

const IMPORT = /(from ")(\.[^"]+)\.ts"/g;

function declarationOf(source: string): { readonly text: string; readonly imports: readonly string[] } {
  const { code, errors } = isolatedDeclarationSync(source, readFileSync(join(SOURCES, source), 'utf8'), {
    stripInternal: true,
  });
  const folder = posix.dirname(source);
  const imports: string[] = [];
  const text = code
    // Without tRPC's types, so that a program needs neither them nor the libraries that they name.
    .replace(/^import .* from "@trpc\/client";\n/m, '')
    .replace('extends TRPCClientError<MirsalRouter>', 'extends Error')
    .replace(/^import type \{ MirsalRouter \} from .*\n/m, '')
    .replaceAll(IMPORT, (_, start: string, path: string) => {
      const imported = posix.join(folder, `${path}.ts`);
      const target = imported === CATALOGUE ? ROUTER : imported;
      imports.push(target);
      return `${start}./${posix.relative(folder, target.replace(/\.ts$/, '.cjs'))}"`;
    });
  const left = /@trpc\/|MirsalRouter/.exec(text);
  if (errors.length > 0 || left !== null) {
    throw new SetupError(`${source} has no declaration of its own: ${left?.[0] ?? JSON.stringify(errors)}`);
  }
  return { text, imports };
}

/** Both formats share the declarations: ES modules may import types from CommonJS, but not the other way round. */
function declarationName(source: string): string {
  return source.replace(/\.ts$/, FORMATS.require.types);
}

function write(name: string, text: string): void {
  const path = join(FOLDER, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function manifest() {
  const { version, license, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  const entries = Object.keys(ENTRIES).map((name) => [name === 'index' ? '.' : `./${name}`, conditionsOf(name, true)]);
  return {
    name: 'mirsal-client',
    version,
    license,
    description: 'Typed client of the Mirsal shipment service.',
    type: 'module',
    sideEffects: false,
    engines,
    exports: { ...Object.fromEntries(entries), './app-router': conditionsOf('app-router', false) },
    // For tools that do not read `exports`.
    main: `./index${FORMATS.require.code}`,
    types: `./index${FORMATS.require.types}`,
    // A program may have another version, and one copy is enough.
    // Before 11.4.0 tRPC did not export the types that `AppRouter` consists of.
    peerDependencies: { '@trpc/client': '^11.4.0', '@trpc/server': '^11.4.0' },
  };
}

function conditionsOf(name: string, hasCode: boolean) {
  const conditions = Object.entries(FORMATS).map(([condition, { code, types }]) => [
    condition,
    { types: `./${name}${types}`, ...(hasCode ? { default: `./${name}${code}` } : {}) },
  ]);
  return Object.fromEntries(conditions) as Readonly<Record<string, unknown>>;
}

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
}

const ROUTER_TYPES = `/** Made from the procedures of the service. */
import type { Problem } from './problem.cjs';
export interface CallOptions { readonly signal?: AbortSignal | undefined }
export interface Query<Input, Output> { query(input: Input, options?: CallOptions): Promise<Output> }
export interface Mutation<Input, Output> { mutate(input: Input, options?: CallOptions): Promise<Output> }
/** One page of a list. */
export interface PageOf<Entry> { data: Entry[]; page: Page }
export type InputsOf<Api> = { [Name in keyof Api]: Api[Name] extends Query<infer Input, unknown> | Mutation<infer Input, unknown> ? Input : InputsOf<Api[Name]> };
export type OutputsOf<Api> = { [Name in keyof Api]: Api[Name] extends Query<never, infer Output> | Mutation<never, infer Output> ? Output : OutputsOf<Api[Name]> };
/** The inputs of the procedures: \`MirsalInputs['shipments']['create']\`. */
export type MirsalInputs = InputsOf<MirsalClient>;
/** The outputs of the procedures: \`MirsalOutputs['shipments']['list']\`. */
export type MirsalOutputs = OutputsOf<MirsalClient>;
/** \`client.shipments.create.mutate({ … })\`, \`client.shipments.get.query({ shipmentId })\`, and so on. */
`;

/** For a client of tRPC's own, whose types name libraries that a program need not have chosen. */
const APP_ROUTER = `/// <reference lib="dom" />
/// <reference lib="esnext.disposable" />
import type { TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure, TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER } from '@trpc/server';
import type { KeyedPath, MirsalClient, Mutation, ProblemCode, Query } from './types/client/router.cjs';
import type { Problem } from './types/client/problem.cjs';
export type * from './types/client/router.cjs';
export type { Problem, ProblemViolation } from './types/client/problem.cjs';
export type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER } from '@trpc/server';

/** The service's router for \`createTRPCClient\`. The program sends tokens and idempotency keys by itself. */
export type AppRouter = TRPCBuiltRouter<RouterTypes, Procedures<MirsalClient, ''>>;

export interface RouterTypes {
  ctx: object;
  meta: object;
  errorShape: {
    code: TRPC_ERROR_CODE_NUMBER;
    message: ProblemCode;
    data: { code: TRPC_ERROR_CODE_KEY; httpStatus: number; path?: string; problem: Problem | undefined };
  };
  transformer: false;
}

export type Procedures<Api, Prefix extends string> = {
  [Name in keyof Api & string]: Api[Name] extends Query<infer Input, infer Output>
    ? TRPCQueryProcedure<{ input: Input; output: Output; meta: object }>
    : Api[Name] extends Mutation<infer Input, infer Output>
      ? TRPCMutationProcedure<{ input: Keyed<Input, \`\${Prefix}\${Name}\`>; output: Output; meta: object }>
      : Procedures<Api[Name], \`\${Prefix}\${Name}.\`>;
};

export type Keyed<Input, Path> = Path extends KeyedPath ? Input & { idempotencyKey: string } : Input;
`;

if (isCommand(import.meta.filename)) console.log(await buildClient());
