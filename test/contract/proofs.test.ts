import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { codesTo } from '../../scripts/shared/people.ts';
import { recipientOf } from '../../scripts/shared/recipients.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { JPEG, PDF, PNG, PNG_WITH_PLACE, pngOf } from '../support/files.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

/* What drivers prove, as drivers, merchants and recipients see it. */

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const driver = await sandbox.signIn();
const HERE = { latitude: 24.794722, longitude: 46.626111 };
async function expectRefused(response: Response, code: string, members: JsonObject) {
  expect(await expectProblem(response, { status: 422, code })).toMatchObject(members);
}
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** A shipment that its driver has picked up. */
async function pickedUp(requirements: string[], changes: JsonObject = {}) {
  const phone = `+9665${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
  const destination = { addressLine: '4 King Fahd Road, Riyadh', cityCode: 'RUH', ...HERE };
  const recipient = { name: 'Huda Al-Otaibi', phone };
  const { shipmentId } = await sandbox.create({ requirements, recipient, destination, ...changes });
  await sandbox.untilState(shipmentId, 'OFFERED');
  for (const action of ['ACCEPT', 'PICK_UP']) await driver.act(shipmentId, { action });
  return { shipmentId, phone, path: `${SHIPMENTS}/${shipmentId}/proof` };
}
async function atTheDoor(requirements: string[] = [], changes: JsonObject = {}) {
  const parcel = await pickedUp(requirements, changes);
  expect((await driver.act(parcel.shipmentId, { action: 'DEPART' })).status).toBe(200);
  return parcel;
}

function upload(
  shipmentId: string,
  { bytes = PNG, purpose = 'DELIVERY_PHOTO', contentType = 'image/png', token = driver.token } = {},
) {
  return environment.fetch(`/v2/driver/shipments/${shipmentId}/proof-media?purpose=${purpose}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    body: bytes,
  });
}
const stored = z.strictObject({ mediaAssetId: z.uuid(), sha256: z.string() });
const proof = z.looseObject({ kind: z.string(), sha256: z.string(), record: z.nullable(z.string()) });
const read = async (path: string) => proof.parse(await (await sandbox.merchant.get(path)).json());

describe('a picture of a delivery', () => {
  it('is stored once without its metadata, and read with its hash', async () => {
    const { shipmentId, path } = await atTheDoor(['PROOF_PHOTO']);
    const first = await upload(shipmentId, { bytes: PNG_WITH_PLACE });
    expect(first.status).toBe(201);
    const picture = stored.parse(await first.json());
    // The text with the place is cut, so this is the same picture.
    expect(picture.sha256).toBe(sha256(PNG));
    const second = await upload(shipmentId);
    expect([second.status, await second.json()]).toEqual([200, picture]);
    const response = await sandbox.merchant.get(`${path}/media/${picture.mediaAssetId}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="proof-${picture.mediaAssetId}.png"`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      etag: `"${sha256(PNG)}"`,
    });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG);
    const proven = { mediaAssetIds: [picture.mediaAssetId], signedBy: 'Huda' };
    expect((await driver.act(shipmentId, { action: 'DELIVER', proof: proven })).status).toBe(200);
    expect(await read(path)).toMatchObject({
      kind: 'DELIVERY',
      evidence: 'COMPLETE',
      required: ['PHOTO'],
      signedBy: 'Huda',
      media: [
        { ...picture, purpose: 'DELIVERY_PHOTO', sizeBytes: PNG.length, availableUntil: expect.stringMatching(/Z$/) },
      ],
    });
  });

  it('of the same content is another one for another purpose', async () => {
    const { shipmentId, path } = await atTheDoor(['PROOF_PHOTO', 'PROOF_SIGNATURE']);
    const ids = [];
    for (const purpose of ['DELIVERY_PHOTO', 'SIGNATURE']) {
      const answer = await upload(shipmentId, { purpose });
      expect(answer.status).toBe(201);
      ids.push(stored.parse(await answer.json()).mediaAssetId);
    }
    expect(new Set(ids).size).toBe(2);
    expect((await driver.act(shipmentId, { action: 'DELIVER', proof: { mediaAssetIds: ids } })).status).toBe(200);
    expect(await read(path)).toMatchObject({
      evidence: 'COMPLETE',
      media: [{ purpose: 'DELIVERY_PHOTO' }, { purpose: 'SIGNATURE' }],
    });
  });

  it('is not taken for stored while the sweep removes an earlier one of the same content', async () => {
    const { shipmentId } = await atTheDoor();
    const { mediaAssetId } = stored.parse(await (await upload(shipmentId)).json());
    const set = (sql: string) => environment.sql(sandbox.company.shard, sql, [mediaAssetId]);
    await set("update proof_media set state = 'EXPIRED' where id = ?");
    await expectProblem(await upload(shipmentId), { status: 503, code: 'SERVICE_UNAVAILABLE' });
    await set('delete from proof_media where id = ?');
    expect((await upload(shipmentId)).status).toBe(201);
  });

  it('is refused if it is none, is too large, or belongs to another driver', async () => {
    const { shipmentId } = await atTheDoor();
    const wide = new Uint8Array(PNG);
    new DataView(wide.buffer).setUint32(16, 10_000);
    const refused = async (given: Parameters<typeof upload>[1], status: number, code: string) =>
      expectProblem(await upload(shipmentId, given), { status, code });
    await refused({ contentType: 'image/jpeg' }, 422, 'DOCUMENT_CONTENT_MISMATCH');
    await refused({ bytes: JPEG, contentType: 'image/jpeg' }, 422, 'DOCUMENT_CONTENT_MISMATCH');
    await refused({ bytes: PDF, contentType: 'application/pdf' }, 415, 'UNSUPPORTED_DOCUMENT_TYPE');
    await refused({ bytes: pngOf(1024 * 1024 + 1) }, 413, 'DOCUMENT_TOO_LARGE');
    await expectProblem(await upload(shipmentId, { bytes: wide }), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['content OUT_OF_RANGE'],
    });
    const other = await (await newSandbox(environment)).signIn();
    for (const id of [shipmentId, randomUUID()])
      await expectProblem(await upload(id, { token: other.token }), { status: 403, code: 'ACCESS_DENIED' });
  });

  it('is one of at most ten, before the end', async () => {
    const { shipmentId } = await atTheDoor();
    const sizes = Array.from({ length: 10 }, (_, index) => PNG.length + 12 + index);
    for (const size of sizes) expect((await upload(shipmentId, { bytes: pngOf(size) })).status).toBe(201);
    await expectProblem(await upload(shipmentId, { bytes: pngOf(PNG.length + 40) }), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['content TOO_MANY_ITEMS'],
    });
    await driver.act(shipmentId, { action: 'DELIVER' });
    await expectProblem(await upload(shipmentId), { status: 409, code: 'INVALID_STATE_TRANSITION' });
  });
});

describe('the photo of a delivery', () => {
  /** The page of a recipient with these permissions, after the delivery. */
  async function delivered(permissions: string[]) {
    const { shipmentId, phone } = await atTheDoor();
    const idOf = async (sent: Response) => stored.parse(await sent.json()).mediaAssetId;
    const photo = await idOf(await upload(shipmentId));
    const signature = await idOf(await upload(shipmentId, { purpose: 'SIGNATURE' }));
    const { token, recipientToken } = await recipientOf(environment, sandbox.merchant, {
      ...{ shipmentId, phone, permissions },
    });
    const given = { mediaAssetIds: [photo, signature] };
    expect((await driver.act(shipmentId, { action: 'DELIVER', proof: given })).status).toBe(200);
    const signedIn = { authorization: `Bearer ${recipientToken}` };
    const get = (query: string, headers: Record<string, string> = signedIn) =>
      environment.fetch(`/t/${token}/delivery${query}`, { headers });
    const tracking = await (await environment.fetch(`/t/${token}?lang=en`)).text();
    return { photo, signature, get, tracking, text: await (await get('?lang=en')).text() };
  }

  it('is on the page of a recipient who has signed in by a link that allows it', async () => {
    const { photo, signature, get, tracking, text } = await delivered(['PROOF']);
    expect(tracking).toContain('See the photo, or get help with the delivery');
    expect(text).toContain('<title>Photo of the delivery · ');
    expect(text).toContain(`src="?photo=${photo}"`);
    expect(text).toContain('Delivered on ');
    expect(text).not.toContain(signature);
    const shown = await get(`?photo=${photo}`);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'private, no-store',
    });
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(PNG);
    expect((await get(`?photo=${signature}`)).status).toBe(404);
    expect((await get(`?photo=${photo}`, {})).status).toBe(401);
  });

  it('comes before the return that a link allows as well', async () => {
    const { photo, text } = await delivered(['PROOF', 'RETURN']);
    const places = ['Delivered on ', `src="?photo=${photo}"`, '<section id="return"', 'value="return"'].map((part) =>
      text.indexOf(part),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((first, second) => first - second));
  });

  it('is on no page of another link', async () => {
    const { photo, get, tracking, text } = await delivered(['REFUSE']);
    expect(tracking).not.toContain('See the photo');
    expect(text).not.toContain('photo=');
    expect((await get(`?photo=${photo}`)).status).toBe(404);
  });
});

describe('the record', () => {
  it('has the hash of its event, and of its own text', async () => {
    const { shipmentId, path } = await atTheDoor();
    await driver.act(shipmentId, { action: 'ARRIVE', position: HERE });
    await driver.act(shipmentId, { action: 'FAIL', reasonCode: 'NOT_AS_ORDERED' });
    const record = await read(path);
    expect(record).toMatchObject({
      kind: 'ATTEMPT',
      evidence: 'COMPLETE',
      reasonCode: 'NOT_AS_ORDERED',
      place: { ...HERE, metersFromDestination: 0 },
    });
    expect(sha256(record.record ?? '')).toBe(record.sha256);
    const events = await readEventPage(
      await sandbox.merchant.get(`${EVENTS}?shipmentId=${shipmentId}&type=shipment.delivery_failed`),
    );
    expect(events.data[0]?.data).toMatchObject({ proof: { evidence: 'COMPLETE', sha256: record.sha256 } });
  });

  it('does not exist before the end, and is refused to other companies like that of an unknown shipment', async () => {
    const { shipmentId, path } = await atTheDoor();
    await expectProblem(await sandbox.merchant.get(path), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    const { mediaAssetId } = stored.parse(await (await upload(shipmentId)).json());
    const { merchant } = await newSandbox(environment);
    for (const denied of [
      path,
      `${path}/document`,
      `${path}/media/${mediaAssetId}`,
      `${SHIPMENTS}/${randomUUID()}/proof`,
    ])
      await expectProblem(await merchant.get(denied), { status: 403, code: 'ACCESS_DENIED' });
  });

  it('is printed in both languages', async () => {
    const { shipmentId, path } = await atTheDoor();
    const { mediaAssetId } = stored.parse(await (await upload(shipmentId)).json());
    const given = { signedBy: '<Huda>', mediaAssetIds: [mediaAssetId] };
    expect((await driver.act(shipmentId, { action: 'DELIVER', proof: given })).status).toBe(200);
    const { sha256: hash } = await read(path);
    const printed = async (lang: string) => (await sandbox.merchant.get(`${path}/document?lang=${lang}`)).text();
    for (const [lang, title] of [
      ['en', 'Proof of delivery'],
      ['ar', 'إثبات التوصيل'],
    ]) {
      const page = await sandbox.merchant.get(`${path}/document?lang=${lang}`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      const text = await page.text();
      for (const part of [title, hash, '&lt;Huda>', 'Huda Al-Otaibi', sha256(PNG)]) expect(text).toContain(part);
      expect(text).toContain(`<img src="media/${mediaAssetId}"`);
    }
    // Once the picture is deleted, its hash remains.
    await environment.sql(sandbox.company.shard, "update proof_media set state = 'EXPIRED' where id = ?", [
      mediaAssetId,
    ]);
    const later = await printed('en');
    expect(later).toContain(sha256(PNG));
    expect(later).not.toContain('<img');
  });
});

describe('a PIN', () => {
  it('is seen by the recipient alone, and delivers', async () => {
    const { shipmentId, phone, path } = await pickedUp(['PROOF_PIN'], { codAmount: 150.5, paymentMethod: 'COD' });
    const recipient = await recipientOf(environment, sandbox.merchant, { shipmentId, phone });
    const shown = z
      .looseObject({ pin: z.strictObject({ code: z.string().regex(/^[0-9]{4}$/), advice: z.string() }) })
      .parse(await (await recipient.read()).json());
    expect(shown.pin.advice).toBe(
      'Look at the goods first. Give this PIN to the driver only when you hold the parcel and have paid 150.5 SAR.',
    );
    await driver.act(shipmentId, { action: 'DEPART' });
    await expectRefused(await driver.act(shipmentId, { action: 'DELIVER' }), 'PROOF_REQUIRED', { missing: ['PIN'] });
    const pin = shown.pin.code;
    const wrong = String((Number(pin) + 1) % 10_000).padStart(4, '0');
    await expectRefused(
      await driver.act(shipmentId, { action: 'DELIVER', proof: { pin: wrong } }),
      'PROOF_PIN_INVALID',
      { attemptsRemaining: 4 },
    );
    for (const _again of [1, 2])
      expect((await driver.act(shipmentId, { action: 'DELIVER', proof: { pin } })).status).toBe(200);
    expect(await read(path)).toMatchObject({ evidence: 'COMPLETE', pinMessage: 'SEEN', required: ['PIN'] });
    // Nobody needed a message.
    expect(await codesTo(environment, phone)).not.toContain(pin);
  });

  it('is sent at the departure to a recipient who has not seen it, and again for the merchant three times', async () => {
    const { shipmentId, phone, path } = await atTheDoor(['PROOF_PIN']);
    // It is sent after the answer.
    const pin = await until('the PIN is sent', async () => (await codesTo(environment, phone))[0]);
    expect(pin).toMatch(/^[0-9]{4}$/);
    for (const resendsRemaining of [2, 1, 0]) {
      const again = await sandbox.merchant.post(`${path}/pin-resends`, {});
      expect([again.status, await again.json()]).toEqual([202, { resendsRemaining }]);
    }
    const refused = await expectProblem(await sandbox.merchant.post(`${path}/pin-resends`, {}), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(refused).toMatchObject({ reason: 'LIMIT_REACHED', currentState: 'OUT_FOR_DELIVERY' });
    expect(await codesTo(environment, phone)).toEqual([pin, pin, pin, pin]);
    expect((await driver.act(shipmentId, { action: 'DELIVER', proof: { pin } })).status).toBe(200);
    await expectProblem(await sandbox.merchant.post(`${path}/pin-resends`, {}), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
  });
});

describe('a PIN that is sent again with a key', () => {
  const resend = (path: string, key: string) =>
    sandbox.merchant.post(`${path}/pin-resends`, {}, { 'idempotency-key': key });

  it('is sent once for the key, also at the same time', async () => {
    const { phone, path } = await pickedUp(['PROOF_PIN']);
    const key = `resend ${randomUUID()}`;
    const answers = await Promise.all([resend(path, key), resend(path, key)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 202]));
    for (const answer of answers) expect(await answer.json()).toEqual({ resendsRemaining: 2 });
    expect((await resend(path, key)).headers.get('idempotency-replayed')).toBe('true');
    expect(await codesTo(environment, phone)).toHaveLength(1);
  });
});

describe('an operator', () => {
  const { companyId } = sandbox.company;

  it('releases a proof, and a photo with a signature then takes the place of the PIN', async () => {
    const { shipmentId, path } = await atTheDoor(['PROOF_PIN']);
    const { shipments } = trpcClient(environment, await environment.token(environment.operator)).operations;
    const order = { companyId, shipmentId, reason: 'The recipient has lost the phone.' };
    const first = await shipments.releaseProof.mutate(order);
    expect(await shipments.releaseProof.mutate(order)).toEqual(first);
    const missing = async () => driver.act(shipmentId, { action: 'DELIVER' });
    await expectRefused(await missing(), 'PROOF_REQUIRED', { missing: ['PHOTO', 'SIGNATURE'] });
    const ids = await Promise.all(
      [upload(shipmentId), upload(shipmentId, { bytes: pngOf(200), purpose: 'SIGNATURE' })].map(
        async (sent) => stored.parse(await (await sent).json()).mediaAssetId,
      ),
    );
    expect((await driver.act(shipmentId, { action: 'DELIVER', proof: { mediaAssetIds: ids } })).status).toBe(200);
    expect(await read(path)).toMatchObject({ evidence: 'PARTIAL', pin: null, releasedAt: first.releasedAt });
  });

  it('sets what a company proves, for shipments on their way, too', async () => {
    const other = await newSandbox(environment);
    const theirs = await other.signIn();
    const { shipmentId } = await other.create();
    await other.untilState(shipmentId, 'OFFERED');
    for (const action of ['ACCEPT', 'PICK_UP', 'DEPART']) await theirs.act(shipmentId, { action });
    const { companies } = trpcClient(environment, await environment.token(environment.operator)).operations;
    const terms = { proofPolicy: 'NONE', attemptPolicy: 'EVIDENCE', waitSeconds: 0 } as const;
    const { companyId: id } = other.company;
    const standing = async () => (await companies.get.query({ companyId: id })).proofTerms;
    expect(await standing()).toEqual({ proofPolicy: 'NONE', attemptPolicy: 'FREE', waitSeconds: 0 });
    expect(await companies.setProofTerms.mutate({ companyId: id, ...terms })).toEqual({ companyId: id, ...terms });
    expect(await standing()).toEqual(terms);
    await expectRefused(
      await theirs.act(shipmentId, { action: 'FAIL', reasonCode: 'RECIPIENT_UNREACHABLE' }),
      'PROOF_REQUIRED',
      { missing: ['ARRIVAL'] },
    );
  });
});
