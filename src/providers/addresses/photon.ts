import { Kept } from '../../core/kept.ts';
import { SUGGESTIONS_MAX } from '../../core/limits.ts';
import { readOneLine } from '../../core/typed/text.ts';
import type { AddressSearch, AddressSuggestion, Geocoder } from '../../ports/addresses.ts';
import { BadAnswer } from '../bad-answer.ts';
import { type CallLimits, guardCalls, type ProviderPlatform } from '../guarded-call.ts';
import { type Answer, ask, KINGDOM } from './answer.ts';
import { readPhoton } from './photon-places.ts';

export interface PhotonLimits extends CallLimits {
  readonly answerBytesMax: number;
}

const PHOTON_LIMITS: PhotonLimits = {
  timeoutMs: 2000,
  /** A place with all its names has about a kilobyte. */
  answerBytesMax: 256 * 1024,
  failuresMax: 5,
  openMs: 5000,
};

/** The rectangle of Saudi Arabia has other countries, whose places are left out. */
const ASKED_MAX = 2 * SUGGESTIONS_MAX;
const BBOX = `${KINGDOM.west},${KINGDOM.south},${KINGDOM.east},${KINGDOM.north}`;

/** The language of each place's own names. Every index has it. */
const OWN_LANGUAGE = 'default';
/** The operator may replace the index by one with more languages. */
const LANGUAGES_KEPT_MS = 3_600_000;

/** A geocoder with Photon's HTTP API. `url` is its address without `/api`. */
export function photonGeocoder(
  { url }: { readonly url: string },
  platform: ProviderPlatform,
  limits: PhotonLimits = PHOTON_LIMITS,
): Geocoder {
  const call = guardCalls('geocoder', limits, platform);
  const base = url.replace(/\/+$/, '').replace(/\/api$/, '');
  const languages = new Kept<'languages', ReadonlySet<string>>({
    keptMs: LANGUAGES_KEPT_MS,
    nowMs: platform.monotonicMs,
  });
  return {
    async suggest({ text, near, locale }) {
      const sought = readOneLine(text);
      if (sought === '') return [];
      const bias: Record<string, string> = near === undefined ? {} : { lat: near.latitude, lon: near.longitude };
      const query = { q: sought, limit: String(ASKED_MAX), bbox: BBOX, ...bias };
      return await call(async (signal, refuse) => {
        const send = (lang: string) =>
          ask(platform.fetch, `${base}/api?${new URLSearchParams({ ...query, lang })}`, {
            signal,
            bytesMax: limits.answerBytesMax,
          });
        const known = languages.get('languages');
        const lang = known === undefined || known.has(locale) ? locale : OWN_LANGUAGE;
        let answer = await send(lang);
        if (answer.status === 400 && lang !== OWN_LANGUAGE) {
          const supported = languagesOf(answer);
          if (supported !== undefined) languages.set('languages', supported);
          if (supported?.has(lang) !== true) answer = await send(OWN_LANGUAGE);
        }
        return placesOf(answer, { locale, refuse });
      });
    },
  };
}

/**
 * The languages of the index. Photon names them when it refuses another one, and nowhere else
 * (github.com/rinigus/pure-maps/issues/746, github.com/komoot/photon/issues/360).
 */
function languagesOf({ text }: Answer): ReadonlySet<string> | undefined {
  const list = /supported (?:languages )?are:\s*([a-z_-]+(?:,\s*[a-z_-]+)*)/i.exec(text)?.[1];
  return list === undefined ? undefined : new Set(list.split(/,\s*/));
}

interface Reading {
  readonly locale: AddressSearch['locale'];
  readonly refuse: (bad: BadAnswer) => void;
}

/** Throws if the answer is not usable. A geocoder that refuses a text works: it finds nothing. */
function placesOf(answer: Answer, { locale, refuse }: Reading): readonly AddressSuggestion[] {
  const bad = new BadAnswer(answer.status);
  if (answer.status === 400) {
    refuse(bad);
    return [];
  }
  const places = answer.status === 200 ? readPhoton(answer.text, locale) : undefined;
  if (places === undefined) throw bad;
  return places;
}
