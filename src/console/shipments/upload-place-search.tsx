import { useEffect, useRef, useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { loadCities } from '../../ui/browser/kit/city-field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import {
  type FoundPlace,
  findInTurn,
  isAt,
  mapAddressOf,
  placeAmong,
  placeInAddress,
  searchedRows,
  searchTextOf,
  unplacedRows,
} from './upload-places.ts';
import type { UploadRow } from './upload-rows.ts';

const TEXTS = {
  en: {
    lead: (count: number) => `Orders without coordinates: ${count}.`,
    search: 'Find the places by their addresses',
    found: (count: number) => `Places found: ${count}. Check them, because names of streets repeat.`,
    rest: 'Enter the coordinates of the others in the table after the check.',
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
    rest: 'اكتب إحداثيات البقية في الجدول بعد الفحص.',
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
  readonly onFound: (places: readonly FoundPlace[]) => void;
  /** Takes a place away from its order. */
  readonly onWrong: (place: FoundPlace) => void;
}

/** Finds the coordinates that the file lacks, and shows what was found, so that the person can refuse it. */
export function UploadPlaceSearch({ rows, onFound, onWrong }: SearchProps) {
  const text = textsOf(TEXTS);
  const [all, setFound] = useState<readonly FoundPlace[]>([]);
  // Otherwise the next search would find them again.
  const [wrong, setWrong] = useState<readonly FoundPlace[]>([]);
  const found = all.filter((place) => rows.some((row) => isAt(row, place)));
  const unplaced = unplacedRows(rows);
  // Another file has a search of its own.
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const search = useWork(() =>
    findInTurn(searchedRows(rows, wrong), {
      find: findPlaces,
      onFound: (places) => {
        const numbers = new Set(places.map(({ number }) => number));
        setFound((before) => [...before.filter(({ number }) => !numbers.has(number)), ...places]);
        onFound(places);
      },
      signal: stop.current.signal,
    }),
  );
  if (unplaced.length === 0 && found.length === 0) return null;
  return (
    <section class="notice">
      {unplaced.length === 0 ? null : (
        <>
          <p>{text.lead(unplaced.length)}</p>
          <Button isBusy={search.isBusy} onClick={() => void search.start(undefined)}>
            {text.search}
          </Button>
        </>
      )}
      {search.failure === undefined ? null : <ProblemNotice failure={search.failure} />}
      {found.length === 0 ? null : <p role="status">{text.found(found.length)}</p>}
      {found.length === 0 ? null : (
        <details class="matching" open>
          <summary>{text.places}</summary>
          <ul>
            {found.map((place) => (
              <Place
                key={place.number}
                place={place}
                onWrong={() => {
                  setWrong((before) => [...before, place]);
                  onWrong(place);
                }}
              />
            ))}
          </ul>
        </details>
      )}
      {found.length === 0 || unplaced.length === 0 ? null : <p>{text.rest}</p>}
    </section>
  );
}

function Place({ place, onWrong }: { readonly place: FoundPlace; readonly onWrong: () => void }) {
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
