import { describe, expect, it } from 'vitest';
import { onboard } from '../../scripts/dev/onboard.ts';
import { pdfFile, pngFile } from '../../scripts/dev/onboarding/documents.ts';
import type { Send } from '../../scripts/dev/onboarding/http.ts';
import { openScreen } from '../../scripts/dev/screen.ts';
import { smoke } from '../../scripts/operate/smoke.ts';
import { createMirsalClient } from '../../src/client.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** The steps from a registration to a first shipment, as `npm run onboard` takes them. */

const environment = sharedEnvironment();

it('leads from a registration to an approved shipment and prints every step', async () => {
  let printed = '';
  const screen = openScreen((text) => {
    printed += text;
  });
  const { companyId, credential, shipment } = await onboard(environment.address, screen);
  expect(credential.clientSecret).toMatch(/^msk_test_/);
  expect(shipment.state).not.toBe('PENDING_APPROVAL');
  const steps = printed.trim().split('\n');
  expect(steps).toHaveLength(11);
  for (const step of steps) expect(step).toMatch(/ \d+ ms$/);
  expect(printed).not.toContain(credential.clientSecret);
  const audit = await environment.sql(
    'directory',
    'select action from audit_entries where company_id = ? order by at',
    [companyId],
  );
  expect(audit.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['company.registered', 'credential.created']),
  );
  const client = createMirsalClient({ baseUrl: environment.address, ...credential });
  const said: string[] = [];
  await smoke(client, 'sandbox', (line) => said.push(line));
  expect(said).toEqual([
    'pickup location: SANDBOX_PICKUP',
    expect.stringMatching(/^create: SHP-\w+ PENDING_APPROVAL$/),
    expect.stringMatching(/^track: \w+$/),
    'cancel: CANCELLED',
  ]);
  // On production the first pickup location of the company is used.
  said.length = 0;
  await smoke(client, 'production', (line) => said.push(line));
  expect(said).toHaveLength(4);
});

it('ends with the problem of the service when a step is refused', async () => {
  const refuseAll: Send = async () =>
    Response.json({ code: 'RATE_LIMITED', detail: 'Too many.', requestId: 'r-1' }, { status: 429 });
  const silent = openScreen(() => undefined);
  await expect(onboard('http://service.example', silent, { send: refuseAll })).rejects.toThrow(
    'POST /v2/merchant-registrations answered 429: RATE_LIMITED. Too many. (request r-1)',
  );
  const unreachable: Send = () => Promise.reject(new TypeError('fetch failed'));
  await expect(onboard('http://service.example', silent, { send: unreachable })).rejects.toThrow(
    /does not answer .*npm run dev/,
  );
});

describe('the documents that it uploads', () => {
  it('are a PDF whose cross-reference table has correct offsets', () => {
    const text = new TextDecoder().decode(pdfFile('a.pdf').bytes);
    expect(text).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
    const start = Number(/startxref\n(\d+)\n/.exec(text)?.[1]);
    expect(text.slice(start)).toMatch(/^xref\n0 4\n/);
    const offsets = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
    expect(offsets.map((offset) => text.slice(offset, offset + 7))).toEqual(['1 0 obj', '2 0 obj', '3 0 obj']);
  });

  it('and a valid PNG', () => {
    const bytes = Buffer.from(pngFile('a.png').bytes);
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect([bytes.toString('latin1', 12, 16), bytes.toString('latin1', bytes.length - 8, bytes.length - 4)]).toEqual([
      'IHDR',
      'IEND',
    ]);
  });
});
