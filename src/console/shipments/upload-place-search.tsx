import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { loadCities } from '../../ui/browser/kit/city-field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { patiently } from './upload-parts.ts';
import {
  type FoundPlace,
  findInTurn,
  isAt,
  mapAddressOf,
  placeAmong,
  placeInAddress,
  proposedPlaces,
  searchedRows,
  searchTextOf,
  unplacedRows,
} from './upload-places.ts';
import type { UploadRow } from './upload-rows.ts';

/** More places would make the page slow. */
const SHOWN = 50;
const TEXTS = {
  en: {
    lead: (count: number) => `Orders without coordinates: ${count}.`,
    search: 'Find the places by their addresses',
    found: (count: number) => `Places found: ${count}. Check them, because names of streets repeat.`,
    confirmed: (count: number) => `Confirmed: ${count}.`,
    confirmExact: (count: number) => (count === 1 ? 'Confirm 1 exact place' : `Confirm ${count} exact places`),
    confirm: 'Confirm',
    confirmOf: (number: number) => `Confirm: row ${number}`,
    isConfirmed: 'confirmed',
    more: (count: number) => `${count} more places follow when these are confirmed.`,
    rest: 'Orders without a confirmed place are not created. You can enter their coordinates in the table after the check.',
    places: 'Places found',
    row: 'Row',
    EXACT: 'exact',
    STREET: 'only the street, not the door',
    map: 'Map',
    mapOf: (number: number) => `Map of row ${number}`,
    wrong: 'Wrong place',
    wrongOf: (number: number) => `Wrong place: row ${number}`,
  },
  ar: {
    lead: (count: number) => `طلبات بلا إحداثيات: ${count}.`,
    search: 'ابحث عن المواقع بعناوينها',
    found: (count: number) => `المواقع التي عُثر عليها: ${count}. راجعها، فأسماء الشوارع تتكرر.`,
    confirmed: (count: number) => `المؤكَّد منها: ${count}.`,
    confirmExact: (count: number) => `أكّد المواقع الدقيقة (${count})`,
    confirm: 'أكّد',
    confirmOf: (number: number) => `أكّد: الصف ${number}`,
    isConfirmed: 'مؤكَّد',
    more: (count: number) => `مواقع أخرى تظهر بعد تأكيد هذه: ${count}.`,
    rest: 'لا تُنشأ الطلبات التي لم يُؤكَّد موقعها. يمكنك كتابة إحداثياتها في الجدول بعد الفحص.',
    places: 'المواقع',
    row: 'الصف',
    EXACT: 'دقيق',
    STREET: 'الشارع فقط، لا الباب',
    map: 'الخريطة',
    mapOf: (number: number) => `الخريطة: الصف ${number}`,
    wrong: 'موقع خاطئ',
    wrongOf: (number: number) => `موقع خاطئ: الصف ${number}`,
  },
};

interface SearchProps {
  readonly rows: readonly UploadRow[];
  /** Puts orders at their places. */
  readonly onConfirm: (places: readonly FoundPlace[]) => void;
  /** Takes a place away from its order. */
  readonly onWrong: (place: FoundPlace) => void;
}

/**
 * Finds the coordinates that the file lacks. An order gets a place only once the person has confirmed it: the exact ones together,
 * the others one by one.
 */
export function UploadPlaceSearch({ rows, onConfirm, onWrong }: SearchProps) {
  const text = textsOf(TEXTS);
  const [all, setFound] = useState<readonly FoundPlace[]>([]);
  // Otherwise the next search would find them again.
  const [wrong, setWrong] = useState<readonly FoundPlace[]>([]);
  const rowAt = useMemo(() => new Map(rows.map((row) => [row.number, row])), [rows]);
  const isConfirmed = (place: FoundPlace) => {
    const row = rowAt.get(place.number);
    return row !== undefined && isAt(row, place);
  };
  const proposed = proposedPlaces(rows, all).filter((place) => !wrong.includes(place));
  const exact = proposed.filter(({ confidence }) => confidence === 'EXACT');
  const confirmed = all.filter(isConfirmed);
  const unplaced = unplacedRows(rows);
  const sought = searchedRows(rows, [...wrong, ...proposed]);
  const shown = [...proposed, ...confirmed].slice(0, SHOWN);
  // Another file has a search of its own.
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const { signal } = stop.current;
  const search = useWork(() =>
    findInTurn(sought, {
      find: (some) => patiently(() => findPlaces(some), signal),
      onFound: (places) => {
        const numbers = new Set(places.map(({ number }) => number));
        setFound((before) => [...before.filter(({ number }) => !numbers.has(number)), ...places]);
      },
      signal,
    }),
  );
  if (unplaced.length === 0 && confirmed.length === 0) return null;
  return (
    <section class="notice">
      {unplaced.length === 0 ? null : <p>{text.lead(unplaced.length)}</p>}
      {sought.length === 0 && !search.isBusy ? null : (
        <Button isBusy={search.isBusy} onClick={() => void search.start(undefined)}>
          {text.search}
        </Button>
      )}
      {search.failure === undefined ? null : <ProblemNotice failure={search.failure} />}
      {proposed.length + confirmed.length === 0 ? null : (
        <p role="status">
          {text.found(proposed.length + confirmed.length)} {text.confirmed(confirmed.length)}
        </p>
      )}
      {exact.length === 0 ? null : (
        <Button kind="primary" onClick={() => onConfirm(exact)}>
          {text.confirmExact(exact.length)}
        </Button>
      )}
      {shown.length === 0 ? null : (
        <details class="matching" open>
          <summary>{text.places}</summary>
          <ul>
            {shown.map((place) => (
              <Place
                key={place.number}
                place={place}
                onConfirm={isConfirmed(place) ? undefined : () => onConfirm([place])}
                onWrong={() => {
                  setWrong((before) => [...before, place]);
                  onWrong(place);
                }}
              />
            ))}
          </ul>
          {proposed.length + confirmed.length > shown.length ? (
            <p class="quiet">{text.more(proposed.length + confirmed.length - shown.length)}</p>
          ) : null}
        </details>
      )}
      {all.length === 0 || unplaced.length === 0 ? null : <p>{text.rest}</p>}
    </section>
  );
}

interface PlaceProps {
  readonly place: FoundPlace;
  /** Undefined once the place is confirmed. */
  readonly onConfirm: (() => void) | undefined;
  readonly onWrong: () => void;
}

function Place({ place, onConfirm, onWrong }: PlaceProps) {
  const text = textsOf(TEXTS);
  const { number, address, title, confidence } = place;
  return (
    <li>
      {text.row} {number}: <bdi>{address}</bdi>
      {title === '' ? null : (
        <>
          {' · '}
          <strong>
            <bdi>{title}</bdi>
          </strong>
        </>
      )}
      {` · ${text[confidence]} · `}
      <a href={mapAddressOf(place)} target="_blank" rel="noreferrer" aria-label={text.mapOf(number)}>
        {text.map}
      </a>
      {' · '}
      {onConfirm === undefined ? (
        text.isConfirmed
      ) : (
        <button type="button" class="plain" aria-label={text.confirmOf(number)} onClick={onConfirm}>
          {text.confirm}
        </button>
      )}
      {' · '}
      <button type="button" class="plain" aria-label={text.wrongOf(number)} onClick={onWrong}>
        {text.wrong}
      </button>
    </li>
  );
}

async function findPlaces(rows: readonly UploadRow[]): Promise<FoundPlace[]> {
  const cities = await loadCities();
  const places = rows.map(async (row) => {
    const own = placeInAddress(row);
    const text = searchTextOf(row);
    if (own !== undefined || text === undefined) return own ?? [];
    const { data } = await service.nationalAddresses.suggest.mutate({ text });
    return placeAmong(row, data, cities) ?? [];
  });
  return (await Promise.all(places)).flat();
}
