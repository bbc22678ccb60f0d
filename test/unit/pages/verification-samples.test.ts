import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { missingFor } from '../../support/languages.ts';
import { VERIFIERS } from '../../support/verifiers.ts';
import { webhookCasesAt } from '../../support/webhook-cases.ts';

/** One table of requests for every verifier that merchants copy or install: each gives the same verdict on each request. */

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

it.for(VERIFIERS)('$name has the names and limits of the contract', ({ source }) => {
  for (const part of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'whsec_', 'v1,', '24'])
    expect(source).toContain(part);
  expect(source).toMatch(/300|5 \* time\.Minute/);
  expect(source).toMatch(/sha-?256/i);
  expect(source).toMatch(/timingSafeEqual|compare_digest|hash_equals|hmac\.Equal|FixedTimeEquals|subtle\.verify/);
});

it.for(VERIFIERS)(
  '$name accepts what the service signs and nothing else',
  { timeout: 120_000 },
  ({ language, files, command: [program, ...args] }, { skip }) => {
    const missing = missingFor(language);
    skip(missing !== undefined, missing);
    const folder = mkdtempSync(join(tmpdir(), 'mirsal-verification-'));
    folders.push(folder);
    const cases = webhookCasesAt(Date.now());
    const all = { ...files, 'cases.json': JSON.stringify(cases) };
    for (const [file, text] of Object.entries(all)) writeFileSync(join(folder, file), text);
    const { stdout, stderr, status } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: 100_000 });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout.trim().split('\n')).toEqual(cases.map(({ name, verdict }) => `${name} ${verdict}`));
  },
);

it('Python is here, so that another language than ours always runs', () => {
  expect(missingFor('Python')).toBeUndefined();
});
