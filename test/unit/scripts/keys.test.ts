import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { importJWK, jwtVerify, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { addKey, promoteKey, removeKey } from '../../../scripts/operate/keys.ts';
import { newSigningKey } from '../../../scripts/shared/keys.ts';

test('a new key signs, and every new key differs', async () => {
  const [first, second] = [await newSigningKey(), await newSigningKey()];
  expect(Object.keys(first).sort()).toEqual(['crv', 'd', 'kid', 'kty', 'x']);
  expect(first.kid).not.toBe(second.kid);
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).sign(await importJWK(first, 'EdDSA'));
  const publicKey = await importJWK({ kty: first.kty, crv: first.crv, x: first.x }, 'EdDSA');
  await expect(jwtVerify(token, publicKey)).resolves.toBeDefined();
});

test('a rotation adds, promotes and removes', async () => {
  const [old, next] = [await newSigningKey(), await newSigningKey()];
  const added = addKey([old], next);
  expect(added).toEqual([old, next]);
  const promoted = promoteKey(added, undefined);
  expect(promoted).toEqual([next, old]);
  expect(removeKey(promoted, undefined)).toEqual([next]);
});

test('a step that would stop signing or change nothing is refused', async () => {
  const [one, two, three] = [await newSigningKey(), await newSigningKey(), await newSigningKey()];
  expect(() => removeKey([one], undefined)).toThrow(/promote another one before/);
  expect(() => removeKey([one, two], one.kid)).toThrow(/promote another one before/);
  expect(() => promoteKey([one], undefined)).toThrow(/already signs/);
  expect(() => addKey([one], one)).toThrow(/already in the list/);
  expect(() => promoteKey([one, two], 'unknown')).toThrow('The list has no key unknown.');
  expect(promoteKey([one, two, three], two.kid)).toEqual([two, one, three]);
  expect(removeKey([one, two, three], two.kid)).toEqual([one, three]);
});

test('the command reads the list on standard input', async () => {
  const made = keys(['new']);
  expect(made.status).toBe(0);
  const added = keys(['add'], `[${made.stdout}]`);
  expect(JSON.parse(added.stdout)).toEqual([JSON.parse(made.stdout), expect.objectContaining({ kty: 'OKP' })]);
});

test('the command does not repeat input that it cannot read', () => {
  const refused = keys(['promote'], '[{"d":"secret-part"}]');
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).not.toContain('secret-part');
  expect(keys([])).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^Makes and rotates/) });
});

function keys(args: string[], input = '') {
  const file = resolve(import.meta.dirname, '../../../scripts/operate/keys.ts');
  return spawnSync(process.execPath, [file, ...args], { input, encoding: 'utf8' });
}
