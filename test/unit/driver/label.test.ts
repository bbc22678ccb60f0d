import { expect, test } from 'vitest';
import { judgeBarcodes, judgeLabel, readTyped } from '../../../src/driver/label.ts';

const SOUGHT = { shipmentNumber: 'SHP-7ZQ4N0K2RD5' };
const OWN = { shipmentNumber: 'SHP-AAAA1110Q15' };
const TWIN = { shipmentNumber: 'SHP-BBBBBBB2RD5' };

test('a barcode is the right one only as the whole number, and one that is no number decides nothing', () => {
  const judge = (...codes: string[]) => judgeBarcodes(codes, SOUGHT, [OWN, TWIN]);
  expect(judge('SHP-7ZQ4N0K2RD5')).toEqual({ kind: 'right' });
  expect(judge('6281007024357', 'SHP-7ZQ4N0K2RD5', 'SHP-7ZQ4N0K2RD5')).toEqual({ kind: 'right' });
  expect(judge('SHP-AAAA1110Q15')).toEqual({ kind: 'own', parcel: OWN });
  expect(judge('SHP-7ZQ4N0K2RD6')).toEqual({ kind: 'other' });
  expect(judge()).toBeUndefined();
  for (const code of ['2RD5', 'https://example.com/SHP-7ZQ4N0K2RD5', '6281000000014', ''])
    expect(judge(code)).toBeUndefined();
});

test('of several barcodes in the picture the one that is sought decides', () => {
  const judge = (...codes: string[]) => judgeBarcodes(codes, SOUGHT, [OWN, TWIN]);
  expect(judge('6281000000014', 'SHP-CCCCCCCCCC7', 'SHP-7ZQ4N0K2RD5')).toEqual({ kind: 'right' });
  expect(judge('SHP-AAAA1110Q15', 'SHP-7ZQ4N0K2RD5')).toEqual({ kind: 'right' });
  expect(judge('6281000000014', 'SHP-AAAA1110Q15')).toEqual({ kind: 'own', parcel: OWN });
});

test('four typed characters are the end of a number, also with letters in place of digits', () => {
  const judge = (typed: string) => judgeLabel(readTyped(typed), SOUGHT, [OWN]);
  expect(judge('2RD5')).toEqual({ kind: 'right' });
  expect(judge('2rd5')).toEqual({ kind: 'right' });
  for (const typed of ['0Q15', 'OQI5', 'oql5']) expect(judge(typed)).toEqual({ kind: 'own', parcel: OWN });
  for (const typed of ['RD5', '5', '', '2RD6', 'ZQ4N']) expect(judge(typed)).toEqual({ kind: 'other' });
});

test('an end that two parcels of the driver have decides nothing', () => {
  expect(judgeLabel(readTyped('2RD5'), SOUGHT, [OWN, TWIN])).toEqual({ kind: 'unclear' });
});
