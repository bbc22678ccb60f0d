import { ADDRESS_TEXT_LENGTH_MAX, ADDRESS_TEXT_LENGTH_MIN } from '../../core/limits.ts';
import { cityOf } from '../../core/typed/city.ts';
import { readText } from '../../core/typed/text.ts';
import { type Position, positionIn } from '../../ui/browser/kit/pasted-position.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { correctCell, type UploadRow } from './upload-rows.ts';

/* Where the doors of orders are whose file has no coordinates. No shop exports them. */

type Cities = Parameters<typeof cityOf>[0];
type Suggestion = Outputs['nationalAddresses']['suggest']['data'][number];

/** A place that was found for an order, for the person to check. */
export interface FoundPlace extends Position {
  /** The number of the order's row. */
  readonly number: number;
  readonly address: string;
  readonly title: string;
}

/** The orders without coordinates. */
export function unplacedRows(rows: readonly UploadRow[]): UploadRow[] {
  return rows.filter(({ values }) => !values['destination.latitude'] && !values['destination.longitude']);
}

/** The text to search for: the address and its city. Undefined if it cannot be searched for. */
export function searchTextOf({ values }: UploadRow): string | undefined {
  const address = readText(values['destination.addressLine'] ?? '');
  if (address.length < ADDRESS_TEXT_LENGTH_MIN) return undefined;
  const city = readText(values['destination.cityCode'] ?? '');
  const text = city === '' || address.includes(city) ? address : `${address}, ${city}`;
  return text.length > ADDRESS_TEXT_LENGTH_MAX ? address.slice(0, ADDRESS_TEXT_LENGTH_MAX) : text;
}

/** The suggestion for an order: the best that is at least a street, in the city that the order names. */
export function suggestionFor(
  { values }: UploadRow,
  suggestions: readonly Suggestion[],
  cities: Cities,
): Suggestion | undefined {
  const cityCode = cityOf(cities, values['destination.cityCode'] ?? '')?.cityCode;
  return suggestions.find(
    (one) => one.cityCode === cityCode && (one.confidence === 'EXACT' || one.confidence === 'STREET'),
  );
}

/** The place in the address itself: people paste links to maps there. */
export function placeInAddress({ values, number }: UploadRow): FoundPlace | undefined {
  const address = values['destination.addressLine'] ?? '';
  const position = positionIn(address);
  return position === undefined ? undefined : { ...position, number, address, title: '' };
}

/** The order at the place that was found for it. A place that the person has typed meanwhile stays. */
export function placed(row: UploadRow, place: FoundPlace | undefined): UploadRow {
  if (place === undefined || unplacedRows([row]).length === 0) return row;
  const there = correctCell(row, 'destination.latitude', place.latitude);
  return correctCell(there, 'destination.longitude', place.longitude);
}
