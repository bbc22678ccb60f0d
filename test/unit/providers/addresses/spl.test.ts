import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { noMetrics } from '../../../../src/providers/absent.ts';
import { readSpl, splRegistry } from '../../../../src/providers/addresses/spl.ts';
import { ProviderReports } from '../../../../src/providers/provider-reports.ts';
import { BROKEN_ANSWERS } from '../../../support/broken-answers.ts';
import { type ProviderServer, SHORT, startProvider } from '../../../support/provider-server.ts';

/* The adapter of the national registry against a server that answers as api.address.gov.sa describes, wrongly, late or never. */

const KEY = 'a-key-of-the-registry';
const LIMITS = { ...SHORT, failuresMax: 3, answerBytesMax: 256 * 1024 };
const ADDRESS = {
  Title: null,
  Address1: '2929 شارع العليا - حي الصحافة',
  Address2: 'الرياض 13321 - 8118',
  ObjLatLng: '46.6572 24.7743',
  BuildingNumber: '2929',
  Street: 'شارع العليا',
  District: 'حي الصحافة',
  City: 'الرياض',
  PostCode: '13321',
  AdditionalNumber: '8118',
  RegionName: 'منطقة الرياض',
  ShortAddress: 'RRRD2929',
  Latitude: '24.77430000',
  Longitude: '46.65720000',
  Restriction: 'Null',
};
const answerWith = (changes: object, more: object = {}) => ({
  Addresses: [{ ...ADDRESS, ...changes }],
  PostCode: null,
  totalSearchResults: '1',
  success: true,
  statusdescription: 'SUCCESS',
  ...more,
});
const FOUND = {
  kind: 'found',
  address: {
    shortAddress: 'RRRD2929',
    buildingNumber: '2929',
    street: 'شارع العليا',
    district: 'حي الصحافة',
    city: 'الرياض',
    postalCode: '13321',
    additionalNumber: '8118',
    location: { latitude: '24.7743', longitude: '46.6572' },
  },
};
const readOf = (answer: unknown, asked = 'RRRD2929') => readSpl({ status: 200, text: JSON.stringify(answer) }, asked);

let server: ProviderServer;
let nowMs = 0;
beforeEach(async () => {
  server = await startProvider();
  nowMs = 0;
});
afterEach(() => server.stop());

function openRegistry(url = server.url, limits = LIMITS) {
  const providerReports = new ProviderReports(() => performance.now());
  const fetchFrom = (address: string, init: RequestInit) => fetch(address, init);
  const platform = { fetch: fetchFrom, monotonicMs: () => nowMs, metrics: noMetrics, providerReports };
  return { ...splRegistry({ url, apiKey: KEY }, platform, limits), providerReports };
}

describe('a request', () => {
  it('has the code in its query and the key in a header, and asks for JSON in UTF-8', async () => {
    server.answer = (response) => response.end(JSON.stringify(answerWith({})));
    expect(await openRegistry().find('RRRD2929')).toEqual(FOUND);
    const [asked] = server.asked;
    expect(asked?.path).toBe(
      '/NationalAddressByShortAddress/NationalAddressByShortAddress?format=json&language=A&encode=utf8&shortaddress=RRRD2929',
    );
    expect(asked?.headers['api_key']).toBe(KEY);
  });

  it('for a place has latitude and longitude with all digits', async () => {
    server.answer = (response) => response.end(JSON.stringify(answerWith({})));
    const point = { latitude: literalDecimal('24.774300000001'), longitude: literalDecimal('46.6572') };
    expect(await openRegistry().nearest(point)).toEqual(FOUND);
    expect(server.asked[0]?.path).toBe(
      '/v3.1/address/address-geocode?format=json&language=A&encode=utf8&lat=24.774300000001&long=46.6572',
    );
  });

  // The documentation shows the address of other operations with the version.
  it.each(['/', '/v3.1', '/v3.1/'])('begins at the address %s as without it', async (end) => {
    server.answer = (response) => response.end(JSON.stringify(answerWith({})));
    expect((await openRegistry(`${server.url}${end}`).find('RRRD2929')).kind).toBe('found');
    expect(server.asked[0]?.path).toMatch(/^\/NationalAddressByShortAddress\//);
  });
});

describe('an answer', () => {
  it.each<[string, object, object]>([
    ['a name in both languages', { City: 'RIYADH,الرياض', District: 'As Sahafah Dist.,حي الصحافة' }, {}],
    ['numbers without quotes', { BuildingNumber: 2929, Latitude: 24.7743, Longitude: 46.6572 }, {}],
    ['no code', { ShortAddress: null }, {}],
    ['a code in small letters', { ShortAddress: 'rrrd2929' }, {}],
    ['the place only as a pair', { Latitude: null, Longitude: null }, {}],
    ['spaces and line feeds', { Street: '  شارع\r\nالعليا ' }, {}],
    ['an empty text', { Street: '' }, { street: null }],
    ['the word Null', { AdditionalNumber: 'Null' }, { additionalNumber: null }],
    ['a name in English only', { City: 'Riyadh' }, { city: 'Riyadh' }],
  ])('with %s is read', (_what, changes, expected) => {
    expect(readOf(answerWith(changes))).toEqual({ kind: 'found', address: { ...FOUND.address, ...expected } });
  });

  it.each<[string, unknown]>([
    ['no addresses', { success: true, totalSearchResults: '0', Addresses: [] }],
    ['null in place of addresses', { success: true, totalSearchResults: '0', Addresses: null }],
    ['a failure that found nothing', { success: false, totalSearchResults: '0', Addresses: null }],
    // https://github.com/pelias/leaflet-plugin/issues/163
    ['a place at 0, 0', answerWith({ Latitude: '0', Longitude: '0', ObjLatLng: '0 0' })],
    ['swapped coordinates', answerWith({ Latitude: '46.6572', Longitude: '24.7743', ObjLatLng: '1' })],
    ['no place', answerWith({ Latitude: null, Longitude: null, ObjLatLng: '1' })],
    ['a place that is no number', answerWith({ Latitude: '24°46', Longitude: 'NaN', ObjLatLng: '' })],
  ])('with %s is an unknown code', (_what, answer) => {
    expect(readOf(answer)).toEqual({ kind: 'unknown' });
  });

  it.each<[string, unknown]>([
    ['the address of another code', answerWith({ ShortAddress: 'JEDA1234' })],
    ['a failure', { success: false, Addresses: null, statusdescription: 'Internal error' }],
    ['a failure with an address', answerWith({}, { success: false })],
    ['no success', { Addresses: [ADDRESS] }],
    ['an object in place of a text', answerWith({ City: { en: 'Riyadh' } })],
    ['a text without end', answerWith({ Street: 'ا'.repeat(5000) })],
  ])('with %s is not used', (_what, answer) => {
    expect(readOf(answer)).toBeUndefined();
  });

  it.each(BROKEN_ANSWERS)('%s makes it unavailable in time, and never throws', async (_name, answer) => {
    server.answer = answer;
    const startedAtMs = performance.now();
    expect(await openRegistry().find('RRRD2929')).toEqual({ kind: 'unavailable', retryAfterSeconds: 60 });
    expect(performance.now() - startedAtMs).toBeLessThan(SHORT.timeoutMs + 1000);
  });

  it('of a host that nobody has makes it unavailable', async () => {
    expect((await openRegistry('http://127.0.0.1:9').find('RRRD2929')).kind).toBe('unavailable');
  });
});

describe('a registry that takes no more calls', () => {
  it.each<[string, number, Record<string, string>, string, number]>([
    ['429 with Retry-After', 429, { 'retry-after': '27' }, '', 27],
    ['429 with words', 429, {}, '{"statusCode":429,"message":"Rate limit is exceeded. Try again in 41 seconds."}', 41],
    ['429 with nothing', 429, {}, '', 60],
    ['429 with a date', 429, { 'retry-after': 'Sat, 28 Nov 2026 12:00:00 GMT' }, '', 60],
    // https://github.com/goferito/node-bing-api/issues/34: days, hours, minutes and seconds; asked again after an hour.
    [
      '403 of a quota',
      403,
      {},
      '{"message":"Out of call volume quota. Quota will be replenished in 5.03:23:11."}',
      3600,
    ],
    ['403 of a quota of minutes', 403, {}, '{"message":"Out of quota. Quota will be replenished in 00:12:30."}', 750],
  ])('%s is not called until the time is over', async (_what, status, headers, body, seconds) => {
    server.answer = (response) => response.writeHead(status, headers).end(body);
    const registry = openRegistry();
    expect(await registry.find('RRRD2929')).toEqual({ kind: 'unavailable', retryAfterSeconds: seconds });
    expect(registry.isRegistryDown()).toBe(true);
    nowMs = (seconds - 1) * 1000;
    expect(await registry.find('JEDA1234')).toEqual({ kind: 'unavailable', retryAfterSeconds: 1 });
    expect(server.asked).toHaveLength(1);
    server.answer = (response) => response.end(JSON.stringify(answerWith({})));
    nowMs = seconds * 1000;
    expect(registry.isRegistryDown()).toBe(false);
    expect(await registry.find('RRRD2929')).toEqual(FOUND);
  });

  it('is no failure, and a key without this service is one', async () => {
    server.answer = (response) => response.writeHead(429).end();
    const busy = openRegistry();
    await busy.find('RRRD2929');
    expect(busy.providerReports.lastCalls()).toMatchObject({ registry: { outcome: 'refused', status: 429 } });
    server.answer = (response) =>
      response.writeHead(403).end('{"message":"Access denied due to missing subscription"}');
    const locked = openRegistry();
    await locked.find('RRRD2929');
    expect(locked.providerReports.lastCalls()).toMatchObject({ registry: { outcome: 'failed', status: 403 } });
  });
});

it('is not called after three failures in a row', async () => {
  server.answer = (response) => response.writeHead(500).end();
  const registry = openRegistry();
  for (let time = 0; time < 5; time += 1) await registry.find('RRRD2929');
  expect(server.asked).toHaveLength(3);
  expect(registry.isRegistryDown()).toBe(true);
});

it('logs neither code nor key, whatever a failure repeats', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  server.answer = (response, { path }) =>
    response.writeHead(500).end(JSON.stringify({ code: 'RRRDxxxx', name: 'Olaya', message: path }));
  await openRegistry().find('RRRD2929');
  await openRegistry('http://127.0.0.1:9').find('RRRD2929');
  vi.restoreAllMocks();
  expect(lines).toHaveLength(2);
  expect(lines.join('\n')).not.toMatch(/RRRD|Olaya|a-key-of/);
});
