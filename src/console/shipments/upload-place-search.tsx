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
  placeInAddress,
  searchedIn,
  searchTextOf,
  suggestionFor,
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
  },
  ar: {
    lead: (count: number) => `طلبات بلا إحداثيات: ${count}.`,
    search: 'ابحث عن المواقع بعناوينها',
    found: (count: number) => `المواقع التي عُثر عليها: ${count}. راجعها، فأسماء الشوارع تتكرر.`,
    rest: 'اكتب إحداثيات البقية في الجدول بعد الفحص.',
    places: 'المواقع',
    row: 'الصف',
  },
};

interface SearchProps {
  readonly rows: readonly UploadRow[];
  readonly onFound: (places: readonly FoundPlace[]) => void;
}

/** Finds the coordinates that the file lacks, and shows what was found. */
export function UploadPlaceSearch({ rows, onFound }: SearchProps) {
  const text = textsOf(TEXTS);
  const [found, setFound] = useState<readonly FoundPlace[]>([]);
  const unplaced = unplacedRows(rows);
  // Another file has a search of its own.
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const search = useWork(() =>
    findInTurn(unplaced, {
      find: findPlaces,
      onFound: (places) => {
        setFound((before) => [...before, ...places]);
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
            {found.map(({ number, address, title }) => (
              <li key={number}>
                {text.row} {number}: <bdi>{address}</bdi>
                {title === '' ? null : (
                  <>
                    {' · '}
                    <strong>
                      <bdi>{title}</bdi>
                    </strong>
                  </>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      {found.length === 0 || unplaced.length === 0 ? null : <p>{text.rest}</p>}
    </section>
  );
}

async function findPlaces(rows: readonly UploadRow[]): Promise<FoundPlace[]> {
  const cities = await loadCities();
  const places = rows.map(async (row) => {
    const own = placeInAddress(row);
    const text = searchTextOf(row);
    if (own !== undefined || text === undefined) return own ?? [];
    const { data } = await service.nationalAddresses.suggest.mutate({ text });
    const best = suggestionFor(row, data, cities);
    if (best === undefined) return [];
    return { ...searchedIn(row), title: best.title, ...best.location };
  });
  return (await Promise.all(places)).flat();
}
