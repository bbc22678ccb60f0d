import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { loadCities } from '../../ui/browser/kit/city-field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { ROWS_SHOWN, UploadPages } from './upload-pages.tsx';
import { patiently } from './upload-patience.ts';
import {
  type FoundPlace,
  findInTurn,
  mapAddressOf,
  type PlaceFindings,
  placeAmong,
  placeInAddress,
  searchProgressOf,
  searchTextOf,
} from './upload-places.ts';
import type { UploadRow } from './upload-rows.ts';

const TEXTS = {
  en: {
    lead: (count: number) => `Orders without coordinates: ${count}.`,
    search: 'Find the places by their addresses',
    proposed: (count: number) => `Places to confirm: ${count}. Check them, because names of streets repeat.`,
    confirmed: (count: number) => `Confirmed: ${count}.`,
    confirmExact: (count: number) => (count === 1 ? 'Confirm 1 exact place' : `Confirm ${count} exact places`),
    confirm: 'Confirm',
    confirmOf: (number: number) => `Confirm: row ${number}`,
    isConfirmed: 'confirmed',
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
    proposed: (count: number) => `مواقع تنتظر التأكيد: ${count}. راجعها، فأسماء الشوارع تتكرر.`,
    confirmed: (count: number) => `المؤكَّد منها: ${count}.`,
    confirmExact: (count: number) => `أكّد المواقع الدقيقة (${count})`,
    confirm: 'أكّد',
    confirmOf: (number: number) => `أكّد: الصف ${number}`,
    isConfirmed: 'مؤكَّد',
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
  readonly findings: PlaceFindings;
  readonly onFound: (places: readonly FoundPlace[]) => void;
  /** Puts orders at their places. */
  readonly onConfirm: (places: readonly FoundPlace[]) => void;
  /** Takes a place away from its order. */
  readonly onWrong: (place: FoundPlace) => void;
}

/**
 * Finds the coordinates that the file lacks. An order gets a place only once the person has confirmed it: the exact ones together,
 * the others one by one.
 */
export function UploadPlaceSearch({ rows, findings, onFound, onConfirm, onWrong }: SearchProps) {
  const text = textsOf(TEXTS);
  const { unplaced, proposed, confirmed, sought } = useMemo(() => searchProgressOf(rows, findings), [rows, findings]);
  const exact = proposed.filter(({ confidence }) => confidence === 'EXACT');
  // Another file has a search of its own.
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const { signal } = stop.current;
  const search = useWork(() =>
    findInTurn(sought, { find: (some) => patiently(() => findPlaces(some), signal), onFound, signal }),
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
          {proposed.length === 0 ? null : `${text.proposed(proposed.length)} `}
          {text.confirmed(confirmed.length)}
        </p>
      )}
      {exact.length === 0 ? null : (
        <Button kind="primary" onClick={() => onConfirm(exact)}>
          {text.confirmExact(exact.length)}
        </Button>
      )}
      {proposed.length + confirmed.length === 0 ? null : (
        <PlaceList {...{ proposed, confirmed }} onConfirm={(place) => onConfirm([place])} onWrong={onWrong} />
      )}
      {findings.found.length === 0 || unplaced.length === 0 ? null : <p>{text.rest}</p>}
    </section>
  );
}

interface ListProps {
  readonly proposed: readonly FoundPlace[];
  readonly confirmed: readonly FoundPlace[];
  readonly onConfirm: (place: FoundPlace) => void;
  readonly onWrong: (place: FoundPlace) => void;
}

/** The places, some at a time: first those that are still to be confirmed. */
function PlaceList({ proposed, confirmed, onConfirm, onWrong }: ListProps) {
  const text = textsOf(TEXTS);
  const [chosen, setFrom] = useState(0);
  const total = proposed.length + confirmed.length;
  // The last page may have become empty.
  const from = Math.min(chosen, Math.floor((total - 1) / ROWS_SHOWN) * ROWS_SHOWN);
  const shown = [...proposed, ...confirmed].slice(from, from + ROWS_SHOWN);
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<number>(undefined);
  // The next place takes the place of the one that was confirmed or taken away, and its button the focus.
  useEffect(() => {
    if (focused.current === undefined) return;
    const lines = list.current?.children;
    const line = lines?.[focused.current] ?? lines?.[lines.length - 1];
    line?.querySelector('button')?.focus();
    focused.current = undefined;
  }, [proposed, confirmed]);
  return (
    <details class="matching" open>
      <summary>{text.places}</summary>
      <ul ref={list}>
        {shown.map((place, index) => {
          const going = (act: (one: FoundPlace) => void) => () => {
            focused.current = index;
            act(place);
          };
          return (
            <Place
              key={place.number}
              place={place}
              onConfirm={from + index < proposed.length ? going(onConfirm) : undefined}
              onWrong={going(onWrong)}
            />
          );
        })}
      </ul>
      <UploadPages from={from} total={total} onFrom={setFrom} />
    </details>
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
