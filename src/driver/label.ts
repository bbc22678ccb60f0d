import type { Parcel } from './queue.ts';

type Numbered = Pick<Parcel, 'shipmentNumber'>;
/** Whether the number of a parcel is what was read from a label. */
type Reading = (parcel: Numbered) => boolean;

/** `own`: it is another parcel of the driver. `unclear`: several of the driver's parcels end like this. */
export type Verdict<Other> =
  | { readonly kind: 'right' | 'unclear' | 'other' }
  | { readonly kind: 'own'; readonly parcel: Other };

/** Whether the parcel whose label was read is the one that is sought. */
export function judgeLabel<Other extends Numbered>(
  isRead: Reading,
  sought: Numbered,
  others: readonly Other[],
): Verdict<Other> {
  const own = others.find(isRead);
  if (isRead(sought)) return { kind: own === undefined ? 'right' : 'unclear' };
  return own === undefined ? { kind: 'other' } : { kind: 'own', parcel: own };
}

/** Barcodes of merchants stand beside the label of a parcel. They decide nothing. */
const NUMBER = /^SHP-[0-9A-Z]{11}$/;

/** Judges all barcodes that the camera sees at once, which are whole numbers. In a pile, the label that is sought may be any of them. */
export function judgeBarcodes<Other extends Numbered>(
  codes: readonly string[],
  sought: Numbered,
  others: readonly Other[],
): Verdict<Other> | undefined {
  const numbers = codes.filter((code) => NUMBER.test(code));
  const verdicts = numbers.map((code) => judgeLabel((parcel) => parcel.shipmentNumber === code, sought, others));
  return verdicts.find(({ kind }) => kind === 'right') ?? verdicts[0];
}

/** How much of a number the driver types. */
export const TYPED_LENGTH = 4;

/** What the driver types is its end. Numbers have no letter that looks like a digit, so such a letter is a digit that was misread. */
export function readTyped(typed: string): Reading {
  const end = typed.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return ({ shipmentNumber }) => end.length === TYPED_LENGTH && shipmentNumber.endsWith(end);
}
