import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/* Programs that use the client's package. They have to compile. */

/** The client of the package. */
export const PROGRAM = `
import { createMirsalClient, createOrFind, listAll, MirsalError, type MirsalErrorCode, type MirsalInputs, type Shipment, verifyWebhook } from 'mirsal-client';
import { createMirsalRest } from 'mirsal-client/rest';
import { createTestService } from 'mirsal-client/testing';
import { verifyWebhook as verifyAlone } from 'mirsal-client/verify-webhook';

const options = { baseUrl: 'https://api.example.com', clientId: 'id', clientSecret: 'secret' };
const client = createMirsalClient(options);
export async function work(order: MirsalInputs['shipments']['create'], bytes: Uint8Array): Promise<string> {
  const shipment: Shipment = await client.shipments.create.mutate(order);
  const none = { signal: undefined };
  for await (const { version } of listAll(client.shipments.list, { state: 'OFFERED', q: undefined }, none)) version.toFixed();
  await client.shipments.cancel.mutate({ shipmentId: shipment.shipmentId, ifMatch: '*', reasonCode: 'DUPLICATE' });
  const content = { contentType: 'image/png', bytes };
  await client.mediaAssets.create.mutate({ externalReference: 'order-1', content });
  const event = await verifyWebhook('whsec_', { headers: {}, body: '' });
  const same: typeof event = await verifyAlone(['whsec_'], { headers: new Headers(), body: '' });
  const call = { ...none, body: undefined, headers: undefined };
  const { body } = await createMirsalRest(options)<{ data: string[] }>('GET', '/v2/external/shipments', call);
  const items = await client.shipmentBatches.listItems.query({ batchId: 'id', cursor: undefined }, none);
  const codes: (MirsalErrorCode | undefined)[] = items.data.map(({ problem }) => problem?.code);
  // @ts-expect-error A problem has no such member.
  items.data[0]?.problem?.code.push();
  // @ts-expect-error A query cannot be called as a mutation.
  await client.shipments.list.mutate({});
  // @ts-expect-error An id is text.
  await client.shipments.get.query({ shipmentId: 3 });
  return shipment.declaredValue + same.type + body.data.length + codes.length;
}
const service = createTestService();
const tested = createMirsalClient({ ...service.options, totalTimeoutMs: undefined, tokenStore: undefined });
export const find = (order: MirsalInputs['shipments']['create']) => createOrFind(tested, order, { signal: undefined });
export const advance = (id: string) => service.advance(id).state;
export const outcomeOf = (error: MirsalError) => error.outcome;
export const codeOf = (error: unknown) => (error instanceof MirsalError ? error.code : undefined);
`;

/** tRPC's own client, with the types of the package. */
export const STOCK_PROGRAM = `
import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import type { MirsalInputs, Shipment } from 'mirsal-client';
import type { AppRouter } from 'mirsal-client/app-router';

export async function work(order: MirsalInputs['shipments']['create']): Promise<void> {
  for (const link of [httpLink, httpBatchLink]) {
    const client = createTRPCClient<AppRouter>({ links: [link({ url: 'https://api.example.com/trpc' })] });
    const read: Shipment = await client.shipments.get.query({ shipmentId: 'id' });
    await client.shipments.create.mutate({ ...order, idempotencyKey: read.shipmentId });
    // @ts-expect-error Only the client of this package adds the key.
    await client.shipments.create.mutate(order);
  }
}
`;

/**
 * A library around the package. Nothing that it exports has a type annotation, so its declarations can only be written if
 * each type can be named from the entry that the module imports. A module that imports one entry does not know the others.
 */
const LIBRARY = {
  own: `
import { createMirsalClient, entityTag, listAll, MirsalError, verifyWebhook } from 'mirsal-client';
export const connect = (clientSecret: string) =>
  createMirsalClient({ baseUrl: 'https://api.example.com', clientId: 'id', clientSecret, scope: undefined, fetch: undefined });
export const client = connect('secret');
export const walk = () => listAll(client.shipments.list, { state: 'OFFERED' }, { signal: undefined });
export const verify = (body: string) => verifyWebhook('whsec_', { headers: {}, body }, { nowMs: undefined });
export const factsOf = ({ code, problem, violations }: MirsalError) => ({ code, problem, violations });
export const itself = { listAll, entityTag, MirsalError, shipments: client.shipments };
`,
  stock: `
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { AppRouter } from 'mirsal-client/app-router';
export const connect = (url: string) => createTRPCClient<AppRouter>({ links: [httpBatchLink({ url })] });
export const client = connect('https://api.example.com/trpc');
`,
  rest: `
import { createMirsalRest, MirsalRestError } from 'mirsal-client/rest';
export const rest = createMirsalRest({ baseUrl: 'https://api.example.com', clientId: 'id', clientSecret: 'secret' });
export const list = () => rest<{ data: string[] }>('GET', '/v2/external/shipments', { signal: undefined });
export const factsOf = ({ code, problem }: MirsalRestError) => ({ code, problem });
`,
  verify: `
import { verifyWebhook, WebhookVerificationError } from 'mirsal-client/verify-webhook';
export const verify = async (body: string) => {
  const event = await verifyWebhook('whsec_', { headers: {}, body });
  return { event, type: event.type, shipment: event.data.shipment };
};
export const codeOf = ({ code }: WebhookVerificationError) => code;
`,
};

/** The options of the strictest program that writes declarations. */
const STRICTEST = {
  strict: true,
  exactOptionalPropertyTypes: true,
  declaration: true,
  composite: true,
  skipLibCheck: false,
};

/**
 * Writes each module of the library as a project of its own, and one that uses their declarations. `tsc --build all` in the
 * folder compiles them.
 */
export function writeLibrary(
  folder: string,
  procedures: readonly WrappedProcedure[],
  libraries: Readonly<Record<string, unknown>>,
): void {
  const names = Object.keys(LIBRARY);
  const functions = wrapped(procedures);
  const projects = {
    ...LIBRARY,
    own: LIBRARY.own + functions,
    stock: LIBRARY.stock + functions,
    all: names.map((name) => `export * as ${name} from '../${name}/out/${name}.js';\n`).join(''),
  };
  for (const [name, text] of Object.entries(projects)) {
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const compilerOptions = {
      module: 'NodeNext',
      target: 'ES2022',
      outDir: 'out',
      rootDir: '.',
      ...STRICTEST,
      ...libraries,
    };
    const references = name === 'all' ? names.map((each) => ({ path: `../${each}` })) : [];
    writeFileSync(join(own, `${name}.ts`), text);
    writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, references, files: [`${name}.ts`] }));
  }
}

/** A function around each procedure, and the procedure itself. */
function wrapped(procedures: readonly WrappedProcedure[]): string {
  const functions = procedures.map(({ name, kind }) => {
    const own = name.replaceAll('.', '_');
    const call = `client.${name}.${kind === 'Query' ? 'query' : 'mutate'}`;
    return `export const ${own} = (...input: Parameters<typeof ${call}>) => ${call}(...input);
export const ${own}_itself = ${call};`;
  });
  return functions.join('\n');
}

interface WrappedProcedure {
  readonly name: string;
  readonly kind: 'Query' | 'Mutation';
}
