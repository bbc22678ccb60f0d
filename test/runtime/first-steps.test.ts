import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { inviteOperator } from '../../scripts/shared/operators.ts';
import { AUTHENTICATION, newContacts } from '../../scripts/shared/people.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import { newReference } from '../../scripts/shared/shipments.ts';
import { parseConfig } from '../../src/service/config.ts';
import { PNG } from '../support/files.ts';
import { addMedia } from '../support/media.ts';
import { trpcClient, trpcClientWith } from '../support/trpc.ts';

/* A sandbox on Deno that nobody has set up yet, and that writes its messages to a folder. */

let environment: OwnEnvironment;
let folder: string;
beforeAll(async () => {
  environment = await startEnvironment('deno', { DEPLOYMENT: 'sandbox' });
  const { folder: documents } = z
    .object({ folder: z.string() })
    .parse(JSON.parse(environment.variables['DOCUMENTS'] ?? ''));
  folder = join(documents, 'messages');
  await environment.sql('directory', 'delete from tariffs');
  for (const shard of ['shard-1', 'shard-2'] as const)
    for (const table of ['drivers', 'service_levels']) await environment.sql(shard, `delete from ${table}`);
  await environment.restart({ MESSAGES: JSON.stringify({ folder }) });
});
afterAll(() => environment?.stop());

const readiness = z.object({
  shipments: z.object({ possible: z.boolean(), missing: z.array(z.string()) }),
  messages: z.object({ provider: z.string() }),
});
async function ready() {
  const response = await environment.fetch('/ready');
  expect(response.status).toBe(200);
  return readiness.parse(await response.json());
}

/** The code of the newest message in the folder. */
function codeIn(channel: string): string {
  const name =
    readdirSync(folder)
      .filter((one) => one.includes(`-${channel}-`))
      .toSorted()
      .at(-1) ?? '';
  return /: ([0-9]{6})$/m.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? '';
}

it('is ready for operators, and says what shipments still need', async () => {
  expect(await ready()).toEqual({
    shipments: { possible: false, missing: ['TARIFF', 'SERVICE_LEVEL', 'DRIVER'] },
    messages: { provider: 'folder' },
  });
});

it('lets an invited operator in by the codes in the folder, who adds a service level in one shard', async () => {
  const contacts = newContacts();
  const directory = { url: environment.databaseUrls.directory };
  const invitationId = await inviteOperator(directory, { ...contacts, fullName: 'Reem Al-Harbi' });
  const anybody = trpcClientWith(environment, {});
  const { challengeId } = await anybody.sessions.startAcceptance.mutate({
    invitationId,
    deviceReference: '0190d0c8-7a6b-7c3d-8e4f-0123456789ab',
  });
  await expect.poll(() => codeIn('EMAIL')).toMatch(/^\d{6}$/);
  const { sessionToken } = await anybody.sessions.verifyAcceptance.mutate({ challengeId, otp: codeIn('EMAIL') });
  const authorization = { authorization: `Bearer ${sessionToken}` };
  const elevations = `${AUTHENTICATION}/assurance-elevations`;
  const asked = await sendJson(environment, 'POST', elevations, {}, authorization);
  const { elevationId } = z.object({ elevationId: z.string() }).parse(await asked.json());
  const answer = { otp: codeIn('SMS') };
  const proved = await sendJson(
    environment,
    'POST',
    `${elevations}/${elevationId}/verifications`,
    answer,
    authorization,
  );
  const { sessionToken: token } = z.object({ sessionToken: z.string() }).parse(await proved.json());
  const call = trpcClient(environment, token);
  const level = { code: 'STANDARD', capabilities: [], cities: ['AHB'], rank: 1 };
  const limits = { weightKilogramsMax: '30', lengthCentimetresMax: '120' };
  await call.operations.serviceLevels.create.mutate({ shard: 'shard-1', ...level, ...limits });
  await expect.poll(async () => (await ready()).shipments.missing, { timeout: 5000 }).toContain('SERVICE_LEVEL');
  await call.operations.serviceLevels.create.mutate({ shard: 'shard-2', ...level, ...limits });
  await expect.poll(async () => (await ready()).shipments.missing, { timeout: 5000 }).toEqual(['TARIFF', 'DRIVER']);
});

it('stores the bytes of a picture in its folder', async () => {
  const [company] = environment.companies;
  await addMedia(environment, company, newReference(), 0);
  const documents = dirname(folder);
  const files = readdirSync(documents, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => new Uint8Array(readFileSync(join(documents, name))))).toEqual([PNG]);
});

it('is refused on production', () => {
  const production = { ...environment.variables, DEPLOYMENT: 'production' };
  expect(() => parseConfig(production)).toThrow('MESSAGES.folder: production must send its messages');
});

it('requires the approval of companies on production unless it is turned off, and elsewhere only if it is turned on', () => {
  const isRequired = (changes: Readonly<Record<string, string>>) =>
    parseConfig({ ...environment.variables, MESSAGES: undefined, ...changes }).isApprovalRequired;
  expect(isRequired({ DEPLOYMENT: 'production' })).toBe(true);
  expect(isRequired({ DEPLOYMENT: 'production', COMPANY_APPROVAL: 'none' })).toBe(false);
  expect([isRequired({ DEPLOYMENT: 'sandbox' }), isRequired({ DEPLOYMENT: 'local' })]).toEqual([false, false]);
  expect(isRequired({ DEPLOYMENT: 'sandbox', COMPANY_APPROVAL: 'required' })).toBe(true);
});

it('keeps recipients for 180 days by default, and at least as long as events with them', () => {
  const daysOf = (changes: Readonly<Record<string, string>>) =>
    parseConfig({ ...environment.variables, ...changes }).recipientRetentionDays;
  expect([daysOf({}), daysOf({ RECIPIENT_RETENTION_DAYS: '30' })]).toEqual([180, 30]);
  expect(() => daysOf({ RECIPIENT_RETENTION_DAYS: '29' })).toThrow('RECIPIENT_RETENTION_DAYS');
});
