import { describe, expect, it } from 'vitest';
import type { Environment } from '../../scripts/shared/connection.ts';
import { rawRequest, sendRaw } from './raw-http.ts';

/** Attacks that are tried on both runtimes, because they parse requests differently. */
export function describeAttacks(started: () => Environment): void {
  describe('a page that points its own name at this machine (DNS rebinding)', () => {
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
    ])('reads no codes as %s', async (host) => {
      for (const method of ['GET', 'OPTIONS', 'DELETE']) {
        const { statuses, text } = await ask(`${host}:8787`, method);
        expect([method, statuses]).toEqual([method, [404]]);
        expect(text).toContain('ROUTE_NOT_FOUND');
      }
    });

    it.each(['localhost', 'Console.LocalHost', '127.0.0.1', '127.1.2.3', '[::1]'])('is not %s', async (host) => {
      expect((await ask(host)).statuses).toEqual([200]);
      expect((await ask(`${host}:8787`)).statuses).toEqual([200]);
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
    ])('is in no answer to %s', async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const response = await started().fetch(path, { method });
        const told = `${await response.text()} ${JSON.stringify([...response.headers])}`;
        expect([method, told.includes('a1a1a1')]).toEqual([method, false]);
      }
    });
  });
}
