import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instantFromMillis } from '../../../src/core/instant.ts';
import { signedHeaders } from '../../../src/domain/webhooks/signature.ts';
import { VERIFICATION_SAMPLES } from '../../../src/pages/reference/webhook-samples.ts';
import { HARNESSES, type Harness, isInstalled } from '../../support/verification-harnesses.ts';

/** The programs that merchants copy accept what the service signs and nothing else. */

const SECRETS = [`whsec_${btoa('A'.repeat(32))}`, `whsec_${btoa('B'.repeat(32))}`] as const;
const STRANGER = `whsec_${btoa('C'.repeat(32))}`;
const ID = '01976e2a-7c10-7a52-b3d4-0f9e8c7b6a51';
const BODY = '{"type":"shipment.delivered","data":{"name":"سارة"}}';
const TOLERANCE_MS = 300_000;

interface Case {
  readonly name: string;
  readonly isGood: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secrets: readonly string[];
}

let folder = '';
let cases: readonly Case[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mirsal-verification-'));
  for (const { file, code } of VERIFICATION_SAMPLES) writeFileSync(join(folder, file), code);
  cases = await casesAt(Date.now());
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

async function casesAt(nowMs: number): Promise<readonly Case[]> {
  const sign = (secrets: readonly string[], atMs = nowMs) =>
    signedHeaders({ id: ID, body: BODY, at: instantFromMillis(atMs) }, secrets);
  const good = await sign([SECRETS[0]]);
  const cases: readonly (readonly [string, boolean, Partial<Case>])[] = [
    ['signed', true, {}],
    ['signed-by-both', true, { headers: await sign(SECRETS), secrets: [SECRETS[0]] }],
    ['signed-by-both-later', true, { headers: await sign(SECRETS), secrets: [SECRETS[1]] }],
    ['one-of-two-secrets', true, { secrets: [STRANGER, SECRETS[0]] }],
    [
      'other-version-first',
      true,
      { headers: { ...good, 'webhook-signature': `v2,AAAA ${good['webhook-signature']}` } },
    ],
    ['almost-too-old', true, { headers: await sign([SECRETS[0]], nowMs - TOLERANCE_MS + 60_000) }],
    ['too-old', false, { headers: await sign([SECRETS[0]], nowMs - TOLERANCE_MS - 60_000) }],
    ['too-new', false, { headers: await sign([SECRETS[0]], nowMs + TOLERANCE_MS + 60_000) }],
    ['other-body', false, { body: BODY.replace('delivered', 'cancelled') }],
    ['other-id', false, { headers: { ...good, 'webhook-id': ID.replace('0', '1') } }],
    ['other-time', false, { headers: { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) } }],
    ['other-secret', false, { secrets: [STRANGER] }],
    ['cut-off', false, { headers: { ...good, 'webhook-signature': good['webhook-signature'].slice(0, -4) } }],
    ['no-time', false, { headers: { ...good, 'webhook-timestamp': '' } }],
    ['odd-time', false, { headers: { ...good, 'webhook-timestamp': 'soon' } }],
    ['no-signature', false, { headers: { ...good, 'webhook-signature': '' } }],
  ];
  return cases.map(([name, isGood, changes]) => ({
    name,
    isGood,
    headers: good,
    body: BODY,
    secrets: [SECRETS[0]],
    ...changes,
  }));
}
