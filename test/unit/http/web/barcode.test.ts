import { expect, test } from 'vitest';
import { newShipmentNumber } from '../../../../src/domain/shipments/number.ts';
import { drawBarcode } from '../../../../src/http/web/waybill/codes.ts';
import { systemRandom } from '../../../../src/providers/system.ts';
import { readBarcode } from '../../../support/code-readers.ts';

test('a shipment number can be read, wherever its digits are', () => {
  // Code 128 switches to another character set for runs of digits, and back after them.
  const made = Array.from({ length: 500 }, () => newShipmentNumber(systemRandom));
  const numbers = [...made, 'SHP-1234567890A', 'SHP-A123456BCDE', 'SHP-12ABCD34567', 'SHP-ABCDEFGHJK*'];
  expect(numbers.map((number) => readBarcode(drawBarcode(number).path))).toEqual(numbers);
});
