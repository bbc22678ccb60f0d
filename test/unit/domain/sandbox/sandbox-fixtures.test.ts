import { expect, test } from 'vitest';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { driverIdOf, driverPhoneOf, localPhoneOf } from '../../../../src/domain/sandbox/fixtures.ts';

const company = '01a1fbdf-1dae-72c6-bbe1-a4915637be63' as Uuid;
const other = '01a1fbdf-1dae-72c6-bbe1-a4915637be64' as Uuid;

test('a driver’s id is derived from the company, and is a UUID of version 7', async () => {
  const id = await driverIdOf(company, 'main');
  expect(id).toMatch(/^01a1fbdf-1dae-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(await driverIdOf(company, 'main')).toBe(id);
  expect(new Set([id, await driverIdOf(company, 'relief'), await driverIdOf(other, 'main')]).size).toBe(3);
});

test('a phone is derived from the company, and differs for each attempt', async () => {
  const phones = await Promise.all([
    driverPhoneOf(company, 'main', 0),
    driverPhoneOf(company, 'main', 1),
    driverPhoneOf(company, 'relief', 0),
    driverPhoneOf(other, 'main', 0),
  ]);
  expect(new Set(phones).size).toBe(4);
  for (const phone of phones) expect(phone).toMatch(/^\+9665[0-9]{8}$/);
  expect(await driverPhoneOf(company, 'main', 0)).toBe(phones[0]);
});

test('a phone is shown in its national format', () => {
  expect(localPhoneOf('+966512345678')).toBe('0512345678');
});
