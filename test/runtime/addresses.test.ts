import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { type Merchant, merchantOf } from '../../scripts/shared/merchant.ts';
import { SANDBOX } from '../../scripts/shared/sandbox.ts';
import { type ProviderServer, startProvider } from '../support/provider-server.ts';

/* Both sources of addresses behind both runtimes: the registry with its quota, and a geocoder without Arabic. */

const LOOK_UPS = '/v2/external/national-address-lookups';
const SUGGESTIONS = '/v2/external/address-suggestions';

describe.each(['worker', 'deno'] as const)('on %s', (runtime) => {
  let environment: OwnEnvironment;
  let provider: ProviderServer;
  let merchant: Merchant;
  beforeAll(async () => {
    provider = await startProvider();
    provider.answer = (response, { path }) => {
      const query = new URLSearchParams(path.split('?')[1]);
      if (!path.startsWith('/api')) {
        const one = { City: 'RIYADH,الرياض', BuildingNumber: '2929', Latitude: '24.7743', Longitude: '46.6572' };
        const Addresses = query.get('shortaddress')?.startsWith('ABCD') === true ? [one] : [];
        return void response.end(JSON.stringify({ success: true, totalSearchResults: '1', Addresses }));
      }
      if (query.get('lang') === 'ar')
        return void response.writeHead(400).end('{"lang":[{"message":"Supported are: default, en"}]}');
      const geometry = { type: 'Point', coordinates: [46.6853, 24.6905] };
      const properties = { type: 'street', countrycode: 'SA', name: 'طريق الملك فهد', city: 'الرياض' };
      const features = [{ type: 'Feature', geometry, properties }];
      return void response.end(JSON.stringify({ type: 'FeatureCollection', features }));
    };
    const registry = { apiKey: 'the-key', url: provider.url, quota: [{ calls: 3, seconds: 3600 }] };
    environment = await startEnvironment(runtime, {
      ADDRESSES: JSON.stringify({ registry, geocoder: { url: provider.url } }),
    });
    merchant = await merchantOf(environment, await addCompany(environment));
  });
  afterAll(async () => {
    await environment.stop();
    await provider.stop();
  });

  const lookUp = (shortAddress: string) => merchant.post(LOOK_UPS, { shortAddress });

  it('a code is looked up once, and the quota ends in 503 with the time until there is room', async () => {
    const first = await lookUp('ABCD1001');
    expect({ status: first.status, body: await first.json() }).toMatchObject({
      status: 200,
      body: { shortAddress: 'ABCD1001', city: 'الرياض', cityCode: 'RUH', location: { latitude: 24.7743 } },
    });
    expect((await lookUp('abcd-1001')).status).toBe(200);
    expect((await lookUp('WXYZ1001')).status).toBe(404);
    expect((await lookUp('WXYZ1001')).status).toBe(404);
    expect((await lookUp('ABCD1002')).status).toBe(200);
    const over = await lookUp('ABCD1003');
    expect(over.status).toBe(503);
    expect(await over.json()).toMatchObject({ code: 'ADDRESS_PROVIDER_UNAVAILABLE' });
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await lookUp('ABCD1001')).status).toBe(200);
    expect(provider.asked.map(({ path }) => /shortaddress=(\w+)/.exec(path)?.[1])).toEqual([
      'ABCD1001',
      'WXYZ1001',
      'ABCD1002',
    ]);
  });

  it('a fault of the sandbox comes before kept answers', async () => {
    await merchant.post(`${SANDBOX}/faults`, { target: 'ADDRESS', count: 1 });
    expect((await lookUp('ABCD1001')).status).toBe(503);
    expect((await lookUp('ABCD1001')).status).toBe(200);
  });

  it('a text is suggested with the names of the places', async () => {
    const response = await merchant.post(SUGGESTIONS, { text: 'الملك فهد', locale: 'ar' });
    expect(await response.json()).toMatchObject({
      data: [{ addressLine: 'طريق الملك فهد، الرياض', cityCode: 'RUH', confidence: 'STREET', shortAddress: null }],
    });
  });

  it('/ready names both, and the log neither code nor key nor text', async () => {
    const ready = await (await fetch(`${environment.address}/ready`)).json();
    expect(ready).toMatchObject({
      addresses: { registry: 'spl', geocoder: 'photon' },
      lastCalls: { registry: { outcome: 'answered' }, geocoder: { outcome: 'answered' } },
    });
    expect(environment.service.logs().join('\n')).not.toMatch(/ABCD1|WXYZ1|the-key|الملك/i);
  });
});
