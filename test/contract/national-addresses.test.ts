import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { newSandbox, SANDBOX } from '../../scripts/shared/sandbox.ts';
import { exactly, type JsonObject } from '../../scripts/shared/shipments.ts';
import { newOwner } from '../support/credentials.ts';
import { expectProblem } from '../support/problem.ts';
import { untilLogged } from '../support/request-log.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient, trpcClientWith } from '../support/trpc.ts';

/* Look-ups and suggestions with the fixture of a local deployment. The real sources have tests of their own in test/unit. */

const environment = sharedEnvironment();
const LOOK_UPS = '/v2/external/national-address-lookups';
const SUGGESTIONS = '/v2/external/address-suggestions';
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company, 'shipments:read');

const lookUp = (shortAddress: unknown) => merchant.post(LOOK_UPS, { shortAddress });
const suggest = (body: JsonObject, headers?: Record<string, string>) => merchant.post(SUGGESTIONS, body, headers);
const violationsOf = (...violations: string[]) => ({ status: 422, code: 'VALIDATION_FAILED', violations });

const RRRD2929 = {
  shortAddress: 'RRRD2929',
  buildingNumber: '2929',
  street: 'شارع العليا',
  district: 'حي الصحافة',
  city: 'الرياض',
  postalCode: '13321',
  additionalNumber: '8118',
  cityCode: 'RUH',
  location: { latitude: 24.7743, longitude: 46.6572 },
};

describe('POST /v2/external/national-address-lookups', () => {
  it('returns where a building is, with the code of its city', async () => {
    const response = await lookUp('RRRD2929');
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: RRRD2929 });
    expect(response.headers.has('etag')).toBe(false);
    const other = await lookUp('JEDA1234');
    expect(await other.json()).toMatchObject({ cityCode: 'JED', location: { latitude: 21.5433, longitude: 39.1728 } });
  });

  it.each([
    'rrrd2929',
    'RrRd2929',
    ' RRRD2929 ',
    'RRRD 2929',
    'RRRD-2929',
    'RRRD\u00a02929',
    'RRRD٢٩٢٩',
    'rrrd ۲۹۲۹',
    'R-RRD2929',
    '\nRRRD2929\t',
  ])('takes %j as people type it', async (code) => {
    expect(await (await lookUp(code)).json()).toEqual(RRRD2929);
  });

  it.each<[unknown, string]>([
    ['RRRD292', 'PATTERN_MISMATCH'],
    ['RRRD29290', 'PATTERN_MISMATCH'],
    ['RRR2929', 'PATTERN_MISMATCH'],
    ['RRRDD2929', 'PATTERN_MISMATCH'],
    ['2929RRRD', 'PATTERN_MISMATCH'],
    ['RRRD--2929', 'PATTERN_MISMATCH'],
    ['RR RD 2929', 'PATTERN_MISMATCH'],
    ['RRRD२९२९', 'PATTERN_MISMATCH'],
    ['RRRD２９２９', 'PATTERN_MISMATCH'],
    ['ＲＲＲＤ2929', 'PATTERN_MISMATCH'],
    ['ſſſſ2929', 'PATTERN_MISMATCH'],
    ['رررد2929', 'PATTERN_MISMATCH'],
    ['RRRD2929🙂', 'PATTERN_MISMATCH'],
    ['RRRD\u200e2929', 'PATTERN_MISMATCH'],
    ['RRRD\u00002929', 'PATTERN_MISMATCH'],
    ['', 'PATTERN_MISMATCH'],
    [' ', 'PATTERN_MISMATCH'],
    [29_292_929, 'TYPE_MISMATCH'],
    [['RRRD2929'], 'TYPE_MISMATCH'],
    [{ code: 'RRRD2929' }, 'TYPE_MISMATCH'],
    [true, 'TYPE_MISMATCH'],
    [null, 'NULL_NOT_ALLOWED'],
    [undefined, 'REQUIRED'],
  ])('refuses %j with %s', async (code, violation) => {
    await expectProblem(await lookUp(code), violationsOf(`shortAddress ${violation}`));
  });

  it('refuses members that it does not know, and a body that is no object', async () => {
    const more = await merchant.post(LOOK_UPS, { shortAddress: 'RRRD2929', locale: 'ar' });
    await expectProblem(more, violationsOf('locale UNKNOWN_PROPERTY'));
    expect((await merchant.post(LOOK_UPS, ['RRRD2929'])).status).toBe(422);
  });

  it('says what a code looks like, in both languages, and never repeats it', async () => {
    for (const [language, words] of [
      ['en', 'four letters and four digits'],
      ['ar', 'أربعة أحرف لاتينية وأربعة أرقام'],
    ] as const) {
      const response = await merchant.post(LOOK_UPS, { shortAddress: 'QXQX-99' }, { 'accept-language': language });
      const text = await response.text();
      expect(text).toContain(words);
      expect(text).not.toContain('QXQX');
    }
  });

  it('is 404 for a code that the registry does not know', async () => {
    await expectProblem(await lookUp('RRRD2930'), { status: 404, code: 'RESOURCE_NOT_FOUND' });
  });

  it('answers alike over tRPC, also for a person in the console', async () => {
    const client = trpcClient(environment, await environment.token(company));
    const address = { ...RRRD2929, location: { latitude: '24.7743', longitude: '46.6572' } };
    expect(await client.nationalAddresses.lookUp.mutate({ shortAddress: 'rrrd-2929' })).toEqual(address);
    expect(await problemOfCall(client.nationalAddresses.lookUp.mutate({ shortAddress: 'RRRD2930' }))).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    const { token } = await newOwner(environment);
    const person = trpcClientWith(environment, { authorization: `Bearer ${token}` });
    expect(await person.nationalAddresses.lookUp.mutate({ shortAddress: 'RRRD2929' })).toEqual(address);
    const { data } = await person.nationalAddresses.suggest.mutate({ text: 'Olaya Street', locale: 'en' });
    expect(data.map(({ title }) => title)).toEqual(['2929 Olaya Street']);
  });
});

describe('POST /v2/external/address-suggestions', () => {
  const titlesOf = async (body: JsonObject, headers?: Record<string, string>) => {
    const response = await suggest(body, headers);
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { title: string }[] };
    return data.map(({ title }) => title);
  };

  it('returns places that a shipment can go to', async () => {
    const response = await suggest({ text: 'olaya street', locale: 'en' });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: {
        data: [
          {
            title: '2929 Olaya Street',
            addressLine: '2929 Olaya Street, As Sahafah, Riyadh',
            district: 'As Sahafah',
            cityCode: 'RUH',
            location: { latitude: 24.7743, longitude: 46.6572 },
            shortAddress: 'RRRD2929',
            confidence: 'EXACT',
          },
        ],
      },
    });
  });

  it('knows the code of a city by its name in either language', async () => {
    for (const locale of ['en', 'ar']) {
      const { data } = (await (await suggest({ text: 'الملك فهد', locale })).json()) as {
        data: { cityCode: string }[];
      };
      expect(data.map(({ cityCode }) => cityCode)).toEqual(['RUH', 'DMM']);
    }
  });

  it('answers in the language that is asked for, or else in that of Accept-Language', async () => {
    expect(await titlesOf({ text: 'Olaya Street' })).toEqual(['2929 Olaya Street']);
    expect(await titlesOf({ text: 'Olaya Street' }, { 'accept-language': 'ar' })).toEqual(['2929 شارع العليا']);
    const both = { 'accept-language': 'ar' };
    expect(await titlesOf({ text: 'Olaya Street', locale: 'en' }, both)).toEqual(['2929 Olaya Street']);
  });

  it('puts what is near first', async () => {
    const text = 'King Fahd Road';
    const lines = async (near: JsonObject) => {
      const { data } = (await (await suggest({ text, near })).json()) as { data: { cityCode: string }[] };
      return data.map(({ cityCode }) => cityCode);
    };
    expect(await lines({ latitude: 26.4, longitude: 50.1 })).toEqual(['DMM', 'RUH']);
    expect(await lines({ latitude: exactly('24.70'), longitude: exactly('4.67e1') })).toEqual(['RUH', 'DMM']);
  });

  it.each([
    '🙂🙂🙂',
    '   ',
    '...',
    '\u202e\u200f\t',
    "'; drop table places; --",
    '%00%0a%20',
    '<b>x</b>',
    'x'.repeat(120),
    '🙂'.repeat(120),
  ])('finds nothing for %j', async (text) => {
    expect(await titlesOf({ text })).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ text: 'ab' }, 'text TOO_SHORT'],
    [{ text: '🙂🙂' }, 'text TOO_SHORT'],
    [{ text: 'a'.repeat(121) }, 'text TOO_LONG'],
    [{ text: '🙂'.repeat(121) }, 'text TOO_LONG'],
    [{ text: 'Olaya\u0000' }, 'text PATTERN_MISMATCH'],
    [{ text: 'Olaya\ud800' }, 'text PATTERN_MISMATCH'],
    [{ text: 2929 }, 'text TYPE_MISMATCH'],
    [{ text: null }, 'text NULL_NOT_ALLOWED'],
    [{}, 'text REQUIRED'],
    [{ text: 'Olaya', locale: 'fr' }, 'locale NOT_IN_ENUM'],
    [{ text: 'Olaya', locale: 'AR' }, 'locale NOT_IN_ENUM'],
    [{ text: 'Olaya', locale: 'ar-SA' }, 'locale NOT_IN_ENUM'],
    [{ text: 'Olaya', locale: null }, 'locale NULL_NOT_ALLOWED'],
    [{ text: 'Olaya', near: { latitude: 90.000001, longitude: 46 } }, 'near.latitude OUT_OF_RANGE'],
    [{ text: 'Olaya', near: { latitude: 24, longitude: -180.5 } }, 'near.longitude OUT_OF_RANGE'],
    [{ text: 'Olaya', near: { latitude: '24°', longitude: 46 } }, 'near.latitude TYPE_MISMATCH'],
    [{ text: 'Olaya', near: { latitude: 24 } }, 'near.longitude REQUIRED'],
    [{ text: 'Olaya', near: [24, 46] }, 'near TYPE_MISMATCH'],
    [{ text: 'Olaya', near: null }, 'near NULL_NOT_ALLOWED'],
    [{ text: 'Olaya', near: { latitude: 24, longitude: 46, zoom: 12 } }, 'near.zoom UNKNOWN_PROPERTY'],
    [{ text: 'Olaya', limit: 20 }, 'limit UNKNOWN_PROPERTY'],
  ])('refuses %j', async (body, violation) => {
    await expectProblem(await suggest(body), violationsOf(violation));
  });

  it('takes coordinates up to the ends of their ranges', async () => {
    for (const near of [
      { latitude: 90, longitude: 180 },
      { latitude: -90, longitude: -180 },
    ])
      expect((await suggest({ text: 'Olaya', near })).status).toBe(200);
  });
});

describe('the fault ADDRESS', () => {
  it('makes the next uses unavailable, those of no other company', async () => {
    const [sandbox, other] = [await newSandbox(environment), await newSandbox(environment)];
    await sandbox.merchant.post(`${SANDBOX}/faults`, { target: 'ADDRESS', count: 2 });
    const code = { shortAddress: 'RRRD2929' };
    expect((await other.merchant.post(LOOK_UPS, code)).status).toBe(200);
    for (const [path, body] of [
      [LOOK_UPS, code],
      [SUGGESTIONS, { text: 'Olaya' }],
    ] as const) {
      const response = await sandbox.merchant.post(path, body);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      await expectProblem(response, { status: 503, code: 'ADDRESS_PROVIDER_UNAVAILABLE' });
    }
    expect((await sandbox.merchant.post(LOOK_UPS, code)).status).toBe(200);
    expect((await sandbox.merchant.post(SUGGESTIONS, { text: 'Olaya' })).status).toBe(200);
  });
});

it('a look-up needs the scope shipments:read', async () => {
  const writer = await merchantOf(environment, company, 'shipments:write');
  await expectProblem(await writer.post(LOOK_UPS, { shortAddress: 'RRRD2929' }), {
    status: 403,
    code: 'ACCESS_DENIED',
  });
  await expectProblem(await writer.post(SUGGESTIONS, { text: 'Olaya' }), { status: 403, code: 'ACCESS_DENIED' });
});

it('no text, code or point of a look-up is in the request log or in any database', async () => {
  const marks = ['QXZV8642', 'qxzv 8643', 'planted-sidra', '24.987654', 'شارع-سدرة-المزروع', 'QXZV86'];
  const own = await merchantOf(environment, await addCompany(environment));
  const lookUpOwn = (shortAddress: string) => own.post(LOOK_UPS, { shortAddress });
  const suggestOwn = (body: JsonObject) => own.post(SUGGESTIONS, body);
  const answers = [
    await lookUpOwn('QXZV8642'),
    await lookUpOwn('qxzv 8643'),
    await lookUpOwn('QXZV86'),
    await suggestOwn({ text: 'planted-sidra', near: { latitude: 24.987654, longitude: 46.6 } }),
    await suggestOwn({ text: 'شارع-سدرة-المزروع', locale: 'ar' }),
    await suggestOwn({ text: 'planted-sidra', locale: 'planted-sidra' }),
    await suggestOwn({ text: 'planted-sidra'.repeat(20) }),
    await lookUpOwn('RRRD2929'),
    await suggestOwn({ text: 'Olaya Street' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 422, 200, 200, 422, 422, 200, 200]);
  for (const { headers } of answers) {
    const entry = await (await untilLogged(own, headers.get('x-request-id') ?? '')).text();
    expect(entry).toMatch(/nationalAddresses\.(?:lookUp|suggest)/);
    // Nor is the answer: where it is, and what it is called.
    const found = [...marks, 'RRRD2929', 'Olaya', 'العليا', '13321', '24.77'].filter((mark) => entry.includes(mark));
    expect(found).toEqual([]);
  }
  const rows = await environment.sql('directory', 'select count(*) from registry_addresses');
  // The fixture is no registry, so nothing is kept.
  expect(rows.flatMap((row) => Object.values(row)).map(Number)).toEqual([0]);
});
