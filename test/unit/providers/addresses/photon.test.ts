import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import type { AddressSearch } from '../../../../src/ports/addresses.ts';
import { noMetrics } from '../../../../src/providers/absent.ts';
import { photonGeocoder } from '../../../../src/providers/addresses/photon.ts';
import { readPhoton } from '../../../../src/providers/addresses/photon-places.ts';
import { ProviderReports } from '../../../../src/providers/provider-reports.ts';
import { BROKEN_ANSWERS } from '../../../support/broken-answers.ts';
import { type ProviderServer, SHORT, startProvider } from '../../../support/provider-server.ts';

/* The adapter of a geocoder against a server that answers as Photon does, wrongly, late or never. */

const LIMITS = { ...SHORT, answerBytesMax: 256 * 1024 };
const STREET = {
  osm_key: 'highway',
  osm_value: 'primary',
  type: 'street',
  countrycode: 'SA',
  country: 'Saudi Arabia',
  state: 'Riyadh Region',
  city: 'Riyadh',
  district: 'Al Olaya',
  name: 'King Fahd Road',
};
const featureOf = (properties: object, coordinates: unknown = [46.6853, 24.6905]) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties,
});
const answerOf = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features });
const NEAR = { latitude: literalDecimal('24.7'), longitude: literalDecimal('46.68') };
const SEARCH: AddressSearch = { text: 'King Fahd', near: undefined, locale: 'en' };

let server: ProviderServer;
let nowMs = 0;
beforeEach(async () => {
  server = await startProvider();
  server.answer = (response) => response.end(answerOf(featureOf(STREET)));
});
afterEach(() => server.stop());

function openGeocoder(url = server.url, limits = LIMITS) {
  const providerReports = new ProviderReports(() => performance.now());
  const fetchFrom = (address: string, init: RequestInit) => fetch(address, init);
  return photonGeocoder(
    { url },
    { fetch: fetchFrom, monotonicMs: () => nowMs, metrics: noMetrics, providerReports },
    limits,
  );
}

const queriesAsked = () => server.asked.map(({ path }) => Object.fromEntries(new URLSearchParams(path.split('?')[1])));

describe('a request', () => {
  it('is about Saudi Arabia, and near a point', async () => {
    await openGeocoder().suggest({ ...SEARCH, text: ' طريق\n الملك ', near: NEAR });
    expect(server.asked[0]?.path.split('?')[0]).toBe('/api');
    expect(queriesAsked()).toEqual([
      { q: 'طريق الملك', limit: '16', bbox: '34,16,56,33', lat: '24.7', lon: '46.68', lang: 'en' },
    ]);
  });

  it.each(['/', '/api', '/api/'])('begins at the address %s as without it', async (end) => {
    expect(await openGeocoder(`${server.url}${end}`).suggest(SEARCH)).toHaveLength(1);
    expect(server.asked[0]?.path).toMatch(/^\/api\?/);
  });

  it('is not sent for a text without characters', async () => {
    expect(await openGeocoder().suggest({ ...SEARCH, text: ' \t\u200f\u202e ' })).toEqual([]);
    expect(server.asked).toEqual([]);
  });
});

describe('a language that the index does not have', () => {
  // https://github.com/rinigus/pure-maps/issues/746 and https://github.com/GatherPress/gatherpress/issues/2211
  const TODAY =
    '{"lang":[{"message":"Language is not supported. Supported are: default, de, en, fr","args":{},"value":"ar"}]}';
  // https://github.com/komoot/photon/issues/360
  const BEFORE = '{"message":"language ar is not supported, supported languages are: default, de, en, fr"}';

  it.each([TODAY, BEFORE])('is asked for once, and then the names of the places', async (refusal) => {
    server.answer = (response, { path }) =>
      path.includes('lang=ar') ? response.writeHead(400).end(refusal) : response.end(answerOf(featureOf(STREET)));
    const geocoder = openGeocoder();
    nowMs = 0;
    for (let time = 0; time < 3; time += 1) expect(await geocoder.suggest({ ...SEARCH, locale: 'ar' })).toHaveLength(1);
    expect(await geocoder.suggest(SEARCH)).toHaveLength(1);
    expect(queriesAsked().map(({ lang }) => lang)).toEqual(['ar', 'default', 'default', 'default', 'en']);
    nowMs = 3_600_000;
    await geocoder.suggest({ ...SEARCH, locale: 'ar' });
    expect(queriesAsked().at(-2)?.['lang']).toBe('ar');
  });

  it('is one that the geocoder names in no list', async () => {
    server.answer = (response, { path }) =>
      path.includes('lang=ar') ? response.writeHead(400).end('no') : response.end(answerOf(featureOf(STREET)));
    expect(await openGeocoder().suggest({ ...SEARCH, locale: 'ar' })).toHaveLength(1);
  });

  it('is not the reason if the geocoder refuses the text', async () => {
    server.answer = (response) => response.writeHead(400).end('{"message":"q is too long"}');
    expect(await openGeocoder().suggest(SEARCH)).toEqual([]);
  });
});

describe('a place', () => {
  const read = (properties: object, locale: 'en' | 'ar' = 'en') =>
    readPhoton(answerOf(featureOf(properties)), locale)?.[0];

  it('has the longitude first', () => {
    // https://github.com/decidim/decidim/pull/11572
    expect(read(STREET)).toEqual({
      title: 'King Fahd Road',
      addressLine: 'King Fahd Road, Al Olaya, Riyadh',
      district: 'Al Olaya',
      city: 'Riyadh',
      location: { latitude: '24.6905', longitude: '46.6853' },
      shortAddress: null,
      confidence: 'STREET',
    });
  });

  it.each<[string, object, string, string]>([
    // https://github.com/komoot/leaflet.photon/pull/19
    [
      'a house without a name',
      { name: undefined, type: 'house', street: 'Olaya St', housenumber: '12' },
      '12 Olaya St',
      'EXACT',
    ],
    ['a shop', { name: 'Tala Mall', type: 'house', street: 'Olaya St', osm_key: 'shop' }, 'Tala Mall', 'EXACT'],
    ['a district', { name: 'Al Malqa', type: 'district', district: undefined }, 'Al Malqa', 'DISTRICT'],
    ['a city', { name: 'Riyadh', type: 'city', district: undefined, city: undefined }, 'Riyadh', 'CITY'],
    [
      'a town of an old server',
      { name: 'Tabuk', type: undefined, osm_key: 'place', osm_value: 'town' },
      'Tabuk',
      'CITY',
    ],
    [
      'a suburb of an old server',
      { name: 'Olaya', type: undefined, osm_key: 'place', osm_value: 'suburb' },
      'Olaya',
      'DISTRICT',
    ],
    ['a road of an old server', { type: undefined }, 'King Fahd Road', 'STREET'],
    [
      'a house with its road’s name only',
      { name: undefined, type: 'house', street: undefined, housenumber: '7' },
      '7',
      'EXACT',
    ],
    ['direction marks in a name', { name: '\u202eKing\u2069 Fahd\nRoad' }, 'King Fahd Road', 'STREET'],
  ])('that is %s has a title and a confidence', (_what, changes, title, confidence) => {
    const place = read({ ...STREET, ...changes });
    expect([place?.title, place?.confidence]).toEqual([title, confidence]);
    expect(place?.addressLine).not.toMatch(/undefined|null|, ,/);
  });

  it('names no part twice, and has Arabic commas in Arabic', () => {
    const riyadh = { ...STREET, type: 'city', name: 'الرياض', city: 'الرياض', district: undefined };
    expect(read(riyadh, 'ar')?.addressLine).toBe('الرياض');
    expect(read({ ...STREET, city: 'الرياض' }, 'ar')?.addressLine).toBe('King Fahd Road، Al Olaya، الرياض');
  });

  it.each<[string, unknown]>([
    ['in another country', featureOf({ ...STREET, countrycode: 'KW' })],
    ['at 0, 0', featureOf(STREET, [0, 0])],
    ['with swapped coordinates', featureOf(STREET, [24.69, 46.68])],
    ['with coordinates that are texts', featureOf(STREET, ['46.68', '24.69'])],
    ['with one coordinate', featureOf(STREET, [46.68])],
    ['without a geometry', { type: 'Feature', properties: STREET }],
    [
      'that is a line',
      { type: 'Feature', geometry: { type: 'LineString', coordinates: [[46, 24]] }, properties: STREET },
    ],
    ['that is a region', featureOf({ ...STREET, type: 'state' })],
    ['without any name', featureOf({ type: 'house', countrycode: 'SA' })],
    ['with an object for a name', featureOf({ ...STREET, name: { en: 'x' } })],
    ['that is null', null],
  ])('%s is left out, and others stay', (_what, wrong) => {
    expect(readPhoton(answerOf(wrong, featureOf(STREET)), 'en')?.map(({ title }) => title)).toEqual(['King Fahd Road']);
  });

  it('is there once, though its street is many ways, and at most eight are', () => {
    expect(readPhoton(answerOf(featureOf(STREET), featureOf(STREET, [46.7, 24.8])), 'en')).toHaveLength(1);
    const many = Array.from({ length: 20 }, (_, index) => featureOf({ ...STREET, name: `Street ${index}` }));
    expect(readPhoton(answerOf(...many), 'en')?.map(({ title }) => title)).toEqual(
      Array.from({ length: 8 }, (_, index) => `Street ${index}`),
    );
  });
});

it.each([
  ...BROKEN_ANSWERS,
  ['status 429', (response) => response.writeHead(429).end('{}')] as (typeof BROKEN_ANSWERS)[number],
])('%s makes it unavailable in time, and never throws', async (_name, answer) => {
  server.answer = answer;
  const startedAtMs = performance.now();
  expect(await openGeocoder().suggest(SEARCH)).toBeUndefined();
  expect(performance.now() - startedAtMs).toBeLessThan(SHORT.timeoutMs + 1000);
});

it('is not asked for a while after five failures in a row', async () => {
  server.answer = (response) => response.writeHead(503).end();
  const geocoder = openGeocoder();
  for (let time = 0; time < 8; time += 1) await geocoder.suggest(SEARCH);
  expect(server.asked).toHaveLength(5);
});

it('logs nothing of a text, whatever a failure repeats', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  server.answer = (response, { path }) =>
    response.writeHead(500).end(JSON.stringify({ code: 'planted', name: 'planted', message: path }));
  await openGeocoder().suggest({ ...SEARCH, text: 'planted', near: NEAR });
  await openGeocoder('http://127.0.0.1:9').suggest({ ...SEARCH, text: 'planted', near: NEAR });
  vi.restoreAllMocks();
  expect(lines).toHaveLength(2);
  expect(lines.join('\n')).not.toMatch(/planted/);
});
