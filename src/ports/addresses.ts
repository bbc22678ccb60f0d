import type { Locale } from '../core/locale.ts';
import type { Coordinates } from './routing.ts';

/** A building as the national registry describes it. Of a place, never of a person. */
export interface NationalAddress {
  /** Four letters and four digits, such as `RRRD2929`. */
  readonly shortAddress: string;
  readonly buildingNumber: string | null;
  readonly street: string | null;
  readonly district: string | null;
  /** The city's name as the registry writes it, in Arabic or English. */
  readonly city: string | null;
  readonly postalCode: string | null;
  readonly additionalNumber: string | null;
  readonly location: Coordinates;
}

/**
 * - `unknown`: the registry answered that it has no such address. A retry does not help.
 * - `unavailable`: it did not answer, answered nonsense, or its quota is used up. A later retry may succeed.
 */
export type RegistryAnswer =
  | { readonly kind: 'found'; readonly address: NationalAddress }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds: number };

/** How exactly the location of a suggestion is known. */
export const CONFIDENCES = ['EXACT', 'STREET', 'DISTRICT', 'CITY'] as const;

/** A place that a written text may mean. */
export interface AddressSuggestion {
  /** One line to choose it by. */
  readonly title: string;
  /** One line for `destination.addressLine`. */
  readonly addressLine: string;
  readonly district: string | null;
  /** The city's name as the source writes it, in Arabic or English. */
  readonly city: string | null;
  readonly location: Coordinates;
  readonly shortAddress: string | null;
  readonly confidence: (typeof CONFIDENCES)[number];
}

export interface AddressSearch {
  /** As a person typed it. */
  readonly text: string;
  /** Places near this point come first. */
  readonly near: Coordinates | undefined;
  readonly locale: Locale;
}

/** Finds addresses in Saudi Arabia. Each call resolves within two seconds and never rejects. */
export interface Addresses {
  /** Which registry answers `find` and `nearest`: `fixture` knows documented codes, `none` never answers. */
  readonly registry: 'spl' | 'fixture' | 'none';
  /** The address of a short code in its normal form. */
  find(shortAddress: string): Promise<RegistryAnswer>;
  /** The address nearest to a point. `unknown` if none is within a few hundred meters. */
  nearest(point: Coordinates): Promise<RegistryAnswer>;
  /** At most eight places, best first; undefined if the source is not available. */
  suggest(search: AddressSearch): Promise<readonly AddressSuggestion[] | undefined>;
}
