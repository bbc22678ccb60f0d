import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { DESTINATION, newKey, newReference, shipmentBody } from '../../scripts/shared/shipments.ts';
import { driverTerms, newCity } from '../support/fleet.ts';
import { mediaForm } from '../support/media.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* Every change by a person or by an operator's program has an audit entry: who, from where, what. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);
const owner = await addPerson(environment, company);
const token = await addSession(environment, owner, { assurance: 'AAL2' });
const call = trpcClient(environment, token);
const operatorToken = await environment.token(environment.operator);
const operator = trpcClient(environment, operatorToken).operations;

const ADDRESS = '192.0.2.7';
const URL_OF_ENDPOINT = 'https://receiver.example/hooks?key=hidden';
type Answer = Readonly<Record<string, unknown>>;

/** Calls a procedure from a known address. Returns its result and the id of the request. */
async function send(caller: string, name: string, input: unknown) {
  const isForm = input instanceof FormData;
  const response = await environment.fetch(`/trpc/${name}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${caller}`,
      'cf-connecting-ip': ADDRESS,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? input : JSON.stringify(input),
  });
  const { result, error } = (await response.json()) as { result?: { data: Answer }; error?: { message: string } };
  if (result === undefined) throw new Error(`${name}: ${error?.message}`);
  return { data: result.data, requestId: response.headers.get('x-request-id') };
}

const newestOfCompany = async () => (await call.audit.list.query({ limit: 1 })).data[0];
const entries = async () => (await call.audit.list.query({ limit: 100 })).data;

/** Makes a change as the owner and returns the newest audit entry. */
async function change(name: string, input: unknown) {
  const { data, requestId } = await send(token, name, input);
  const entry = await newestOfCompany();
  expect(entry).toMatchObject({ personId: owner.personId, clientId: null, address: ADDRESS, requestId });
  return { data: data ?? {}, told: { action: entry?.action, subject: entry?.subject, detail: entry?.detail } };
}

/** Makes a change as an operator's program and returns its audit entry. */
async function operate(name: string, input: unknown) {
  const { data, requestId } = await send(operatorToken, `operations.${name}`, input);
  const found = (await operator.audit.list.query({ limit: 100 })).data.find((entry) => entry.requestId === requestId);
  const { clientId } = environment.operator;
  expect(found).toMatchObject({ personId: null, clientId, address: ADDRESS });
  return {
    data,
    requestId,
    told: { action: found?.action, subject: found?.subject, detail: found?.detail, companyId: found?.companyId },
  };
}

function creation(externalReference = newReference()) {
  const body = shipmentBody(company, {
    externalReference,
    destination: { ...DESTINATION, latitude: '21.5', longitude: '39.25' },
    declaredValue: '10',
    codAmount: '0',
    items: [{ description: 'Beans', quantity: 1, weightKilograms: '1' }],
  });
  return { idempotencyKey: newKey(), ...body };
}

async function unresolved() {
  const { shipmentId } = await merchant.create();
  await environment.sql(company.shard, 'update shipments set held = 1 where id = ?', [shipmentId]);
  await forceState(environment, company, shipmentId, 'READY_FOR_DISPATCH');
  await forceState(environment, company, shipmentId, 'DISPATCH_UNRESOLVED');
  return shipmentId;
}

describe('the audit of changes by a person', () => {
  it('names webhook endpoints by their host only: created, updated, rotated, deleted', async () => {
    const made = await change('webhookEndpoints.create', { url: URL_OF_ENDPOINT, eventTypes: ['*'] });
    const endpointId = String(made.data['endpointId']);
    const host = 'receiver.example';
    expect(made.told).toEqual({ action: 'webhook_endpoint.created', subject: endpointId, detail: { host } });
    const updated = await change('webhookEndpoints.update', { endpointId, ifMatch: '*', enabled: false });
    expect(updated.told).toEqual({
      action: 'webhook_endpoint.updated',
      subject: endpointId,
      detail: { host, version: 1, members: 'state', state: 'DISABLED' },
    });
    const rotated = await change('webhookEndpoints.rotateSecret', { endpointId, overlapSeconds: 60 });
    const detail = { overlapSeconds: 60 };
    expect(rotated.told).toEqual({ action: 'webhook_endpoint.rotated', subject: endpointId, detail });
    const deleted = await change('webhookEndpoints.delete', { endpointId, ifMatch: '*' });
    expect(deleted.told).toEqual({ action: 'webhook_endpoint.deleted', subject: endpointId, detail: { host } });
    expect(JSON.stringify(await entries())).not.toMatch(/hidden|whsec_/);
  });

  it('has replays of a delivery and of a range', async () => {
    const { data } = await send(token, 'webhookEndpoints.create', { url: URL_OF_ENDPOINT, eventTypes: ['*'] });
    const endpointId = String(data['endpointId']);
    await merchant.create();
    const [delivery] = (await call.webhookDeliveries.list.query({ endpointId })).data;
    const deliveryId = delivery?.deliveryId ?? '';
    const replayed = await change('webhookDeliveries.replay', { deliveryId });
    expect(replayed.told).toEqual({
      action: 'webhook_delivery.replayed',
      subject: deliveryId,
      detail: { endpointId },
    });
    const from = new Date(Date.now() - 60_000).toISOString();
    const range = await change('webhookEndpoints.replay', { endpointId, from, to: new Date().toISOString() });
    const { replayId, matched } = range.data;
    const action = 'webhook_endpoint.replayed';
    expect(range.told).toEqual({ action, subject: endpointId, detail: { replayId, matched } });
  });

  it('has shipments created, cancelled and retried, with their sequence in the timeline', async () => {
    const created = await change('shipments.create', creation());
    const shipmentId = String(created.data['shipmentId']);
    expect(created.told).toEqual({ action: 'shipment.created', subject: shipmentId, detail: { sequence: 1 } });
    const cancelled = await change('shipments.cancel', {
      shipmentId,
      ifMatch: '*',
      reasonCode: 'PRICE',
      comment: 'Noura called',
    });
    const detail = { sequence: 2, reasonCode: 'PRICE' };
    expect(cancelled.told).toEqual({ action: 'shipment.cancelled', subject: shipmentId, detail });
    const { data: timeline } = await call.shipments.timeline.query({ shipmentId });
    expect(timeline.map(({ sequence, type }) => `${sequence} ${type}`)).toContain('2 shipment.cancelled');
    const waiting = await unresolved();
    const retried = await change('shipments.retryDispatch', { shipmentId: waiting, ifMatch: '*' });
    expect(retried.told).toMatchObject({ action: 'shipment.dispatch_retried', subject: waiting });
    expect(JSON.stringify(await entries())).not.toContain('Noura');
  });

  it('has tracking links created and revoked', async () => {
    const { shipmentId } = await merchant.create();
    const made = await change('trackingLinks.create', { shipmentId });
    const linkId = String(made.data['linkId']);
    const detail = { shipmentId };
    expect(made.told).toEqual({ action: 'tracking_link.created', subject: linkId, detail });
    const revoked = await change('trackingLinks.revoke', { shipmentId, linkId, ifMatch: '*' });
    expect(revoked.told).toEqual({ action: 'tracking_link.revoked', subject: linkId, detail });
  });

  it('has uploaded pictures', async () => {
    const externalReference = newReference();
    const made = await change('mediaAssets.create', mediaForm({ externalReference, sortOrder: 1 }));
    const subject = made.data['mediaAssetId'];
    expect(made.told).toEqual({ action: 'media_asset.uploaded', subject, detail: { externalReference } });
  });

  it('has no entry for requests that were refused, replayed or changed nothing', async () => {
    const externalReference = newReference();
    const order = creation(externalReference);
    const { data } = await send(token, 'shipments.create', order);
    const cancel = { shipmentId: String(data['shipmentId']), ifMatch: '*', reasonCode: 'PRICE' };
    await send(token, 'shipments.cancel', cancel);
    const before = await entries();
    await send(token, 'shipments.create', order);
    await send(token, 'shipments.cancel', cancel);
    const refusals = [
      send(token, 'shipments.create', creation(externalReference)),
      send(token, 'trackingLinks.create', { shipmentId: cancel.shipmentId }),
      send(token, 'mediaAssets.create', mediaForm({ externalReference, sortOrder: 1 })),
    ];
    for (const refusal of await Promise.allSettled(refusals)) expect(refusal.status).toBe('rejected');
    expect(await entries()).toEqual(before);
  });

  it('lists, for a removed person, the endpoints they set up, but not the shipments they created', async () => {
    const colleague = await addPerson(environment, company);
    const session = await addSession(environment, colleague, { assurance: 'AAL2' });
    await send(session, 'shipments.create', creation());
    const { data } = await send(session, 'webhookEndpoints.create', { url: URL_OF_ENDPOINT, eventTypes: ['*'] });
    const endpointId = String(data['endpointId']);
    await send(session, 'webhookEndpoints.rotateSecret', { endpointId, overlapSeconds: 0 });
    const { setUp } = await call.people.remove.mutate({ personId: colleague.personId });
    expect(setUp.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      `webhook_endpoint.rotated ${endpointId}`,
      `webhook_endpoint.created ${endpointId}`,
    ]);
  });

  it('has no entries for changes by client programs, drivers or the service itself', async () => {
    const sandbox = await newSandbox(environment);
    const { shipmentId } = await sandbox.create();
    await sandbox.untilState(shipmentId, 'OFFERED');
    await (await sandbox.signIn()).act(shipmentId, { action: 'ACCEPT' });
    await sandbox.merchant.cancel(shipmentId);
    const reader = await addSession(environment, await addPerson(environment, sandbox.company));
    expect((await trpcClient(environment, reader).audit.list.query({})).data).toEqual([]);
  });
});

describe("the audit of changes by an operator's program", () => {
  const { companyId } = company;

  it('belongs to the company that the change concerns', async () => {
    const { shipmentId } = await merchant.create();
    const approved = await operate('shipments.approve', { companyId, shipmentId });
    expect(approved.told).toMatchObject({ action: 'shipment.approved', subject: shipmentId, companyId });
    expect(await newestOfCompany()).toMatchObject({ action: 'shipment.approved', subject: shipmentId });
    const policy = await operate('companies.setApprovalPolicy', { companyId, approvalPolicy: 'MANUAL' });
    expect(policy.told).toEqual({
      action: 'company.approval_policy_set',
      subject: companyId,
      companyId,
      detail: { approvalPolicy: 'MANUAL' },
    });
    expect(await newestOfCompany()).toMatchObject({ action: 'company.approval_policy_set' });
  });

  it('shows the company neither the program nor its network address', async () => {
    const { requestId } = await operate('companies.setApprovalPolicy', { companyId, approvalPolicy: 'MANUAL' });
    const entry = await newestOfCompany();
    expect(entry).toMatchObject({ personId: null, clientId: 'operations', address: null, requestId });
    expect(JSON.stringify(await entries())).not.toContain(environment.operator.clientId);
  });

  it('lists an entry once if two shards have it, as during a move of its company', async () => {
    await operate('companies.setApprovalPolicy', { companyId, approvalPolicy: 'MANUAL' });
    const [newest] = (await operator.audit.list.query({ limit: 1, companyId })).data;
    const [row = {}] = await environment.sql(company.shard, 'select * from audit_entries where id = ?', [
      newest?.entryId ?? '',
    ]);
    const columns = Object.keys(row);
    const other = company.shard === 'shard-1' ? 'shard-2' : 'shard-1';
    const values = columns.map((name) => row[name] ?? null);
    const places = columns.map(() => '?').join();
    await environment.sql(other, `insert into audit_entries (${columns.join()}) values (${places})`, values);
    const { data } = await operator.audit.list.query({ limit: 2, companyId });
    expect(data.map(({ entryId }) => entryId).filter((id) => id === newest?.entryId)).toHaveLength(1);
    expect(data).toHaveLength(2);
  });

  it('has drivers and service levels of a shard, without names and phones', async () => {
    const { shard, phone, ...terms } = driverTerms(newCity());
    const made = await operate('drivers.create', { shard, phone, ...terms });
    const driverId = String(made.data['driverId']);
    const about = { subject: driverId, companyId: null };
    expect(made.told).toEqual({ action: 'driver.created', ...about, detail: { version: 0 } });
    const updated = await operate('drivers.update', { shard, driverId, version: 0, firstName: 'Badr' });
    const members = { version: 1, members: 'firstName' };
    expect(updated.told).toEqual({ action: 'driver.updated', ...about, detail: members });
    const duty = await operate('drivers.setDuty', { shard, driverId, version: 1, onDuty: true });
    expect(duty.told).toMatchObject({ action: 'driver.on_duty', ...about });
    await operate('drivers.setDuty', { shard, driverId, version: 2, onDuty: false });
    const code = `LEVEL_${newCity().slice(-8)}`;
    const level = {
      capabilities: [],
      cities: [newCity()],
      weightKilogramsMax: '5',
      lengthCentimetresMax: '50',
      rank: 9,
    };
    const created = await operate('serviceLevels.create', { shard: 'shard-2', code, ...level });
    expect(created.told).toMatchObject({ action: 'service_level.created', subject: code, companyId: null });
    const changed = await operate('serviceLevels.update', { shard: 'shard-2', code, version: 0, status: 'INACTIVE' });
    expect(changed.told).toMatchObject({ action: 'service_level.updated', detail: { version: 1, members: 'status' } });
    const text = JSON.stringify(await operator.audit.list.query({ limit: 100 }));
    expect(text).not.toMatch(new RegExp(`${phone.slice(-8)}|Badr|Faisal`));
    const before = (await operator.audit.list.query({ limit: 1, subject: driverId })).data;
    const stale = operator.drivers.update.mutate({ shard, driverId, version: 0, firstName: 'Omar' });
    expect(await problemOfCall(stale)).toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect((await operator.audit.list.query({ limit: 1, subject: driverId })).data).toEqual(before);
  });

  it('has published tariffs', async () => {
    const latest = (await operator.tariffs.list.query({})).at(-1);
    const day = Math.max(Date.parse(latest?.effectiveFrom ?? ''), Date.now() + 365 * 86_400_000) + 86_400_000;
    const terms = { baseAmount: '1', kilometreAmount: '1', vatRate: '0.15', cancellationAmount: '0', cities: [] };
    const made = await operate('tariffs.publish', {
      effectiveFrom: new Date(day).toISOString(),
      ...terms,
      cities: [{ cityCode: 'RUH', surcharge: '0' }],
    });
    const subject = String(made.data['version']);
    expect(made.told).toEqual({ action: 'tariff.published', subject, companyId: null, detail: {} });
  });

  it('is listed page by page across all databases', async () => {
    // Other tests write entries at the same time, but none of this company.
    const whole = (await operator.audit.list.query({ limit: 5, companyId })).data;
    const paged = [];
    let cursor: string | undefined;
    for (let page = 0; page < whole.length; page += 1) {
      const { data, page: next } = await operator.audit.list.query({
        limit: 1,
        companyId,
        ...(cursor === undefined ? {} : { cursor }),
      });
      paged.push(...data);
      cursor = next.nextCursor ?? undefined;
    }
    expect(paged).toEqual(whole);
  });
});
