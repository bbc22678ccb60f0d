import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildClient } from '../../scripts/build/client.ts';
import { proceduresForPrograms } from '../../scripts/build/client-types.ts';
import { PROGRAM, STOCK_PROGRAM, writeLibrary } from '../support/client-programs.ts';

/*
 * Clients that other people's generators make of the document, by the lines of the guide “Generate a client”. They need TypeScript 5, so they are installed beside this
 * file: `npm run test:generators`.
 */

const TIMEOUT_MS = 300_000;
const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');
const GUIDES = join(import.meta.dirname, '../../docs/site/guides');
const INSTALLED = join(import.meta.dirname, 'node_modules');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mirsal-generators-'));
  copyFileSync(DOCUMENT, join(folder, 'openapi.json'));
  symlinkSync(INSTALLED, join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('openapi-typescript', () => {
  it('makes types that compile in the strictest mode', { timeout: TIMEOUT_MS }, async () => {
    await runLines('openapi-typescript');
    expect(await compiled('usage.ts', OPENAPI_TYPESCRIPT, { exactOptionalPropertyTypes: true })).toBe('');
    const program = blockOf('TypeScript openapi-fetch').replaceAll('{{baseUrl}}', 'https://api.example.com');
    expect(await compiled('create.ts', program, { exactOptionalPropertyTypes: true })).toBe('');
  });
});

describe('hey-api', () => {
  beforeAll(() => runLines('hey-api'), TIMEOUT_MS);

  it('makes types that compile in the strictest mode', { timeout: TIMEOUT_MS }, async () => {
    expect(await compiled('hey-types.ts', HEY_TYPES, { exactOptionalPropertyTypes: true })).toBe('');
  });

  // Its own runtime does not compile with exactOptionalPropertyTypes.
  it('makes a client that compiles', { timeout: TIMEOUT_MS }, async () => {
    expect(await compiled('hey-client.ts', HEY_CLIENT, { exactOptionalPropertyTypes: false })).toBe('');
  });

  it('leaves out no operation', () => {
    const functions = readFileSync(join(folder, 'mirsal/sdk.gen.ts'), 'utf8').matchAll(/^export const (\w+) = /gm);
    const names = [...functions].map(([, name = '']) => name).sort();
    expect(names).toEqual(operationIds().map(camelCased).sort());
  });
});

describe('orval', () => {
  it('makes a client that compiles, with every operation', { timeout: TIMEOUT_MS }, async () => {
    await runLines('orval');
    const functions = readFileSync(join(folder, 'mirsal-orval.ts'), 'utf8').matchAll(/^export const (\w+) = async/gm);
    const names = [...functions].map(([, name = '']) => name).sort();
    expect(names).toEqual(operationIds().map(camelCased).sort());
    expect(await compiled('orval-client.ts', ORVAL_CLIENT, { exactOptionalPropertyTypes: false })).toBe('');
  });
});

describe('Bruno', () => {
  it('imports a request for each operation', { timeout: TIMEOUT_MS }, async () => {
    await runLines('bruno');
    const files = readdirSync(join(folder, 'Mirsal'), { recursive: true, encoding: 'utf8' });
    const requests = files.filter(
      (name) => name.includes('/') && /\.ya?ml$/.test(name) && !/folder|environments/.test(name),
    );
    expect(requests).toHaveLength(operationIds().length);
  });
});

describe.each(['typescript', 'typescript-6'])('The client with %s', (compiler) => {
  it('lets a library write declarations of all that it wraps', { timeout: TIMEOUT_MS }, async () => {
    const library = join(folder, compiler);
    const modules = join(library, 'node_modules');
    mkdirSync(modules, { recursive: true });
    symlinkSync(join(INSTALLED, '@trpc'), join(modules, '@trpc'));
    cpSync(await buildClient(), join(modules, 'mirsal-client'), { recursive: true });
    writeLibrary(library, proceduresForPrograms(), { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] });
    const tsc = join(INSTALLED, compiler, 'bin/tsc');
    const { stdout } = await execa(process.execPath, [tsc, '--build', 'all'], { cwd: library, reject: false });
    expect(stdout).toBe('');
  });
});

/** As much as the client's package asks for with `^`. */
it('The client compiles with the oldest tRPC that it takes', { timeout: TIMEOUT_MS }, async () => {
  const built = await buildClient();
  const { peerDependencies } = manifest.parse(JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')));
  const { '@trpc/client': client, '@trpc/server': server } = installedVersions();
  expect(peerDependencies).toEqual({ '@trpc/client': `^${client}`, '@trpc/server': `^${server}` });
  const modules = join(folder, 'oldest/node_modules');
  mkdirSync(modules, { recursive: true });
  symlinkSync(join(INSTALLED, '@trpc'), join(modules, '@trpc'));
  cpSync(built, join(modules, 'mirsal-client'), { recursive: true });
  for (const [file, program] of Object.entries({ 'own.ts': PROGRAM, 'stock.ts': STOCK_PROGRAM }))
    expect(await compiled(`oldest/${file}`, program, { exactOptionalPropertyTypes: true })).toBe('');
});

it('The guide names the versions that are installed here, in both languages', () => {
  const tools = Object.entries(installedVersions()).filter(([name]) => !/^(?:typescript|@trpc)/.test(name));
  const installed = tools.map(([name, version]) => `${name}@${version}`);
  for (const locale of ['en', 'ar'] as const) {
    const named = [...guide(locale).matchAll(/^npm install (?:--save-dev )?(\S+)$/gm)].map(([, what]) => what);
    expect(new Set(named), locale).toEqual(new Set(installed));
  }
});

const manifest = z.object({
  devDependencies: z.record(z.string(), z.string()).optional(),
  peerDependencies: z.record(z.string(), z.string()).optional(),
});

function installedVersions(): Record<string, string> {
  const text = readFileSync(join(import.meta.dirname, 'package.json'), 'utf8');
  return manifest.parse(JSON.parse(text)).devDependencies ?? {};
}

const guide = (locale: 'en' | 'ar') => readFileSync(join(GUIDES, `generate-client.${locale}.md`), 'utf8');

/** The code under this heading of the guide, which is the same in both languages. */
function blockOf(label: string): string {
  const [text, other] = (['en', 'ar'] as const).map(
    (locale) => new RegExp(`^\`\`\`${label}\\n([^]*?)^\`\`\``, 'm').exec(guide(locale))?.[1],
  );
  expect(text).toBeDefined();
  expect(other).toBe(text);
  return text ?? '';
}

/** Runs the guide's commands of a tool. The installed tools stand in the folder, so `npm install` is left out. */
async function runLines(tool: string): Promise<void> {
  const lines = blockOf(`shell ${tool}`).trim().split('\n');
  for (const line of lines.filter((each) => !each.startsWith('npm install '))) {
    const [npx, name = '', ...args] = line.split(' ');
    expect(npx).toBe('npx');
    await execa(process.execPath, [join(folder, 'node_modules/.bin', name), ...args], { cwd: folder });
  }
}

const OPENAPI_TYPESCRIPT = `
import type { components, operations, webhooks } from './mirsal.js';
type Schemas = components['schemas'];
const items: Schemas['ItemRequest'][] = [{ description: 'Coffee beans', quantity: 2, weightKilograms: 1.05 }];
export const order: Schemas['ShipmentRequest'] = {
  externalReference: 'ORDER-1001', branchCode: 'RUH-MAIN', pickupLocationCode: 'RUH-ROASTERY',
  recipient: { name: 'Sara', phone: '+966512345678' },
  destination: { addressLine: '2929 King Fahd Road', cityCode: 'RUH', latitude: 24.7743, longitude: 46.6572 },
  declaredValue: 180, codAmount: 94.5, currency: 'SAR', paymentMethod: 'COD',
  pickupWindowStart: '2030-01-31T09:00:00Z', pickupWindowEnd: '2030-01-31T12:00:00Z', items, requirements: [],
};
export const state = (shipment: Schemas['Shipment']): Schemas['ShipmentState'] => shipment.state;
export const next = (page: Schemas['ShipmentPage']): string | null => page.page.nextCursor;
type Delivered = webhooks['shipment.delivered']['post']['requestBody']['content']['application/json'];
export const delivered = (event: Delivered): 'shipment.delivered' => event.type;
export const delivery = (event: Delivered): string => event.data.shipment.shipmentId;
type Upload = NonNullable<operations['mediaAssets.create']['requestBody']>['content'];
export const types: (keyof Upload)[] = ['image/jpeg', 'image/png'];
`;

const HEY_TYPES = `
import type { Shipment, ShipmentCancelledEvent, ShipmentRequest, ShipmentState } from './mirsal/types.gen.js';
export const state = (shipment: Shipment): ShipmentState => shipment.state;
export const reason = (event: ShipmentCancelledEvent): string | undefined => event.data.reason?.code;
export const reference = (order: ShipmentRequest): string => order.externalReference;
`;

const HEY_CLIENT = `
import { mediaAssetsCreate, registrationsUploadDocument, shipmentsCreate } from './mirsal/index.js';
import type { ShipmentRequest } from './mirsal/index.js';
export const create = (body: ShipmentRequest) =>
  shipmentsCreate({ body, headers: { 'Idempotency-Key': 'order-1001-creation' } });
export const upload = (body: Blob) => mediaAssetsCreate({ body, query: { externalReference: 'ORDER-1001' } });
export const uploads = registrationsUploadDocument;
`;

const ORVAL_CLIENT = `
import { shipmentsCreate, type ShipmentRequest } from './mirsal-orval.js';
export const create = (body: ShipmentRequest) => shipmentsCreate(body, { headers: { 'Idempotency-Key': 'order-1001-creation' } });
`;

/** What the compiler says of the program: nothing, if it compiles. */
async function compiled(
  file: string,
  text: string,
  { exactOptionalPropertyTypes }: { exactOptionalPropertyTypes: boolean },
): Promise<string> {
  const module = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022' };
  const strictness = { strict: true, exactOptionalPropertyTypes, noUncheckedIndexedAccess: true, skipLibCheck: false };
  const compilerOptions = { ...module, ...strictness, lib: ['es2022', 'dom', 'dom.iterable'], types: [], noEmit: true };
  writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, `${file}.json`), JSON.stringify({ compilerOptions, files: [basename(file)] }));
  const tsc = join(INSTALLED, 'typescript/bin/tsc');
  const { all, exitCode } = await execa(process.execPath, [tsc, '--project', `${basename(file)}.json`], {
    cwd: dirname(join(folder, file)),
    reject: false,
    all: true,
  });
  return exitCode === 0 ? '' : `${all} (exit code ${exitCode})`;
}

function operationIds(): string[] {
  const operation = z.object({ operationId: z.string() });
  const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });
  const { paths } = document.parse(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
  return Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
}

/** `shipments.create` is `shipmentsCreate`. */
function camelCased(operationId: string): string {
  return operationId.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
}
