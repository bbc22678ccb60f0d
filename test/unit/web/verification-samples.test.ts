import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERIFICATION_SAMPLES } from '../../../src/pages/reference/webhook-samples.ts';
import { HARNESSES, type Harness, isInstalled } from '../../support/verification-harnesses.ts';
import { type WebhookCase, webhookCasesAt } from '../../support/webhook-cases.ts';

/** The programs that merchants copy accept what the service signs and nothing else. */

let folder = '';
let cases: readonly WebhookCase[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mirsal-verification-'));
  for (const { file, code } of VERIFICATION_SAMPLES) writeFileSync(join(folder, file), code);
  cases = await webhookCasesAt(Date.now());
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(VERIFICATION_SAMPLES)('in $language', ({ language, file, code }) => {
  it('has the names and limits of the contract', () => {
    for (const part of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'whsec_', 'v1,', '300'])
      expect(code).toContain(part);
    expect(code).toMatch(/sha-?256/i);
    expect(code).toMatch(/timingSafeEqual|compare_digest|hash_equals|hmac\.Equal|FixedTimeEquals/);
  });

  const harness = HARNESSES[language];
  it.runIf(harness !== undefined && isInstalled(harness))('accepts a signed request and nothing else', () => {
    expect(judge(harness, file)).toEqual(cases.map(({ name, isGood }) => `${name} ${isGood ? 'good' : 'bad'}`));
  });
});

it('includes TypeScript and Python among those that run here', () => {
  expect(['TypeScript', 'Python'].filter((language) => isInstalled(HARNESSES[language]))).toEqual([
    'TypeScript',
    'Python',
  ]);
});

/** The program's result for each case. */
function judge(harness: Harness | undefined, file: string): readonly string[] {
  if (harness === undefined) throw new Error(`Nothing runs ${file}`);
  writeFileSync(join(folder, harness.file), harness.code);
  const { stdout, stderr, status } = spawnSync(harness.program, harness.args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return stdout.trim().split('\n');
}
