import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox, SANDBOX } from '../../scripts/shared/sandbox.ts';
import { newReference } from '../../scripts/shared/shipments.ts';
import { JPEG, PDF, PNG, PNG_THEN_PDF, pngOf } from '../support/files.ts';
import { addMedia, type MediaUpload, readMedia, sendMedia, statesOf } from '../support/media.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const MEBIBYTE = 1024 * 1024;
const TOO_MANY = { status: 422, code: 'VALIDATION_FAILED', violations: ['externalReference TOO_MANY_ITEMS'] };

const newMerchant = async () => merchantOf(environment, await addCompany(environment));
const send = ({ company }: Merchant, query: string, upload?: MediaUpload) =>
  sendMedia(environment, company, query, upload);
const add = ({ company }: Merchant, reference: string, sortOrder: number) =>
  addMedia(environment, company, reference, sortOrder);
const rowsOf = ({ company: { shard, companyId } }: Merchant) =>
  environment.sql(
    shard,
    'select state, sort_order, content_type, size_bytes from media_assets where company_id = ? order by id',
    [companyId],
  );
const statusesOf = (responses: readonly Response[]) =>
  responses.map(({ status }) => status).toSorted((left, right) => left - right);
/** The pictures in the event of a creation; undefined when the event has no such member. */
async function listedIn(merchant: Merchant, shipmentId: string): Promise<unknown> {
  const { data } = await readEventPage(await merchant.get(`${EVENTS}?shipmentId=${shipmentId}&type=shipment.created`));
  expect(data).toHaveLength(1);
  return data[0]?.data.shipment['timelineMedia'];
}

describe('a picture', () => {
  it('is stored for the reference of a future shipment, with sortOrder 0 by default', async () => {
    const merchant = await newMerchant();
    const reference = newReference();
    const first = await send(merchant, `?externalReference=${reference}&sortOrder=99`);
    expect(first.status).toBe(201);
    expect(await readMedia(first)).toMatchObject({ sortOrder: 99 });
    const second = await send(merchant, `?externalReference=${reference}`, { contentType: 'image/jpeg', body: JPEG });
    expect(await readMedia(second)).toMatchObject({ sortOrder: 0 });
    expect(await rowsOf(merchant)).toEqual([
      { state: 'READY', sort_order: 99, content_type: 'image/png', size_bytes: PNG.length },
      { state: 'READY', sort_order: 0, content_type: 'image/jpeg', size_bytes: JPEG.length },
    ]);
  });

  it('may have exactly 1 MiB, and not a byte more', async () => {
    const merchant = await newMerchant();
    expect((await send(merchant, '?externalReference=a', { body: pngOf(MEBIBYTE) })).status).toBe(201);
    const more = await send(merchant, '?externalReference=a', { body: pngOf(MEBIBYTE + 1) });
    await expectProblem(more, { status: 413, code: 'DOCUMENT_TOO_LARGE' });
    expect(await statesOf(environment, merchant.company)).toEqual(['READY']);
  });

  it('is one of at most ten per reference and company', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()];
    const reference = newReference();
    for (let index = 0; index < 10; index += 1) await add(merchant, reference, 0);
    await expectProblem(await send(merchant, `?externalReference=${reference}`), TOO_MANY);
    await add(merchant, newReference(), 0);
    await add(other, reference, 0);
    // The eleventh was refused before it was stored.
    expect(await statesOf(environment, merchant.company)).toEqual(Array.from({ length: 11 }, () => 'READY'));
  });

  it('takes the last place only once for six concurrent uploads', async () => {
    const merchant = await newMerchant();
    const reference = newReference();
    for (let index = 0; index < 9; index += 1) await add(merchant, reference, 0);
    const rivals = await Promise.all(
      Array.from({ length: 6 }, () => send(merchant, `?externalReference=${reference}`)),
    );
    expect(statusesOf(rivals)).toEqual([201, 422, 422, 422, 422, 422]);
    for (const rival of rivals.filter(({ status }) => status === 422)) await expectProblem(rival, TOO_MANY);
    const states = await statesOf(environment, merchant.company);
    expect(states.filter((state) => state === 'READY')).toHaveLength(10);
  });
});

describe('a refused picture is not stored:', () => {
  it.each([
    ['', ['externalReference REQUIRED']],
    ['?externalReference=', ['externalReference TOO_SHORT']],
    [`?externalReference=${'x'.repeat(129)}`, ['externalReference TOO_LONG']],
    ['?externalReference=a%00', ['externalReference PATTERN_MISMATCH']],
    ['?externalReference=a&externalReference=b', ['externalReference DUPLICATE_ITEM']],
    ['?externalReference=a&sortOrder=100', ['sortOrder OUT_OF_RANGE']],
    ['?externalReference=a&sortOrder=-1', ['sortOrder OUT_OF_RANGE']],
    ['?externalReference=a&sortOrder=one', ['sortOrder TYPE_MISMATCH']],
    ['?externalReference=a&sortOrder=1.5', ['sortOrder TYPE_MISMATCH']],
    ['?externalReference=a&sortOrder=01', ['sortOrder TYPE_MISMATCH']],
    ['?externalReference=a&sortOrder=', ['sortOrder TYPE_MISMATCH']],
    ['?externalReference=a&sortOrder=1&sortOrder=1', ['sortOrder DUPLICATE_ITEM']],
  ])('the query "%s" is 400', async (query, violations) => {
    const merchant = await newMerchant();
    await expectProblem(await send(merchant, query), { status: 400, code: 'INVALID_QUERY_PARAMETER', violations });
    expect(await rowsOf(merchant)).toEqual([]);
  });

  it.each([
    ['application/pdf', PDF],
    ['image/gif', PNG],
    ['multipart/form-data; boundary=x', PNG],
    ['', PNG],
  ])('the type "%s" is 415', async (contentType, body) => {
    const merchant = await newMerchant();
    const response = await send(merchant, '?externalReference=a', { contentType, body });
    await expectProblem(response, { status: 415, code: 'UNSUPPORTED_DOCUMENT_TYPE' });
    expect(await rowsOf(merchant)).toEqual([]);
  });

  it.each([
    ['a JPEG sent as PNG', 'image/png', JPEG],
    ['a PNG sent as JPEG', 'image/jpeg', PNG],
    ['a PDF sent as PNG', 'image/png', PDF],
    ['a PNG followed by a PDF', 'image/png', PNG_THEN_PDF],
    ['half a PNG', 'image/png', PNG.slice(0, 30)],
    ['an empty file', 'image/png', new Uint8Array()],
  ])('%s is 422', async (_kind, contentType, body) => {
    const merchant = await newMerchant();
    const response = await send(merchant, '?externalReference=a', { contentType, body });
    await expectProblem(response, { status: 422, code: 'DOCUMENT_CONTENT_MISMATCH' });
    expect(await rowsOf(merchant)).toEqual([]);
  });

  it('a reference that already has a shipment is 409 and names the shipment', async () => {
    const merchant = await newMerchant();
    const { externalReference, shipmentId, shipmentNumber } = await merchant.create();
    const response = await send(merchant, `?externalReference=${externalReference}`);
    const body = await expectProblem(response, { status: 409, code: 'EXTERNAL_REFERENCE_CONFLICT' });
    const existing = { shipmentId, shipmentNumber, href: `${SHIPMENTS}/${shipmentId}` };
    expect(body).toMatchObject({ existing });
    expect(await rowsOf(merchant)).toEqual([]);
    expect(await listedIn(merchant, shipmentId)).toBeUndefined();
    // Another company may use the same reference.
    expect((await send(await newMerchant(), `?externalReference=${externalReference}`)).status).toBe(201);
  });
});

describe('the event shipment.created', () => {
  it('lists the pictures of its reference by sortOrder and age; no other event or answer does', async () => {
    const merchant = await newMerchant();
    const externalReference = `Order "1", 'a' \\ ${newReference()}`;
    const encoded = encodeURIComponent(externalReference);
    const [third, first, second] = [
      await add(merchant, encoded, 99),
      await add(merchant, encoded, 5),
      await add(merchant, encoded, 5),
    ];
    await add(merchant, newReference(), 0);
    const created = await merchant.create({ externalReference });
    expect(created).not.toHaveProperty('timelineMedia');
    const { shipmentId } = created;
    expect(await listedIn(merchant, shipmentId)).toEqual([first, second, third]);
    expect(await (await merchant.get(`${SHIPMENTS}/${shipmentId}`)).json()).not.toHaveProperty('timelineMedia');
    await merchant.cancel(shipmentId);
    const { data } = await readEventPage(await merchant.get(`${EVENTS}?shipmentId=${shipmentId}`));
    const others = data.filter(({ type }) => type !== 'shipment.created');
    expect(others.length).toBeGreaterThan(0);
    for (const { data: told } of others) expect(told.shipment).not.toHaveProperty('timelineMedia');
  });

  it('lists all ten', async () => {
    const merchant = await newMerchant();
    const externalReference = newReference();
    const added = await Promise.all(Array.from({ length: 10 }, (_, index) => add(merchant, externalReference, index)));
    const { shipmentId } = await merchant.create({ externalReference });
    expect(await listedIn(merchant, shipmentId)).toEqual(added);
  });

  it('has no such member without pictures, even if another company has some', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()];
    const externalReference = newReference();
    await add(other, externalReference, 1);
    const without = await merchant.create({ externalReference });
    expect(await listedIn(merchant, without.shipmentId)).toBeUndefined();
  });
});

describe('faults of STORAGE', () => {
  it('fail as many uploads as set, leave none of them READY, and affect nothing else', async () => {
    const [sandbox, other] = [await newSandbox(environment), await newSandbox(environment)];
    const { merchant } = sandbox;
    const externalReference = newReference();
    const query = `?externalReference=${externalReference}`;
    await merchant.post(`${SANDBOX}/faults`, { target: 'STORAGE', count: 2 });
    const refused = await send(merchant, query);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    await expectProblem(refused, { status: 503, code: 'STORAGE_PROVIDER_UNAVAILABLE' });
    expect((await send(other.merchant, query)).status).toBe(201);
    expect((await sandbox.create()).state).toBe('PENDING_APPROVAL');
    expect((await send(merchant, query)).status).toBe(503);
    expect(await statesOf(environment, merchant.company)).toEqual(['UPLOADING', 'UPLOADING']);
    const kept = await add(merchant, externalReference, 3);
    const { shipmentId } = await sandbox.create({ externalReference });
    expect(await listedIn(merchant, shipmentId)).toEqual([kept]);
  });

  it('of ROUTING do not affect uploads', async () => {
    const { merchant } = await newSandbox(environment);
    await merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count: 100 });
    expect((await send(merchant, '?externalReference=a')).status).toBe(201);
  });
});
