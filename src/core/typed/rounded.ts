import { latinDigits } from '../text.ts';
import { withoutUnseen } from './text.ts';

/** Whether a spreadsheet has written a long number with an exponent, as `9.66501E+11`. Its last digits are lost. */
export function isRounded(typed: string): boolean {
  return /^[0-9](?:[.,٫][0-9]+)?e\+?[0-9]+$/i.test(withoutUnseen(latinDigits(typed)));
}
