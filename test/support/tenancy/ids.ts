import { addBranch, addPickupLocation } from '../../../scripts/shared/companies.ts';
import { type Headers, SHIPMENTS } from '../../../scripts/shared/merchant.ts';
import { type JsonObject, newKey, newReference, shipmentBody } from '../../../scripts/shared/shipments.ts';
import { until } from '../../../scripts/shared/until.ts';
import { ENDPOINTS, webhooksOf } from '../../../scripts/shared/webhooks.ts';
import type { Scene } from '../exercises/scene.ts';
import { addMedia } from '../media.ts';
import { logOne } from '../request-log.ts';
import { call } from './calls.ts';
import type { Procedure } from './procedures.ts';
import type { GoodCall } from './things.ts';

/* The ids with which the tenancy matrix calls procedures. */

/** Nothing listens here. */
const URL = 'http://127.0.0.1:9/hook';
/** In microseconds. */
const COLLECTED_AT = Date.parse('2026-11-15T12:00:00Z') * 1000;
/** The parent resource in the path of an id. */
const PARENT_OF: Readonly<Record<string, 'shipmentId' | 'endpointId'>> = {
  linkId: 'shipmentId',
  replayId: 'endpointId',
};

export interface Probe {
  /** The call with the owner's id. */
  readonly foreign: JsonObject;
  /** The call with an unknown id of the same form. */
  readonly unknown: JsonObject;
  /** The owner's own call. */
  readonly own: JsonObject;
}

/** The same call with another company's id and with an unknown one; all other ids belong to the caller. */
export async function probeOf(procedure: Procedure, member: string, good: GoodCall, scene: Scene): Promise<Probe> {
  if (['shipments.create', 'shipmentValidations.create', 'priceLocks.create'].includes(procedure.name))
    return placeProbe(member, good, scene);
  const own =
    good.input[member] === undefined
      ? { ...good.input, [member]: await valueOf(procedure, member, good, scene) }
      : good.input;
  const parent = PARENT_OF[member];
  const parents = parent === undefined ? {} : { [parent]: await newOf(parent, good.stranger, scene) };
  const foreign = { ...own, ...parents };
  return { own, foreign, unknown: { ...foreign, [member]: nobodysLike(String(own[member])) } };
}

/** A branch or pickup location that the stranger does not have; the other of the two is the stranger's own. */
async function placeProbe(member: string, { input }: GoodCall, { environment, sandbox }: Scene): Promise<Probe> {
  const [branchCode, pickupLocationCode] = [newCode(), newCode()];
  await addBranch(environment, sandbox.company, { branchCode });
  await addPickupLocation(environment, sandbox.company, { branchCode, pickupLocationCode });
  const places = input['branchCode'] === undefined ? { pickupLocationCode } : { branchCode, pickupLocationCode };
  const own: JsonObject = { ...input, ...places };
  return { own, foreign: { ...input, [member]: own[member] }, unknown: { ...input, [member]: newCode() } };
}

function newCode(): string {
  return `ONE-${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
}

function nobodysLike(id: string): string {
  if (/^[0-9a-f]{8}-/.test(id)) return crypto.randomUUID();
  if (id.startsWith('order-')) return newReference();
  // A cursor that was never issued, or a code.
  return id.length > 64 ? `${id.slice(0, -8)}AAAAAAAA` : newCode();
}

/** A value of the owner's to filter by or to continue after. */
async function valueOf(procedure: Procedure, member: string, good: GoodCall, scene: Scene): Promise<string> {
  const { environment, sandbox } = scene;
  const { merchant, company } = sandbox;
  if (member === 'cursor') return cursorOf(procedure, good, scene);
  if (procedure.name.startsWith('requestLog.') && member !== 'cursor') {
    const logged = await logOne(merchant);
    if (member === 'correlationId') return logged.correlationId;
  }
  if (member === 'branchCode') {
    const branchCode = newCode();
    await addBranch(environment, company, { branchCode });
    const pickupLocationCode = newCode();
    await addPickupLocation(environment, company, { branchCode, pickupLocationCode });
    if (procedure.name === 'shipments.list') await merchant.create({ branchCode, pickupLocationCode });
    return branchCode;
  }
  // The reference of a follow-up is new, so it is nobody's.
  if (procedure.name === 'resolutions.choose' && member === 'externalReference') return newReference();
  // A return goes to a place in a city that is served.
  if (procedure.name === 'resolutions.returnItems' && member === 'pickupLocationCode') return 'SANDBOX_PICKUP';
  if (procedure.name === 'mediaAssets.list') {
    const reference = newReference();
    await addMedia(environment, company, reference, 0);
    return reference;
  }
  if (member === 'actionId') {
    const actionId = crypto.randomUUID();
    await call(environment, 'tRPC', { procedure, input: { ...good.input, actionId }, headers: good.owner });
    return actionId;
  }
  // The next event is stored for this endpoint, but not sent.
  const { endpointId } = await (await webhooksOf(environment, merchant)).add(URL, { enabled: false });
  const { shipmentId, externalReference } = await merchant.create();
  if (procedure.name === 'cases.list') await complain(scene, shipmentId);
  if (member === 'endpointId') return endpointId;
  if (member === 'shipmentId') return shipmentId;
  if (member === 'externalReference') return externalReference;
  if (member === 'after') return firstOf(await (await merchant.get('/v2/external/events')).json(), 'id');
  throw new Error(`Nothing to be had for ${procedure.name} ${member}`);
}

/** A cursor of the owner's list, which has two new entries. */
async function cursorOf(procedure: Procedure, { input, owner }: GoodCall, scene: Scene): Promise<string> {
  const { environment, sandbox } = scene;
  for (let count = 0; count < 2; count += 1) {
    // A person's session opens no endpoints over REST.
    if (procedure.meta.security !== 'session') await newOf('endpointId', owner, scene);
    const { shipmentId } = await sandbox.merchant.create();
    const below = typeof input['shipmentId'] === 'string' ? input['shipmentId'] : shipmentId;
    await sandbox.merchant.post(`${SHIPMENTS}/${below}/tracking-links`, {});
    await addMedia(environment, sandbox.company, newReference(), 0);
    if (procedure.name === 'codCollections.list') await addCollection(scene, shipmentId);
    if (procedure.name === 'shipments.timeline') await sandbox.merchant.cancel(below);
    if (procedure.name === 'cases.list') await complain(scene, shipmentId);
    if (procedure.name === 'shipmentAmendments.list') {
      for (const instructions of ['One', 'Two']) {
        await sandbox.merchant.post(`${SHIPMENTS}/${below}/amendments`, { instructions }, { 'if-match': '*' });
      }
    }
  }
  // The request log is written about a second later.
  return until(`${procedure.name} has a second page`, async () => {
    const page = await call(environment, 'tRPC', { procedure, input: { ...input, limit: 1 }, headers: owner });
    const data = Object(Object(Object(await page.json()).result).data);
    const { nextCursor } = Object(Object(data.list ?? data).page);
    return typeof nextCursor === 'string' ? nextCursor : undefined;
  });
}

/** Money that a driver has collected, within the range of the good call. */
function addCollection({ environment, sandbox: { company } }: Scene, shipmentId: string): Promise<unknown> {
  const columns = 'shipment_id, company_id, amount, method, driver_id, collected_at, shipment_version';
  const values = [shipmentId, company.companyId, '150.25', 'CASH', crypto.randomUUID(), COLLECTED_AT, 5];
  return environment.sql(
    company.shard,
    `insert into cod_collections (${columns}) values (?, ?, ?, ?, ?, ?, ?)`,
    values,
  );
}

function complain({ sandbox }: Scene, shipmentId: string): Promise<Response> {
  return sandbox.merchant.post(`${SHIPMENTS}/${shipmentId}/cases`, { kind: 'OTHER', description: 'One' });
}

/** A new parent resource of the stranger's. */
async function newOf(
  parent: 'shipmentId' | 'endpointId',
  headers: Headers,
  { environment, sandbox }: Scene,
): Promise<string> {
  const [path, body] =
    parent === 'shipmentId'
      ? ([SHIPMENTS, shipmentBody(sandbox.company)] as const)
      : ([ENDPOINTS, { url: URL, eventTypes: ['*'], enabled: false }] as const);
  const response = await environment.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': newKey(), ...headers },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`No ${parent}: ${response.status} ${await response.text()}`);
  return String(Object(await response.json())[parent]);
}

function firstOf(page: unknown, member: string): string {
  const [first] = Object(page).data as unknown[];
  return String(Object(first)[member]);
}
