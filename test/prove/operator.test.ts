import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../scripts/shared/migrate.ts';
import { freePort } from '../../scripts/shared/ports.ts';
import { type Sqld, startSqld } from '../../scripts/shared/sqld.ts';

/* `npm run operator` as people run it. test/contract/operators.test.ts has what the operators may do then. */

const COMMAND = resolve(import.meta.dirname, '..', '..', 'scripts', 'operate', 'operator.ts');
const folder = mkdtempSync(join(tmpdir(), 'mirsal-operator-'));
let sqld: Sqld;
beforeAll(async () => {
  sqld = await startSqld({ folder: join(folder, 'directory'), port: await freePort(), adminPort: await freePort() });
  await migrate({ kind: 'directory', id: 'directory', deployment: 'sandbox', url: sqld.url });
});
afterAll(async () => {
  await sqld?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function operator(args: readonly string[], changes: Readonly<Record<string, string | undefined>> = {}) {
  const env = {
    DEPLOYMENT: 'sandbox',
    BASE_URL: 'https://sandbox.example',
    LIBSQL_DIRECTORY: JSON.stringify({ url: sqld.url }),
    LIBSQL_SHARDS: JSON.stringify([{ id: 'shard-1', url: sqld.url }]),
    CREDENTIAL_KEYS: JSON.stringify([randomBytes(32).toString('base64url')]),
    ...changes,
  };
  const { stdout, stderr, exitCode } = await execa(process.execPath, [COMMAND, ...args], { env, reject: false });
  return { stdout, stderr, exitCode };
}

const INVITE = ['invite', '--email', 'ops@example.com', '--mobile', '0501234567', '--name', 'Reem Al-Harbi'];

test('an operator is invited by a link, listed and removed', async () => {
  const invited = await operator(INVITE);
  expect(invited.stdout).toMatch(
    /^The invitation for ops@example\.com: https:\/\/sandbox\.example\/operations\/accept\/[0-9a-f-]{36}$/,
  );
  // Nobody has accepted yet, so the link stays the same.
  expect((await operator(INVITE)).stdout).toBe(invited.stdout);
  expect((await operator(['list'])).stdout).toBe('ops@example.com  ********4567  invited  Reem Al-Harbi');
  expect((await operator(['remove', '--email', 'OPS@example.com'])).exitCode).toBe(0);
  expect((await operator(['list'])).stdout).toBe('');
  expect(await operator(['remove', '--email', 'ops@example.com'])).toEqual({
    stdout: '',
    stderr: 'There is no operator ops@example.com.',
    exitCode: 1,
  });
});

test('a credential is printed once, as one line of JSON', async () => {
  const { stdout, exitCode } = await operator(['credential', '--name', 'export']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    clientId: 'operator-export',
    clientSecret: expect.stringMatching(/^msk_test_[A-Za-z0-9_-]{43}$/),
  });
  expect(await operator(['credential', '--name', 'export'])).toMatchObject({ stdout: '', exitCode: 1 });
});

test('what is missing or wrong is said in one sentence', async () => {
  expect((await operator([])).stderr).toMatch(/^Manages the people and the programs that operate a deployment\./);
  expect(await operator(INVITE, { LIBSQL_DIRECTORY: undefined })).toEqual({
    stdout: '',
    stderr: "Set LIBSQL_DIRECTORY and LIBSQL_SHARDS to the service's values.",
    exitCode: 1,
  });
  expect((await operator(INVITE, { BASE_URL: undefined })).stderr).toMatch(/^Set these variables .* BASE_URL: /);
  const foreign = ['invite', '--email', 'ops@example.com', '--mobile', '+441234567890'];
  expect((await operator(foreign)).stderr).toBe('+441234567890 is not a Saudi mobile number.');
  expect((await operator(['credential', '--name', 'Not Good'])).stderr).toMatch(/^--name Not Good must be/);
});
