import { expect, test } from 'vitest';
import { normalEmail } from '../../../src/core/email.ts';

test.each([
  ['Owner@Example.COM', 'owner@example.com'],
  ["o'neil+orders@mail.example.co", "o'neil+orders@mail.example.co"],
  // .السعودية is a delegated top-level domain; its ASCII form is in the root zone.
  ['info@متجر.السعودية', 'info@xn--pgbep1f.xn--mgberp4a5d4ar'],
  ['INFO@XN--PGBEP1F.XN--MGBERP4A5D4AR', 'info@xn--pgbep1f.xn--mgberp4a5d4ar'],
  ['info@متجر。السعودية', 'info@xn--pgbep1f.xn--mgberp4a5d4ar'],
  ['info@bücher.example', 'info@xn--bcher-kva.example'],
  ['info@BÜCHER.example', 'info@xn--bcher-kva.example'],
])('%s is the address %s', (spelling, normal) => {
  expect(normalEmail(spelling)).toBe(normal);
  expect(normalEmail(normal)).toBe(normal);
});

test.each([
  'info',
  '@example.com',
  'info@',
  'info@example',
  'info@السعودية',
  'info@-example.com',
  'info@example-.com',
  'info@example..com',
  'info@.example.com',
  'info@192.168.0.1',
  'info@0x7f.1',
  'info@exam ple.com',
  'info@example.com/path',
  'info@example.com:25',
  'info@exa%6dple.com',
  'info@[127.0.0.1]',
  'in fo@example.com',
  'a@b@example.com',
  'معلومات@متجر.السعودية',
  'info@متجر .السعودية',
  'info@\u202eمتجر.السعودية',
  `${'a'.repeat(65)}@example.com`,
])('%s is no address', (spelling) => {
  expect(normalEmail(spelling)).toBeUndefined();
});
