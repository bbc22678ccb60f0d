import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sendBatch, stepOf } from '../../db/hrana.ts';
import { freePort } from '../../scripts/shared/ports.ts';
import { startSqld } from '../../scripts/shared/sqld.ts';

const TIMEOUT_MS = 30_000;
const SLOW = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT count(*) FROM n';

// How many batches sqld refuses with 429 depends on the machine. None may be reported as another failure.
test('every batch of a flood is answered or reported as 429', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-flood-'));
  const sqld = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
  onTestFinished(async () => {
    await sqld.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const connection = { url: sqld.url, authToken: undefined, report: () => undefined, fetch };
  const flood = Array.from({ length: 300 }, () => sendBatch(connection, [stepOf(SLOW, [], true)], TIMEOUT_MS));
  const replies = await Promise.all(flood);
  expect(replies.filter(({ status }) => status !== 'answered' && status !== 'overloaded')).toEqual([]);
  expect(replies.map(({ status }) => status)).toContain('answered');
});
