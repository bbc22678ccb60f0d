import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { build, transformSync } from 'esbuild';
import { execa } from 'execa';
import { Miniflare } from 'miniflare';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildClient } from '../../scripts/build/client.ts';
import { proceduresForPrograms } from '../../scripts/build/client-types.ts';
import { startBrowser } from '../../scripts/shared/browser.ts';
import { type OwnEnvironment, startEnvironment } from '../../scripts/shared/environment.ts';
import { readWorkerConfig } from '../../scripts/shared/workerd.ts';
import { PROGRAM, STOCK_PROGRAM, writeLibrary } from '../support/client-programs.ts';
import { PNG } from '../support/files.ts';

/** The package of the client, packed and installed without network into an empty project outside the repository. */

const ROOT = resolve(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');
/**
 * Half of them are the types of the procedures, which grow with the operations, with the words that editors show. The code
 * is there twice, as ES modules and as CommonJS, with the service in memory for tests.
 */
const BYTES_MAX = 265_000;
/** The packages of the registry that the project needs, from this repository. */
const INSTALLED = ['@trpc/client', '@trpc/server', 'typescript', '@types/node', 'undici-types'];
const BUILD_TIMEOUT_MS = 300_000;

let folder: string;
let environment: OwnEnvironment;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mirsal-client-'));
  const built = await buildClient();
  await execa('npm', ['pack', '--pack-destination', folder], { cwd: built });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const others = INSTALLED.map((name) => [name, `file:${join(MODULES, name)}`]);
  const dependencies = { 'mirsal-client': `file:${archive}`, ...Object.fromEntries(others) };
  write('package.json', JSON.stringify({ type: 'module', private: true, dependencies }));
  const flags = ['--offline', '--install-links', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  await execa('npm', ['install', ...flags], { cwd: folder });
  environment = await startEnvironment('worker');
}, BUILD_TIMEOUT_MS);

afterAll(async () => {
  await environment?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('is small and has no sources of the server', () => {
  const installed = join(folder, 'node_modules', 'mirsal-client');
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(installed, name)).isFile(),
  );
  const bytes = files.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0);
  expect(bytes).toBeLessThan(BYTES_MAX);
  expect(files.filter((name) => !/(?:\.c?js|\.d\.c?ts|^package\.json|^README\.md)$/.test(name))).toEqual([]);
});

it.each([
  ['alone', 'program.ts', PROGRAM, { lib: ['ES2022'], types: ['node'] }],
  ['alone in a browser', 'program.ts', PROGRAM, { lib: ['ES2022', 'DOM'], types: [] }],
  ['alone as CommonJS', 'program.cts', PROGRAM, { lib: ['ES2022'], types: ['node'] }],
  ['alone with module CommonJS', 'program.ts', PROGRAM, { module: 'CommonJS', lib: ['ES2022'], types: ['node'] }],
  ['with a client of tRPC’s own', 'program.ts', STOCK_PROGRAM, { lib: ['ES2022'], types: ['node'] }],
  ['with a client of tRPC’s own as CommonJS', 'program.cts', STOCK_PROGRAM, { lib: ['ES2022'], types: ['node'] }],
])('passes the strict type checker %s', async (_, file, program, libraries) => {
  const rules = { strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noEmit: true };
  const compilerOptions = { module: 'NodeNext', target: 'ES2022', ...rules, ...libraries };
  write(file, program);
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
  const { stdout } = await execa(join(MODULES, '.bin', 'tsc'), ['-p', '.'], { cwd: folder, reject: false });
  expect(stdout).toBe('');
});

// `npm run test:generators` does the same with older compilers.
// `npm run test:generators` does the same with older compilers.
it.each(['module', 'commonjs'])('lets a library of type %s write declarations of all that it wraps', async (type) => {
  const library = join(folder, type);
  writeLibrary(library, proceduresForPrograms(), { lib: ['ES2022'], types: ['node'] });
  writeFileSync(join(library, 'package.json'), JSON.stringify({ type }));
  const { stdout } = await execa(join(MODULES, '.bin', 'tsc'), ['--build', 'all'], { cwd: library, reject: false });
  expect(stdout).toBe('');
});

it('has names that depend on no other shape, and the words of the schemas', () => {
  const text = readFileSync(join(folder, 'node_modules/mirsal-client/types/client/router.d.cts'), 'utf8');
  const names = [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name = '']) => name);
  expect(names.filter((name) => /^\w$|\d/.test(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['ShipmentItem', 'ShipmentsCreateInput', 'PaymentMethod']));
  expect(text).toContain(
    '/** The number of the recipient with only its last four digits. */\nmaskedRecipientPhone: string\n',
  );
});

/** Uses every entry against the service, and returns what it got. */
const LIFE = `
import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import { createMirsalClient, entityTag, listAll, MirsalError, verifyWebhook as ofIndex } from 'mirsal-client';
import { createMirsalRest, MirsalRestError } from 'mirsal-client/rest';
import { verifyWebhook } from 'mirsal-client/verify-webhook';

export async function live({ company, order, bytes, webhook }) {
const client = createMirsalClient(company);
const created = await client.shipments.create.mutate(order);
const found = [];
const { externalReference } = order;
for await (const { shipmentId } of listAll(client.shipments.list, { externalReference })) found.push(shipmentId);
const stale = await client.shipments.get.query({ shipmentId: 'x' }).catch((error) => error);
const { shipmentId } = created;
const cancelled = await client.shipments.cancel.mutate({ shipmentId, ifMatch: '*', reasonCode: 'DUPLICATE' });
const content = { contentType: 'image/png', bytes: Uint8Array.from(bytes) };
const picture = await client.mediaAssets.create.mutate({ externalReference: externalReference + '-media', content });
const event = await verifyWebhook(webhook.secret, webhook);

const rest = createMirsalRest(company);
const again = await rest('POST', '/v2/external/shipments', { body: { ...order, externalReference: externalReference + '-rest' } });
const path = '/v2/external/shipments/' + again.body.shipmentId;
const upload = '/v2/external/media-assets?externalReference=' + externalReference + '-bytes';
const sent = await rest('POST', upload, { body: content.bytes, headers: { 'content-type': 'image/png' } });
const ended = await rest('POST', path + '/cancellations', { body: { reasonCode: 'DUPLICATE' }, headers: { 'if-match': '*' } });
const refused = await rest('GET', '/v2/external/shipments/x').catch((error) => error);
const basic = btoa(company.clientId + ':' + company.clientSecret);
const granted = await fetch(company.baseUrl + '/oauth/token', {
  method: 'POST',
  headers: { authorization: 'Basic ' + basic },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
});
const authorization = 'Bearer ' + (await granted.json()).access_token;
const stock = [];
for (const link of [httpLink, httpBatchLink]) {
  const trpc = createTRPCClient({ links: [link({ url: company.baseUrl + '/trpc', headers: { authorization } })] });
  const both = [trpc.shipments.get.query({ shipmentId }), trpc.shipments.charges.query({ shipmentId })];
  const [read, charges] = await Promise.all(both);
  const own = { ...order, externalReference: externalReference + '-stock-' + stock.length };
  const made = await trpc.shipments.create.mutate({ ...own, idempotencyKey: crypto.randomUUID() });
  stock.push([read.state, Array.isArray(charges.lines), made.declaredValue].join());
}
return {
  stock,
  isOneCopy: verifyWebhook === ofIndex,
  value: created.declaredValue, isFound: found.includes(shipmentId), tag: entityTag(created), state: cancelled.state,
  picture: picture.state, isError: stale instanceof MirsalError, code: stale.code, event: event.data.declaredValue,
  rest: [again.status, again.body.declaredValue, sent.body.state, ended.body.state, refused instanceof MirsalRestError, refused.code],
};
}
`;

/** How each runtime starts the program. */
const PRINTED = "import { live } from './life.js';\nconsole.log(JSON.stringify(await live(GIVEN)));\n";
const REQUIRED = `
if (!require.resolve('mirsal-client').endsWith('.cjs')) throw new Error('This is no CommonJS');
require('./life.cjs').live(GIVEN).then((outcome) => console.log(JSON.stringify(outcome)));
`;
const SERVED =
  "import { live } from './life.js';\nexport default { fetch: async () => Response.json(await live(GIVEN)) };\n";
const SHOWN = "import { live } from './life.js';\nglobalThis.outcome = live(GIVEN);\n";

const DIGITS = '12345678901234567.25';

/** The Node of the system, which may be older than the one of this repository. */
const SYSTEM_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules') && !path.includes('node-gyp-bin'))
  .join(delimiter);

it.each([
  ['the system’s Node', 'node', ['start.js'], { PATH: SYSTEM_PATH }],
  ['the system’s Node with require', 'node', ['start.cjs'], { PATH: SYSTEM_PATH }],
  ['the repository’s Node', process.execPath, ['start.js'], {}],
  ['Deno', join(MODULES, '.bin', 'deno'), ['run', '--allow-net=127.0.0.1', '--no-prompt', '--no-lock', 'start.js'], {}],
] as const)('creates, lists, cancels, uploads and verifies on %s', async (name, program, args, env) => {
  write('life.js', LIFE);
  write('life.cjs', transformSync(LIFE, { format: 'cjs', platform: 'node' }).code);
  write('start.js', started(PRINTED, name));
  write('start.cjs', started(REQUIRED, name));
  const { stdout, stderr } = await execa(program, args, {
    cwd: folder,
    reject: false,
    env: { ...env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(LIVED);
});

it('creates, lists, cancels, uploads and verifies on workerd', async () => {
  write('life.js', LIFE);
  write('worker.js', started(SERVED, 'workerd'));
  const contents = await bundled('worker.js', { format: 'esm', conditions: ['workerd', 'worker', 'browser'] });
  const manifest = { mainModule: 'worker.js', modules: { 'worker.js': { type: 'esm' as const, contents } } };
  const config = { name: 'shop', compatibilityDate: (await readWorkerConfig()).compatibility.date, manifest };
  const worker = new Miniflare({ workers: [{ config }] });
  try {
    const response = await worker.dispatchFetch('http://shop.example/');
    expect(await response.json()).toEqual(LIVED);
  } finally {
    await worker.dispose();
  }
});

it('creates, lists, cancels, uploads and verifies in a page of the service’s own origin', async () => {
  write('life.js', LIFE);
  write('page.js', started(SHOWN, 'Chromium'));
  const script = await bundled('page.js', { format: 'iife', conditions: ['browser'] });
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    // The service lets pages of other origins read nothing but public tracking.
    const address = `${environment.address}/page-of-the-test`;
    const body = `<!doctype html><title>Test</title><script>${script.replaceAll('</script', String.raw`<\/script`)}</script>`;
    await page.route(address, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
    await page.goto(address);
    expect(await page.evaluate('globalThis.outcome')).toEqual(LIVED);
  } finally {
    await browser.close();
  }
});

/** What the program gets on every runtime. */
const LIVED = {
  stock: [`CANCELLED,true,${DIGITS}`, `CANCELLED,true,${DIGITS}`],
  isOneCopy: true,
  value: DIGITS,
  isFound: true,
  tag: '"0"',
  state: 'CANCELLED',
  picture: 'READY',
  isError: true,
  code: 'INVALID_PATH_PARAMETER',
  event: DIGITS,
  rest: [201, DIGITS, 'READY', 'CANCELLED', true, 'INVALID_PATH_PARAMETER'],
};

/** A program that starts `life.js` with an order of its own. */
function started(program: string, name: string): string {
  const [{ clientId, clientSecret, branchCode, pickupLocationCode }] = environment.companies;
  const order = {
    externalReference: `client-package-${name.replaceAll(/\W/g, '')}`,
    branchCode,
    pickupLocationCode,
    recipient: { name: 'سارة القحطاني', phone: '0500000001' },
    destination: { addressLine: 'King Fahd Road', cityCode: 'RUH', latitude: '24.713600001', longitude: '46.6753' },
    declaredValue: DIGITS,
    codAmount: '0.50',
    currency: 'SAR',
    paymentMethod: 'COD',
    pickupWindowStart: '2030-01-31T09:00:00Z',
    pickupWindowEnd: '2030-01-31T12:00:00Z',
    items: [{ description: '"declaredValue":1', quantity: 3, weightKilograms: '0.1' }],
    requirements: [],
  };
  const company = { clientId, clientSecret, baseUrl: environment.address };
  const given = { company, order, bytes: [...PNG], webhook: signedEvent() };
  return program.replace('GIVEN', () => JSON.stringify(given));
}

/** One file of the project with the installed packages in it. */
async function bundled(
  entry: string,
  options: { readonly format: 'esm' | 'iife'; readonly conditions: string[] },
): Promise<string> {
  const settings = { bundle: true, write: false, target: 'es2022', logLevel: 'error' } as const;
  const { outputFiles } = await build({ absWorkingDir: folder, entryPoints: [entry], ...settings, ...options });
  return outputFiles[0]?.text ?? '';
}

function signedEvent() {
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  const body = `{"id":"1","type":"shipment.created","data":{"declaredValue":${DIGITS},"note":"\\"declaredValue\\":1"}}`;
  const now = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
  };
  return { secret, headers, body };
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
