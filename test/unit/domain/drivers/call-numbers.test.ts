import { expect, test } from 'vitest';
import type { DriverShipment } from '../../../../src/contract/driver.ts';
import { withCallNumbers } from '../../../../src/domain/drivers/view.ts';
import { NUMBER_POLICIES } from '../../../../src/ports/call-numbers.ts';
import { callNumbersFor } from '../../../../src/providers/call-numbers.ts';

const SHOWN: Pick<DriverShipment, 'recipientPhone' | 'alternateContact' | 'pickupContact' | 'pickupName'> = {
  recipientPhone: '+966512345678',
  alternateContact: { name: 'Huda', phone: '+966512345679' },
  pickupContact: { name: 'Gate', phone: '+966512345670' },
  pickupName: 'Olaya store',
};

test('by default a driver calls the numbers themselves', () => {
  expect(withCallNumbers(SHOWN, callNumbersFor('shown'))).toEqual(SHOWN);
});

test('hidden, the driver has no number of a recipient, and still that of the shop', () => {
  expect(withCallNumbers(SHOWN, callNumbersFor('hidden'))).toEqual({
    recipientPhone: null,
    alternateContact: { name: 'Huda', phone: null },
    pickupContact: { name: 'Gate', phone: '+966512345670' },
    pickupName: 'Olaya store',
  });
});

test('hidden, the driver has no number of the buyer who hands a return over', () => {
  const { pickupName: _shop, ...back } = SHOWN;
  expect(withCallNumbers(back, callNumbersFor('hidden')).pickupContact).toEqual({ name: 'Gate', phone: null });
});

test('masked, the driver calls an exchange, with an extension that is the same each time and another for each number', () => {
  const masked = withCallNumbers(SHOWN, callNumbersFor('masked'));
  expect(masked.recipientPhone).toMatch(/^\+966800000000,,\d{6}$/);
  expect(masked.alternateContact?.phone).not.toBe(masked.recipientPhone);
  expect(withCallNumbers(SHOWN, callNumbersFor('masked'))).toEqual(masked);
  expect(JSON.stringify(masked)).not.toMatch(/51234567[89]|5678/);
});

test.each(NUMBER_POLICIES)('%s, nobody is called where nobody is known', (policy) => {
  const nobody = { recipientPhone: null, alternateContact: null, pickupContact: null };
  expect(withCallNumbers(nobody, callNumbersFor(policy))).toEqual(nobody);
});
