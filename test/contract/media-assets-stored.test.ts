import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { type Merchant, merchantOf } from '../../scripts/shared/merchant.ts';
import { newReference } from '../../scripts/shared/shipments.ts';
import { PNG, PNG_WITH_PLACE } from '../support/files.ts';
import { addMedia, MEDIA, readMedia, sendMedia } from '../support/media.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

/* Pictures after their upload: who sees them, and until when they can be deleted. */

const environment = sharedEnvironment();
const newMerchant = async (scope?: string) => merchantOf(environment, await addCompany(environment), scope);
const NOT_FOUND = { status: 404, code: 'RESOURCE_NOT_FOUND' };

async function addPicture({ company }: Merchant, reference: string, sortOrder = 0): Promise<string> {
  return String((await addMedia(environment, company, reference, sortOrder))['mediaAssetId']);
}
async function remove({ company }: Merchant, id: string, scope?: string): Promise<Response> {
  const authorization = `Bearer ${await environment.token(company, scope)}`;
  return environment.fetch(`${MEDIA}/${id}`, { method: 'DELETE', headers: { authorization } });
}
async function idsOf(merchant: Merchant, query = ''): Promise<string[]> {
  const { data } = (await (await merchant.get(`${MEDIA}${query}`)).json()) as { data: { mediaAssetId: string }[] };
  return data.map(({ mediaAssetId }) => mediaAssetId);
}

describe('the list of pictures', () => {
  it('has the pictures of the company, newest first, each with its file and its shipment', async () => {
    const merchant = await newMerchant();
    const [used, waiting] = [newReference(), newReference()];
    const [first, second, third] = [
      await addPicture(merchant, used, 7),
      await addPicture(merchant, used, 3),
      await addPicture(merchant, waiting),
    ];
    const { shipmentId } = await merchant.create({ externalReference: used });
    expect(await idsOf(merchant)).toEqual([third, second, first]);
    expect(await idsOf(merchant, `?externalReference=${used}`)).toEqual([second, first]);
    expect(await idsOf(merchant, '?externalReference=none')).toEqual([]);
    expect(await idsOf(await newMerchant())).toEqual([]);
    const { data } = (await (await merchant.get(`${MEDIA}?limit=2`)).json()) as { data: object[] };
    const file = { state: 'READY', contentType: 'image/png', sizeBytes: PNG.length };
    expect(data).toMatchObject([
      { mediaAssetId: third, externalReference: waiting, shipmentId: null, sortOrder: 0, ...file },
      { mediaAssetId: second, externalReference: used, shipmentId, sortOrder: 3, ...file },
    ]);
  });

  it('has pages whose cursor fits no other filter and no other company', async () => {
    const merchant = await newMerchant();
    const reference = newReference();
    const ids = [await addPicture(merchant, reference), await addPicture(merchant, reference)];
    const { page } = (await (await merchant.get(`${MEDIA}?limit=1`)).json()) as { page: { nextCursor: string } };
    expect(await idsOf(merchant, `?cursor=${page.nextCursor}`)).toEqual(ids.slice(0, 1));
    const invalid = { status: 400, code: 'INVALID_CURSOR' };
    const filtered = `?externalReference=${reference}&cursor=${page.nextCursor}`;
    await expectProblem(await merchant.get(`${MEDIA}${filtered}`), invalid);
    await expectProblem(await (await newMerchant()).get(`${MEDIA}?cursor=${page.nextCursor}`), invalid);
  });
});

describe('the content of a picture', () => {
  it('has lost the metadata of the upload', async () => {
    const merchant = await newMerchant();
    const sent = await sendMedia(environment, merchant.company, `?externalReference=${newReference()}`, {
      body: PNG_WITH_PLACE,
    });
    const { mediaAssetId } = await readMedia(sent);
    const content = await merchant.get(`${MEDIA}/${mediaAssetId}/content`);
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(PNG);
    const { data } = (await (await merchant.get(MEDIA)).json()) as { data: object[] };
    expect(data).toMatchObject([{ mediaAssetId, sizeBytes: PNG.length }]);
  });

  it('is sent as a download that is not cached and that no browser opens as a page', async () => {
    const merchant = await newMerchant();
    const id = await addPicture(merchant, newReference());
    const response = await merchant.get(`${MEDIA}/${id}/content`, { accept: 'image/png,image/*;q=0.8' });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="picture-${id}.png"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    const { mediaAssets } = trpcClient(environment, await environment.token(merchant.company));
    const read = await mediaAssets.read.query({ mediaAssetId: id });
    expect(read).toEqual({
      fileName: `picture-${id}.png`,
      contentType: 'image/png',
      base64: Buffer.from(PNG).toString('base64'),
    });
  });

  it.each(['text/html', 'application/json', 'image/*;q=0'])('is 406 for Accept: %s', async (accept) => {
    const merchant = await newMerchant();
    const id = await addPicture(merchant, newReference());
    await expectProblem(await merchant.get(`${MEDIA}/${id}/content`, { accept }), {
      status: 406,
      code: 'NOT_ACCEPTABLE',
    });
  });

  it('is not found by another company, like one that does not exist or whose object is lost', async () => {
    const merchant = await newMerchant();
    const id = await addPicture(merchant, newReference());
    await expectProblem(await (await newMerchant()).get(`${MEDIA}/${id}/content`), NOT_FOUND);
    await expectProblem(await merchant.get(`${MEDIA}/${crypto.randomUUID()}/content`), NOT_FOUND);
    const lose = "update media_assets set object_key = 'lost' where id = ?";
    await environment.sql(merchant.company.shard, lose, [id]);
    await expectProblem(await merchant.get(`${MEDIA}/${id}/content`), NOT_FOUND);
  });
});

describe('a deletion', () => {
  it('removes the picture from the list, the content and the event of its later shipment', async () => {
    const merchant = await newMerchant();
    const reference = newReference();
    const [gone, left] = [await addPicture(merchant, reference, 1), await addPicture(merchant, reference, 2)];
    expect((await remove(merchant, gone)).status).toBe(204);
    expect(await idsOf(merchant)).toEqual([left]);
    await expectProblem(await merchant.get(`${MEDIA}/${gone}/content`), NOT_FOUND);
    await expectProblem(await remove(merchant, gone), NOT_FOUND);
    const { shipmentId } = await merchant.create({ externalReference: reference });
    const events = await merchant.get(`/v2/external/events?shipmentId=${shipmentId}&type=shipment.created`);
    const text = await events.text();
    expect([text.includes(left), text.includes(gone)]).toEqual([true, false]);
  });

  it('of the last picture leaves an event without pictures', async () => {
    const merchant = await newMerchant();
    const reference = newReference();
    await remove(merchant, await addPicture(merchant, reference));
    const { shipmentId } = await merchant.create({ externalReference: reference });
    const events = await merchant.get(`/v2/external/events?shipmentId=${shipmentId}&type=shipment.created`);
    expect(await events.text()).not.toContain('timelineMedia');
  });

  it('is 409 as soon as a shipment refers to the picture, which stays', async () => {
    const merchant = await newMerchant();
    const reference = newReference();
    const id = await addPicture(merchant, reference);
    await merchant.create({ externalReference: reference });
    await expectProblem(await remove(merchant, id), { status: 409, code: 'INVALID_STATE_TRANSITION' });
    expect((await merchant.get(`${MEDIA}/${id}/content`)).status).toBe(200);
  });

  it('needs shipments:write and the own company', async () => {
    const merchant = await newMerchant();
    const id = await addPicture(merchant, newReference());
    await expectProblem(await remove(await newMerchant(), id), NOT_FOUND);
    await expectProblem(await remove(merchant, id, 'shipments:read'), { status: 403, code: 'ACCESS_DENIED' });
    expect(await idsOf(merchant)).toEqual([id]);
  });
});
