import type { AddressConfidence } from '../contract/national-address.ts';
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
  readonly confidence: AddressConfidence;
}

export interface AddressSearch {
  /** As a person typed it. */
  readonly text: string;
  /** Places near this point come first. */
  readonly near: Coordinates | undefined;
  readonly locale: Locale;
}

/**
 * Finds addresses in Saudi Arabia. Each call resolves within two seconds and never rejects. A registry has a quota, so a caller in
 * the domain asks it through `src/domain/addresses`, which counts the calls and keeps the answers.
 */
export interface Addresses {
  /** Which registry answers `find` and `nearest`: `fixture` knows documented codes, `none` never answers. */
  readonly registry: 'spl' | 'fixture' | 'none';
  /** Which geocoder answers `suggest`. */
  readonly geocoder: 'photon' | 'fixture' | 'none';
  /** Whether the registry is not called at the moment, because it has failed or has refused more calls. */
  isRegistryDown(): boolean;
  /** The address of a short code in its normal form. */
  find(shortAddress: string): Promise<RegistryAnswer>;
  /** The address nearest to a point. `unknown` if none is within a few hundred meters. */
  nearest(point: Coordinates): Promise<RegistryAnswer>;
  /** At most eight places, best first; undefined if the source is not available. */
  suggest(search: AddressSearch): Promise<readonly AddressSuggestion[] | undefined>;
}

/** What knows addresses by their short code and by their place. */
export type Registry = Pick<Addresses, 'find' | 'nearest' | 'isRegistryDown'>;
/** What finds places by a written text. */
export type Geocoder = Pick<Addresses, 'suggest'>;
