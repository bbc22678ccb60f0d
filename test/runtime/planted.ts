import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { type AnyDatabaseId, DATABASE_IDS } from '../../scripts/shared/sql.ts';
import { follow } from '../../scripts/shared/tracking.ts';
import { until } from '../../scripts/shared/until.ts';
import { DELIVERIES, ENDPOINTS } from '../../scripts/shared/webhooks.ts';
import { type Planted, plant } from '../support/planted.ts';
import { receivers } from '../support/subscription.ts';
import type { Started } from './service.ts';

/** The table of the local inbox. It is empty on every other deployment. */
const INBOX = 'one_time_codes';

/** Personal data and secrets are stored where they belong, and nowhere else. */
export function describePlanted(started: Started): void {
  describe('personal data and secrets', () => {
    const { start, close } = receivers();
    let left: Planted | undefined;
    const planted = (): Planted => {
      if (left === undefined) throw new Error('Nothing was planted');
      return left;
    };
    beforeAll(async () => {
      left = await plant(started(), (await start()).url);
    });
    afterAll(close);

    it('are in no line of the log', () => {
      const { personal, secrets, codes, companyId } = planted();
      const log = started().service.logs().join('\n');
      // The log does contain its requests.
      expect(log).toContain(companyId);
      expect([...personal, ...secrets].filter((one) => log.includes(one))).toEqual([]);
      expect(codes.filter((code) => new RegExp(`\\b${code}\\b`).test(log))).toEqual([]);
    });

    it('are in no refusal', () => {
      const { personal, secrets, codes, refusals } = planted();
      expect(refusals.length).toBeGreaterThan(12);
      const text = refusals.join('\n');
      expect([...personal, ...secrets].filter((one) => text.includes(one))).toEqual([]);
      expect(codes.filter((code) => new RegExp(`\\b${code}\\b`).test(text))).toEqual([]);
    });

    it('are in no row in plain text when they grant access', async () => {
      const { secrets, codes, personal } = planted();
      const [mark = ''] = personal;
      const rows = (await Promise.all([...DATABASE_IDS, 'logs' as const].map((id) => rowsOf(started(), id)))).flat();
      // The search works: it finds what may be there.
      expect(rows.some((row) => row.includes(mark))).toBe(true);
      expect(secrets.filter((secret) => rows.some((row) => row.includes(secret)))).toEqual([]);
      for (const code of codes) expect(rows.filter((row) => new RegExp(`"${code}"`).test(row))).toEqual([]);
    });

    it('are not in the request log, which has the requests', async () => {
      const { secrets, codes, personal, companyId } = planted();
      const [mark = ''] = personal;
      const found = await until('the refused creations are in the request log', async () => {
        const rows = (await rowsOf(started(), 'logs')).filter((row) => row.includes(companyId));
        return rows.some((row) => row.includes('shipments.create') && row.includes('422'))
          ? rows.join('\n')
          : undefined;
      });
      // The merchant’s own reference is not personal.
      const log = found.replaceAll(new RegExp(`${mark}-[0-9a-f-]{36}`, 'g'), 'reference');
      expect([...personal, ...secrets].filter((one) => log.includes(one))).toEqual([]);
      expect(codes.filter((code) => new RegExp(`\\b${code}\\b`).test(log))).toEqual([]);
    });

    it('are not shown to another company', async () => {
      const merchant = await merchantOf(started(), started().companies[1]);
      const owned = ['/v2/external/branches', '/v2/external/pickup-locations', '/v2/external/events'];
      for (const path of [SHIPMENTS, ENDPOINTS, DELIVERIES, ...owned]) {
        const text = await (await merchant.get(`${path}?limit=100`)).text();
        expect([path, planted().personal.filter((one) => text.includes(one))]).toEqual([path, []]);
      }
    });

    it('are not shown on tracking pages or other public pages', async () => {
      const { personal, secrets, trackingToken } = planted();
      const others = secrets.filter((secret) => !trackingToken.includes(secret));
      const pages = [`/t/${trackingToken}`, '/', '/health', '/ready', '/console', '/.well-known/jwks.json', '/metrics'];
      const answers = [
        await follow(started(), trackingToken),
        ...(await Promise.all(pages.map((path) => started().fetch(path)))),
      ];
      for (const answer of answers) {
        const text = `${JSON.stringify([...answer.headers])} ${await answer.text()}`;
        const shown = [...personal, ...others].filter((one) => text.includes(one));
        expect([answer.url, shown]).toEqual([answer.url, []]);
      }
    });
  });
}

/** Every row of a database, as text. */
async function rowsOf({ sql }: ReturnType<Started>, id: AnyDatabaseId): Promise<string[]> {
  const tables = await sql(id, "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'");
  const names = tables.map(({ name }) => String(name)).filter((name) => name !== INBOX);
  const rows = await Promise.all(names.map((name) => sql(id, `select * from "${name}"`)));
  const texts = rows.flat().map((row) => ({ ...row, entries: id === 'logs' ? unpacked(row['entries']) : null }));
  return texts.map((row) => JSON.stringify(row));
}

/** The entries of the request log. */
function unpacked(entries: unknown): string {
  return typeof entries === 'string' ? gunzipSync(Buffer.from(entries, 'base64')).toString() : '';
}
