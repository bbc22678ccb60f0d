import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { Environment } from '../../scripts/shared/connection.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { ENDPOINTS } from '../../scripts/shared/webhooks.ts';
import { rawRequest, sendRaw } from './raw-http.ts';

/** Attacks that are tested on both runtimes, because each parses requests in its own way. */
export function describeAttacks(started: () => Environment): void {
  describe('a page whose host name resolves to this machine (DNS rebinding)', () => {
    const ask = async (host: string, method = 'GET') => {
      const line = `${method} /local/one-time-codes?recipient=nobody@example.com HTTP/1.1`;
      return sendRaw(started().address, rawRequest(line, [`Host: ${host}`, 'Connection: close']), 5000);
    };

    it.each([
      'attacker.example',
      'localhost.attacker.example',
      '127.0.0.1.attacker.example',
      '192.0.2.1',
      'notlocalhost',
    ])('cannot read one-time codes as %s', async (host) => {
      for (const method of ['GET', 'OPTIONS', 'DELETE']) {
        const { statuses, text } = await ask(`${host}:8787`, method);
        expect([method, statuses]).toEqual([method, [404]]);
        expect(text).toContain('ROUTE_NOT_FOUND');
      }
    });

    it.each(['localhost', 'Console.LocalHost', '127.0.0.1', '127.1.2.3', '[::1]'])(
      'is not served by %s, which may read them',
      async (host) => {
        expect((await ask(host)).statuses).toEqual([200]);
        expect((await ask(`${host}:8787`)).statuses).toEqual([200]);
      },
    );
  });

  describe('conditional GET', () => {
    it('is 304 if If-None-Match contains the entity tag, strong or weak, or *', async () => {
      const environment = started();
      const merchant = await merchantOf(environment, await addCompany(environment));
      const { shipmentId } = await merchant.createApproved();
      const link = await createLink(merchant, shipmentId);
      const endpoint = await merchant.post(ENDPOINTS, { url: 'http://127.0.0.1:9/', eventTypes: ['webhook.test'] });
      // The link does not change any more.
      expect((await merchant.cancel(shipmentId)).status).toBe(200);
      const paths = [
        `${SHIPMENTS}/${shipmentId}`,
        `${SHIPMENTS}/${shipmentId}/tracking`,
        `${SHIPMENTS}/${shipmentId}/tracking-links/${link.linkId}`,
        endpoint.headers.get('location') ?? '',
        `/v2/public/tracking/${link.token}`,
        '/openapi.json',
        '/docs',
      ];
      for (const path of paths) {
        const first = await merchant.get(path);
        const etag = first.headers.get('etag') ?? 'none';
        expect([path, first.status, etag]).toEqual([path, 200, expect.stringMatching(/^(?:W\/)?"[\w-]+"$/)]);
        for (const tags of [etag, `W/${etag.replace('W/', '')}`, `"x", ${etag},"y"`, '*']) {
          const again = await merchant.get(path, { 'if-none-match': tags });
          expect([path, tags, again.status, await again.text()]).toEqual([path, tags, 304, '']);
          expect([path, again.headers.get('etag')?.replace('W/', '')]).toEqual([path, etag.replace('W/', '')]);
        }
        const changed = await merchant.get(path, { 'if-none-match': '"x", W/"y"' });
        expect([path, changed.status]).toEqual([path, 200]);
      }
    });

    it('never has one strong entity tag for two encodings of a body', async () => {
      for (const path of ['/', '/docs', '/openapi.json', '/llms.txt', '/problems']) {
        const get = (encoding: string, more: Record<string, string> = {}) =>
          started().fetch(path, { headers: { 'accept-encoding': encoding, ...more } });
        const plain = await get('identity');
        const tags = new Map([[plain.headers.get('content-encoding'), plain.headers.get('etag')]]);
        expect([path, plain.headers.get('vary')]).toEqual([path, expect.stringMatching(/accept-encoding/i)]);
        for (const encoding of ['gzip', 'br', 'deflate']) {
          const packed = await get(encoding);
          expect([path, packed.headers.get('vary')]).toEqual([path, expect.stringMatching(/accept-encoding/i)]);
          expect(await packed.text()).toBe(await (await get('identity')).text());
          const tag = packed.headers.get('etag') ?? '';
          const other = [...tags].filter(([coding]) => coding !== packed.headers.get('content-encoding'));
          expect([path, encoding, other.filter(([, one]) => one === tag && !tag.startsWith('W/'))]).toEqual([
            path,
            encoding,
            [],
          ]);
          tags.set(packed.headers.get('content-encoding'), tag);
          expect((await get(encoding, { 'if-none-match': tag })).status).toBe(304);
        }
      }
    });
  });

  describe('the token of a tracking link', () => {
    const token = `shard-1_${'a1'.repeat(16)}`;
    it.each([
      ...[`/t/${token}`, `/v2/public/tracking/${token}`].flatMap((path) => [
        path,
        `${path}/`,
        `${path}/x`,
        `${path}%2Fx`,
      ]),
      ...[`/t//${token}`, `//t/${token}`, `/T/${token}`, `/%74/${token}`, `/t%2F${token}`, `/t%252F${token}`],
      ...[`/t/.%2e/t/${token}`, `/v2/public/Tracking/x/${token}`, `/v2%2fpublic/tracking/${token}`],
    ])('does not appear in any response to %s', async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const response = await started().fetch(path, { method });
        const told = `${await response.text()} ${JSON.stringify([...response.headers])}`;
        expect([method, told.includes('a1a1a1')]).toEqual([method, false]);
      }
    });
  });
}
