import { describe, expect, it } from 'vitest';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { createLink, follow } from '../../scripts/shared/tracking.ts';
import { PDF, PNG, pngOf, pngOfPixels } from '../support/files.ts';
import { newConsole } from '../support/places.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const PHONE = '+966112345678';
const WHATSAPP = '+966501234567';
const SHOWN = { phone: PHONE, whatsApp: WHATSAPP, showsContact: true };

/** A company with a shipment, a link to it, and an owner who has just proved the second factor. */
async function newShop() {
  const { company } = await newConsole(environment);
  // Nothing changes the shipment during a test.
  await setApprovalPolicy(environment, company, 'MANUAL');
  const owner = await addPerson(environment, company, 'OWNER');
  const call = trpcClient(environment, await addSession(environment, owner, { assurance: 'AAL2' })).trackingBrand;
  const merchant = await merchantOf(environment, company);
  const { shipmentId } = await merchant.create();
  const { token } = await createLink(merchant, shipmentId, { locale: 'en' });
  const json = async () => (await (await follow(environment, token)).json()) as Record<string, unknown>;
  const page = async () => (await environment.fetch(`/t/${token}`)).text();
  return { company, owner, call, merchant, shipmentId, token, json, page };
}

const pictureOf = (bytes: Uint8Array, contentType: 'image/png' | 'image/jpeg' | 'image/webp' = 'image/png') => ({
  contentType,
  base64: Buffer.from(bytes).toString('base64'),
});
/** 200 by 60 pixels, with metadata. */
const WEBP = Buffer.from(
  'RIFF\x26\0\0\0WEBPEXIF\x0c\0\0\0secret placeVP8L\x06\0\0\0\x2f\xc7\xc0\x0e\x10\x07',
  'latin1',
);
const pathOf = (logo: { readonly url: string } | null) => new URL(logo?.url ?? '').pathname;

describe('the contact of a company', () => {
  it('is shown to recipients only after the company has agreed, and no longer once it takes that back', async () => {
    const { call, json, page, token, merchant, shipmentId } = await newShop();
    expect(await call.get.query({})).toEqual({
      phone: null,
      whatsApp: null,
      showsContact: false,
      logo: null,
      updatedAt: null,
      version: 0,
    });
    const before = await json();
    const hidden = await call.setContact.mutate({ ifMatch: '"0"', ...SHOWN, showsContact: false });
    expect(hidden).toMatchObject({ phone: PHONE, showsContact: false, version: 1 });
    expect(await json()).toEqual(before);
    expect(await page()).not.toMatch(/tel:|wa\.me|12345678/);

    expect((await call.setContact.mutate({ ifMatch: '"1"', ...SHOWN })).version).toBe(2);
    const shown = { ...before, merchantPhone: PHONE, merchantWhatsApp: WHATSAPP };
    expect(await json()).toEqual(shown);
    expect(await (await merchant.get(`${SHIPMENTS}/${shipmentId}/tracking`)).json()).toMatchObject(shown);
    const text = await page();
    expect(text).toContain(`<a href="tel:${PHONE}" rel="noopener noreferrer">`);
    expect(text).toContain(`<a href="https://wa.me/${WHATSAPP.slice(1)}" rel="noopener noreferrer">`);
    expect(text).not.toContain(token);

    await call.setContact.mutate({ ifMatch: '"2"', ...SHOWN, whatsApp: null });
    expect(await json()).toEqual({ ...before, merchantPhone: PHONE });
    await call.setContact.mutate({ ifMatch: '"3"', ...SHOWN, showsContact: false });
    expect(await json()).toEqual(before);
  });

  it('changes once for each version, with an entry in the audit that has no number', async () => {
    const { call, company, owner } = await newShop();
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) =>
        call.setContact.mutate({ ifMatch: '"0"', ...SHOWN, phone: `+96611234567${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { phone } = await call.get.query({});
    // Nothing differs, so nothing is written.
    expect(await call.setContact.mutate({ ifMatch: '"1"', ...SHOWN, phone })).toMatchObject({ version: 1 });
    expect(await problemOfCall(call.setContact.mutate({ ifMatch: '"0"', ...SHOWN }))).toMatchObject({
      code: 'PRECONDITION_FAILED',
      currentVersion: 1,
    });
    const select =
      "select person_id, detail from audit_entries where company_id = ? and action = 'tracking_brand.contact_set'";
    expect(await environment.sql(company.shard, select, [company.companyId])).toEqual([
      {
        person_id: owner.personId,
        detail: JSON.stringify({ version: 1, members: 'phone whatsApp showsContact', showsContact: true }),
      },
    ]);
  });

  it.each(['0112345678', '+0112345678', '+96611', 'tel:+966112345678', '+966112345678;ext=1'])(
    'cannot be %s',
    async (phone) => {
      const { call } = await newShop();
      for (const changes of [{ phone }, { whatsApp: phone }])
        expect(await problemOfCall(call.setContact.mutate({ ifMatch: '"0"', ...SHOWN, ...changes }))).toMatchObject({
          status: 422,
          violations: [{ field: Object.keys(changes)[0], code: 'PATTERN_MISMATCH' }],
        });
    },
  );
});

describe('the logo of a company', () => {
  it('is shown at an address of its own, without metadata, until it is replaced or removed', async () => {
    const { call, json, page, token } = await newShop();
    const picture = pngOfPixels(200, 60);
    const first = await call.setLogo.mutate({ ifMatch: '"0"', logo: pictureOf(picture) });
    expect(first).toMatchObject({ logo: { width: 200, height: 60 }, version: 1 });
    expect((await json())['merchantLogo']).toEqual(first.logo);
    const path = pathOf(first.logo);
    expect(path).not.toContain(token);
    expect(await page()).toMatch(new RegExp(`<img class="logo" src="${path}" width="200" height="60" alt="[^"]+"`));
    const read = await environment.fetch(path);
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="logo"',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=86400',
    });
    expect(Buffer.from(await read.arrayBuffer()).equals(picture)).toBe(true);

    const second = await call.setLogo.mutate({ ifMatch: '"1"', logo: pictureOf(WEBP, 'image/webp') });
    expect(second.logo).toMatchObject({ width: 200, height: 60 });
    expect((await environment.fetch(path)).status).toBe(404);
    const cleaned = await (await environment.fetch(pathOf(second.logo))).text();
    expect(cleaned).toMatch(/^RIFF.{4}WEBPVP8L/s);

    // The contact is independent of it.
    await call.setContact.mutate({ ifMatch: '"2"', ...SHOWN });
    expect((await call.get.query({})).logo).toEqual(second.logo);
    const removed = await call.setLogo.mutate({ ifMatch: '"3"', logo: null });
    expect(removed).toMatchObject({ ...SHOWN, logo: null, version: 4 });
    expect((await environment.fetch(pathOf(second.logo))).status).toBe(404);
    expect(await json()).not.toHaveProperty('merchantLogo');
  });

  it.each([
    ['a PDF', pictureOf(PDF), 'DOCUMENT_CONTENT_MISMATCH'],
    ['SVG', pictureOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'DOCUMENT_CONTENT_MISMATCH'],
    ['a PNG that says it is a WebP', pictureOf(pngOfPixels(16, 16), 'image/webp'), 'DOCUMENT_CONTENT_MISMATCH'],
    ['one pixel', pictureOf(PNG), 'VALIDATION_FAILED'],
    ['more than 1024 pixels', pictureOf(pngOfPixels(1025, 16)), 'VALIDATION_FAILED'],
    ['8 kB and a byte', pictureOf(pngOf(8 * 1024 + 1, pngOfPixels(16, 16))), 'DOCUMENT_TOO_LARGE'],
    ['9 kB', pictureOf(pngOf(9 * 1024, pngOfPixels(16, 16))), 'VALIDATION_FAILED'],
    ['no base64', { contentType: 'image/png', base64: 'no base64' } as const, 'VALIDATION_FAILED'],
  ])('cannot be %s', async (_name, logo, code) => {
    const { call } = await newShop();
    expect(await problemOfCall(call.setLogo.mutate({ ifMatch: '"0"', logo }))).toMatchObject({ code });
    expect((await call.get.query({})).version).toBe(0);
  });

  it('may have 16 and 1024 pixels, and 8 kB', async () => {
    const { call } = await newShop();
    const picture = pngOf(8 * 1024, pngOfPixels(1024, 16));
    const { logo } = await call.setLogo.mutate({ ifMatch: '*', logo: pictureOf(picture) });
    expect(logo).toMatchObject({ width: 1024, height: 16 });
  });
});

it.each(['/logos/x', `/logos/shard-2_${'0'.repeat(32)}`, `/logos/shard-9_${'0'.repeat(32)}`, '/logos/%E0%A4'])(
  '%s is not found',
  async (path) => {
    expect((await environment.fetch(path)).status).toBe(404);
  },
);
