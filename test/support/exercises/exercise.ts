import { newKey } from '../../../scripts/shared/shipments.ts';
import { OPERATIONS, type RestOperation } from '../../../src/http/rest/routes.ts';
import { BATCH_EXERCISES } from './batches.ts';
import { anotherShown, callerOf, cutOff, limited, narrowToken, send, sendWith } from './callers.ts';
import { CASE_EXERCISES } from './cases.ts';
import { CREDENTIAL_EXERCISES } from './credential.ts';
import { DRIVER_EXERCISES } from './driver.ts';
import { MEDIA_EXERCISES } from './media.ts';
import { PEOPLE_EXERCISES } from './people.ts';
import { PROOF_EXERCISES } from './proofs.ts';
import { RECIPIENT_EXERCISES } from './recipients.ts';
import { REQUEST_LOG_EXERCISES } from './request-log.ts';
import { RESOLUTION_EXERCISES } from './resolutions.ts';
import { SANDBOX_EXERCISES } from './sandbox.ts';
import type { Exercise, FailingScene, Sample, Scene, Way } from './scene.ts';
import { SHIPMENT_EXERCISES } from './shipments.ts';
import { TRACKING_EXERCISES } from './tracking.ts';
import { UPLOAD_EXERCISES } from './uploads.ts';
import { WEBHOOK_EXERCISES } from './webhooks.ts';

/** One way to reach each status of an operation. */
export type Exercises = ReadonlyMap<number, Way[1]>;

/** All operations. The tests of a new one fail until it is added here. */
const EXERCISES: Readonly<Record<string, Exercise>> = {
  ...SHIPMENT_EXERCISES,
  ...RESOLUTION_EXERCISES,
  ...BATCH_EXERCISES,
  ...MEDIA_EXERCISES,
  ...PROOF_EXERCISES,
  ...TRACKING_EXERCISES,
  ...RECIPIENT_EXERCISES,
  ...CASE_EXERCISES,
  ...WEBHOOK_EXERCISES,
  ...DRIVER_EXERCISES,
  ...SANDBOX_EXERCISES,
  ...PEOPLE_EXERCISES,
  ...UPLOAD_EXERCISES,
  ...CREDENTIAL_EXERCISES,
  ...REQUEST_LOG_EXERCISES,
};

/** A valid request of an operation, with objects of its caller in the right state. */
export async function sampleOf(operation: RestOperation, scene: Scene): Promise<Sample> {
  const good = await EXERCISES[operation.name]?.good(scene);
  if (good === undefined) throw new Error(`${operation.name} has no good request in test/support/exercises`);
  return { method: operation.method, ...good };
}

/** The ways to reach the statuses that all such operations share, and those of the operation itself. */
export function exercisesOf(operation: RestOperation, scene: FailingScene): Exercises {
  const own = EXERCISES[operation.name]?.own?.(scene) ?? [];
  return new Map([
    ...waysOfEvery(operation, scene),
    ...waysOfCaller(operation, scene),
    ...waysOfInput(operation, scene),
    ...own,
  ]);
}

function waysOfEvery(operation: RestOperation, scene: FailingScene): Way[] {
  const { meta } = operation;
  const ways: Way[] = [
    [meta.successStatuses?.[0] ?? 200, () => sendSpoilt(operation, scene, {})],
    [400, async () => send(scene, operation, withQuery(await sampleOf(operation, scene), 'nonsense=1'))],
    [405, () => sendSpoilt(operation, scene, { method: otherMethod(operation) })],
    [406, () => sendSpoilt(operation, scene, { headers: { accept: otherType(operation) } })],
  ];
  if (meta.deployments?.includes('production') === false)
    ways.push([404, async () => sendWith(scene.production, await sampleOf(operation, scene), {})]);
  return ways;
}

/** A media type that the operation cannot answer. */
function otherType({ mediaTypes }: RestOperation): string {
  return mediaTypes.includes('text/html') ? 'application/json' : 'text/html';
}

/** A method that the path does not have. */
function otherMethod({ path }: RestOperation): string {
  const own = OPERATIONS.filter((operation) => operation.path === path).map(({ method }) => method as string);
  return ['PATCH', 'PUT'].find((method) => !own.includes(method)) ?? 'POST';
}

function waysOfCaller(operation: RestOperation, scene: FailingScene): Way[] {
  const caller = callerOf(operation);
  if (caller === 'none') return [];
  const { environment, failing } = scene;
  const sample = () => sampleOf(operation, scene);
  const ofSession: Way[] =
    caller === 'client' && operation.meta.alsoSession !== true
      ? []
      : [[409, async () => sendWith(environment, await sample(), await anotherShown(operation, scene))]];
  const ways: Way[] = [
    ...ofSession,
    [401, async () => sendWith(environment, await sample(), {})],
    [429, () => secondUse(operation, scene)],
    [503, async () => sendWith(failing, await sample(), await cutOff(operation, scene))],
  ];
  if (caller === 'client')
    ways.push([403, async () => sendWith(environment, await sample(), await narrowToken(scene, operation))]);
  return ways;
}

function waysOfInput(operation: RestOperation, scene: FailingScene): Way[] {
  const { parser } = operation;
  const ways: Way[] = [];
  if (parser.hasBody) {
    ways.push([413, () => sendSpoilt(operation, scene, { body: ' '.repeat(300_000) })]);
    ways.push([415, () => sendSpoilt(operation, scene, { headers: { 'content-type': 'text/plain' } })]);
    ways.push([422, () => sendSpoilt(operation, scene, { body: '{"nonsense":1}' })]);
  }
  if (parser.places.get('ifMatch') === 'header') {
    ways.push([412, () => sendSpoilt(operation, scene, { headers: { 'if-match': '"999"' } })]);
    ways.push([428, async () => send(scene, operation, withoutHeader(await sampleOf(operation, scene), 'if-match'))]);
  }
  if (TAGGED.has(operation.name)) ways.push([304, () => sendAgain(operation, scene)]);
  // A creation that needs a key has its own ways.
  if (parser.places.get('idempotencyKey') === 'header' && operation.name !== 'shipments.create')
    ways.push([200, () => sendTwice(operation, scene)]);
  return ways;
}

/** Reads that answer with an entity tag, in the same way for every caller. */
const TAGGED: ReadonlySet<string> = new Set([
  'shipments.get',
  'shipmentMetadata.get',
  'nationalAddresses.get',
  'trackingLinks.get',
  'recipients.getDelivery',
  'cases.get',
  'webhookEndpoints.get',
  'cities.list',
  'capabilities.list',
]);

/** Sends a valid request, and again with the entity tag of the answer. */
async function sendAgain(operation: RestOperation, scene: FailingScene): Promise<Response> {
  const sample = await sampleOf(operation, scene);
  const first = await send(scene, operation, sample);
  const headers = { ...sample.headers, 'if-none-match': first.headers.get('etag') ?? '' };
  return send(scene, operation, { ...sample, headers });
}

/** Sends a valid request twice with one idempotency key. */
async function sendTwice(operation: RestOperation, scene: FailingScene): Promise<Response> {
  const sample = await sampleOf(operation, scene);
  const keyed = { ...sample, headers: { ...sample.headers, 'idempotency-key': newKey() } };
  await send(scene, operation, keyed);
  return send(scene, operation, keyed);
}

/** Sends a valid request with one change. */
async function sendSpoilt(
  operation: RestOperation,
  scene: FailingScene,
  { headers, ...changes }: Partial<Sample>,
): Promise<Response> {
  const good = await sampleOf(operation, scene);
  return send(scene, operation, { ...good, ...changes, headers: { ...good.headers, ...headers } });
}

async function secondUse(operation: RestOperation, scene: FailingScene): Promise<Response> {
  const authorization = await limited(operation, scene);
  const sample = await sampleOf(operation, scene);
  await sendWith(scene.failing, sample, authorization);
  return sendWith(scene.failing, sample, authorization);
}

/** The sample with an additional query parameter. */
export function withQuery(sample: Sample, query: string): Sample {
  return { ...sample, path: `${sample.path}${sample.path.includes('?') ? '&' : '?'}${query}` };
}

function withoutHeader(sample: Sample, header: string): Sample {
  return { ...sample, headers: Object.fromEntries(Object.entries(sample.headers).filter(([name]) => name !== header)) };
}
