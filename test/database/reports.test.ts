import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commitGroup } from '../../db/commit.ts';
import { freePort } from '../../scripts/shared/ports.ts';
import { startSqld } from '../../scripts/shared/sqld.ts';

const folder = mkdtempSync(join(tmpdir(), 'mirsal-reports-'));
const sqld = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
afterAll(async () => {
  await sqld.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['an error that is neither a refusal nor a lock', 'SELECT abs(-9223372036854775807 - 1)', 'unavailable', /overflow/],
  ['a statement that the parser does not know', 'SELEKT 1', 'unknown', /^no batch: .*syntax error/],
])('%s is reported to the operator', async (_name, sql, status, message) => {
  expect(await commit(sql)).toEqual({ statuses: [status], reports: [expect.stringMatching(message)] });
});

test('a refusal is not reported', async () => {
  expect(await commit("SELECT json('none')")).toEqual({ statuses: ['refused'], reports: [] });
});

async function commit(sql: string) {
  const reports: string[] = [];
  const connection = {
    url: sqld.url,
    authToken: undefined,
    requireDurable: false,
    report: (failure: string) => reports.push(failure),
    fetch: (url: string, init: RequestInit) => fetch(url, init),
  };
  const outcomes = await commitGroup(connection, [{ statements: [{ sql, args: [] }] }], 10_000);
  return { statuses: outcomes.map(({ status }) => status), reports };
}
