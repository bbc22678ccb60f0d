import { ADDRESS_TEXT_LENGTH_MAX, ADDRESS_TEXT_LENGTH_MIN } from '../../core/limits.ts';
import { cityOf } from '../../core/typed/city.ts';
import { readText } from '../../core/typed/text.ts';
import { type Position, positionIn } from '../../ui/browser/kit/pasted-position.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { correctCell, type UploadRow } from './upload-rows.ts';

/* Finds the coordinates of orders by their addresses, because no shop exports coordinates. */

/** The page sends so many calls in one request. */
const AT_ONCE = 10;

type Cities = Parameters<typeof cityOf>[0];
type Suggestion = Outputs['nationalAddresses']['suggest']['data'][number];

/** A place that was found for an order, for the person to check. */
export interface FoundPlace extends Position {
  /** The number of the order's row. */
  readonly number: number;
  /** The address and the city that were searched for. */
  readonly address: string;
  readonly city: string;
  readonly title: string;
  /** How near the place is to the door. */
  readonly confidence: 'EXACT' | 'STREET';
}

/** What a search has found, and what the person said is wrong, so that the next search does not find it again. */
export interface PlaceFindings {
  readonly found: readonly FoundPlace[];
  readonly wrong: readonly FoundPlace[];
}

export const NO_FINDINGS: PlaceFindings = { found: [], wrong: [] };

/** The findings with newly found places, which replace those of the same orders. */
export function withFound({ found, wrong }: PlaceFindings, places: readonly FoundPlace[]): PlaceFindings {
  const numbers = new Set(places.map(({ number }) => number));
  return { found: [...found.filter(({ number }) => !numbers.has(number)), ...places], wrong };
}

/** The findings without a wrong place. */
export function withWrong({ found, wrong }: PlaceFindings, place: FoundPlace): PlaceFindings {
  return { found: found.filter((one) => one !== place), wrong: [...wrong, place] };
}

interface PlaceSearch {
  readonly find: (rows: readonly UploadRow[]) => Promise<readonly FoundPlace[]>;
  readonly onFound: (places: readonly FoundPlace[]) => void;
  /** Stops the search, and drops what is found afterwards. */
  readonly signal: AbortSignal;
}

/** Finds the places of orders, a few orders at a time. */
export async function findInTurn(rows: readonly UploadRow[], { find, onFound, signal }: PlaceSearch): Promise<void> {
  for (let from = 0; from < rows.length && !signal.aborted; from += AT_ONCE) {
    const places = await find(rows.slice(from, from + AT_ONCE));
    if (!signal.aborted) onFound(places);
  }
}

/** What a search for an order's place depends on. */
function searchedIn({ number, values }: UploadRow): Pick<FoundPlace, 'number' | 'address' | 'city'> {
  return {
    number,
    address: values['destination.addressLine'] ?? '',
    city: values['destination.cityCode'] ?? '',
  };
}

/** Whether a place was searched for with the address that the order has now. */
function isPlaceOf(place: FoundPlace, row: UploadRow): boolean {
  const { number, address, city } = searchedIn(row);
  return place.number === number && place.address === address && place.city === city;
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

/** The place among suggestions for an order: the first that is at least a street, in the city that the order names. */
export function placeAmong(row: UploadRow, suggestions: readonly Suggestion[], cities: Cities): FoundPlace | undefined {
  const cityCode = cityOf(cities, row.values['destination.cityCode'] ?? '')?.cityCode;
  for (const { cityCode: its, confidence, title, location } of suggestions)
    if (its === cityCode && (confidence === 'EXACT' || confidence === 'STREET'))
      return { ...searchedIn(row), ...location, title, confidence };
  return undefined;
}

/** The place in the address itself: people paste links to maps there. */
export function placeInAddress(row: UploadRow): FoundPlace | undefined {
  const position = positionIn(row.values['destination.addressLine'] ?? '');
  return position === undefined ? undefined : { ...searchedIn(row), ...position, title: '', confidence: 'EXACT' };
}

/**
 * The order at the place that was found for it. A place that the person has typed meanwhile stays. So does an order whose address
 * is no longer the one that was searched for: the person has corrected it, or the row is of another file.
 */
export function placed(row: UploadRow, places: readonly FoundPlace[]): UploadRow {
  const place = places.find((one) => isPlaceOf(one, row));
  if (place === undefined || unplacedRows([row]).length === 0) return row;
  const there = correctCell(row, 'destination.latitude', place.latitude);
  return correctCell(there, 'destination.longitude', place.longitude);
}

/** Orders at the places that a person has confirmed. */
export function placedAll(rows: readonly UploadRow[], places: readonly FoundPlace[]): UploadRow[] {
  const byNumber = new Map(places.map((place) => [place.number, place]));
  return rows.map((row) => {
    const place = byNumber.get(row.number);
    return place === undefined ? row : placed(row, [place]);
  });
}

/** The found places that are still to be confirmed: their orders have the searched address and no coordinates. */
export function proposedPlaces(rows: readonly UploadRow[], found: readonly FoundPlace[]): FoundPlace[] {
  const byNumber = new Map(unplacedRows(rows).map((row) => [row.number, row]));
  return found.filter((place) => {
    const row = byNumber.get(place.number);
    return row !== undefined && isPlaceOf(place, row);
  });
}

/** Whether an order is at a place that was found for it. */
export function isAt({ number, values }: UploadRow, place: FoundPlace): boolean {
  return (
    number === place.number &&
    values['destination.latitude'] === place.latitude &&
    values['destination.longitude'] === place.longitude
  );
}

/** The order without the coordinates of a wrong place. Others stay. */
export function withoutPlace(row: UploadRow, place: FoundPlace): UploadRow {
  return isAt(row, place)
    ? correctCell(correctCell(row, 'destination.latitude', ''), 'destination.longitude', '')
    : row;
}

/** Where orders stand in the search for their places. */
interface PlaceProgress {
  /** The orders without coordinates. */
  readonly unplaced: readonly UploadRow[];
  /** The places that are still to be confirmed. */
  readonly proposed: readonly FoundPlace[];
  readonly confirmed: readonly FoundPlace[];
  /** The orders to search for: those without coordinates, unless a place was proposed or was wrong. */
  readonly sought: readonly UploadRow[];
}

export function searchProgressOf(rows: readonly UploadRow[], { found, wrong }: PlaceFindings): PlaceProgress {
  const proposed = proposedPlaces(rows, found);
  const rowAt = new Map(rows.map((row) => [row.number, row]));
  const confirmed = found.filter((place) => {
    const row = rowAt.get(place.number);
    return row !== undefined && isAt(row, place);
  });
  const settled = Map.groupBy([...proposed, ...wrong], ({ number }) => number);
  const unplaced = unplacedRows(rows);
  const sought = unplaced.filter((row) => settled.get(row.number)?.some((place) => isPlaceOf(place, row)) !== true);
  return { unplaced, proposed, confirmed, sought };
}

/** A map of the place, for a look at it. */
export function mapAddressOf({ latitude, longitude }: Position): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=18/${latitude}/${longitude}`;
}
