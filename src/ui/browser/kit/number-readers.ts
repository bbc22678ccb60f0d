import { readNumber, unmistakable } from '../../../core/typed/number.ts';
import { readNumbered } from '../../../core/typed/text.ts';
import type { Reader } from './readers.ts';

/* A file of its own, because the drivers' page has no number field and so does not load it. */

const numbers = (isGrouped: boolean): Pick<Reader, 'read' | 'doubt' | 'dir'> => ({
  read: (typed) => readNumber(typed, { isGrouped })?.value ?? readNumbered(typed),
  doubt: (typed) => {
    const number = readNumber(typed, { isGrouped });
    return number?.isDoubtful === true ? unmistakable(number.value) : undefined;
  },
  dir: 'ltr',
});

export const AMOUNT: Reader = { ...numbers(true), inputMode: 'decimal' };
export const WHOLE: Reader = { ...numbers(true), inputMode: 'numeric' };
/** Latitude and longitude are never large enough for grouped thousands. */
export const DEGREES: Reader = { ...numbers(false), inputMode: 'decimal' };
