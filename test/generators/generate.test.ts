import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';

/*
 * Clients that other people's generators make of the document. They need TypeScript 5, so they are installed beside this
 * file: `npm run test:generators`.
 */

const TIMEOUT_MS = 300_000;
const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');
const program = (name: string, path: string) => join(import.meta.dirname, 'node_modules', name, path);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mirsal-generators-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('openapi-typescript', () => {
  it('makes types that compile in the strictest mode', { timeout: TIMEOUT_MS }, async () => {
    const cli = program('openapi-typescript', 'bin/cli.js');
    await execa(process.execPath, [cli, DOCUMENT, '--output', 'types.ts'], { cwd: folder });
    expect(await compiled('usage.ts', OPENAPI_TYPESCRIPT, { exactOptionalPropertyTypes: true })).toBe('');
  });
});

describe('hey-api', () => {
  beforeAll(async () => {
    const cli = program('@hey-api/openapi-ts', 'bin/run.js');
    await execa(process.execPath, [cli, '--input', DOCUMENT, '--output', 'hey', '--no-log-file'], { cwd: folder });
  }, TIMEOUT_MS);

  it('makes types that compile in the strictest mode', { timeout: TIMEOUT_MS }, async () => {
    expect(await compiled('hey-types.ts', HEY_TYPES, { exactOptionalPropertyTypes: true })).toBe('');
  });

  // Its own runtime does not compile with exactOptionalPropertyTypes.
  it('makes a client that compiles', { timeout: TIMEOUT_MS }, async () => {
    expect(await compiled('hey-client.ts', HEY_CLIENT, { exactOptionalPropertyTypes: false })).toBe('');
  });

  it('leaves out no operation', () => {
    const functions = readFileSync(join(folder, 'hey/sdk.gen.ts'), 'utf8').matchAll(/^export const (\w+) = /gm);
    const names = [...functions].map(([, name = '']) => name).sort();
    expect(names).toEqual(operationIds().map(camelCased).sort());
  });
});

const OPENAPI_TYPESCRIPT = `
import type { components, operations, webhooks } from './types.js';
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
import type { Shipment, ShipmentCancelledEvent, ShipmentRequest, ShipmentState } from './hey/types.gen.js';
export const state = (shipment: Shipment): ShipmentState => shipment.state;
export const reason = (event: ShipmentCancelledEvent): string | undefined => event.data.reason?.code;
export const reference = (order: ShipmentRequest): string => order.externalReference;
`;

const HEY_CLIENT = `
import { mediaAssetsCreate, registrationsUploadDocument, shipmentsCreate } from './hey/index.js';
import type { ShipmentRequest } from './hey/index.js';
export const create = (body: ShipmentRequest) =>
  shipmentsCreate({ body, headers: { 'Idempotency-Key': 'order-1001-creation' } });
export const upload = (body: Blob) => mediaAssetsCreate({ body, query: { externalReference: 'ORDER-1001' } });
export const uploads = registrationsUploadDocument;
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
  writeFileSync(join(folder, `${file}.json`), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = program('typescript', 'bin/tsc');
  const { all, exitCode } = await execa(process.execPath, [tsc, '--project', `${file}.json`], {
    cwd: folder,
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
