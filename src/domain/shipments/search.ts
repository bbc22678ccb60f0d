import type { CompanyScope } from '../../access/require.ts';
import type { Shipment } from '../../contract/shipment.ts';
import { type ShipmentFilter, shipmentFilter } from '../../contract/shipment-filter.ts';
import { instantFromMillis } from '../../core/instant.ts';
import { SCATTERED_MAX, SEARCHED_MAX } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { latinDigits } from '../../core/text.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import { readMobile } from '../../core/typed/phone.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import {
  type SearchTerms,
  type ShipmentWalk,
  type TextRange,
  WORDS_MAX,
  walkedPage,
  walkSize,
} from './search-store.ts';
import { presentShipment } from './view.ts';

/*
 * Lists of shipments with any filter. No index has phones, names, branches, cities or payment methods: an index costs each
 * creation, and they are searched rarely. Instead a list reads a limited number of rows, and is refused beforehand if it
 * would read more, so that the answer depends on the data and not on the speed of the database.
 */

const EARLIEST = instantFromMillis(0);
/** The last instant of JavaScript's dates (ECMA-262 section 21.4.1.1). */
const LATEST = instantFromMillis(8.64e15);

/** Shipments of the company that all filters allow, newest first. */
export async function searchShipments(
  dependencies: PageDependencies,
  scope: CompanyScope,
  { limit, cursor, ...filter }: PageRequest & ShipmentFilter,
): Promise<Result<Page<Shipment>>> {
  const binding = bindingOf(scope, filter);
  const [, , begunBy] = (cursor === undefined ? undefined : await dependencies.cursors.open(binding, cursor)) ?? [];
  const found = await chooseWalk(dependencies, scope, filter, begunBy);
  if (!found.ok) return found;
  return readPage(
    dependencies,
    { limit, cursor },
    {
      binding,
      select: (after, rows) => walkedPage(scope, found.value, positionOf(after), rows),
      positionOf: (row) => [String(row.createdAt), row.id, found.value.by],
      present: presentShipment,
    },
  );
}

/** A cursor is bound to every filter of the contract. */
function bindingOf(scope: CompanyScope, filter: ShipmentFilter): (string | undefined)[] {
  const values = FILTERS.map((name) => filter[name]);
  const texts = values.map((value) => (value === undefined || typeof value === 'string' ? value : textOf(value)));
  return ['shipments', scope.companyId, ...texts, 'createdAt desc'];
}
const FILTERS = Object.keys(shipmentFilter) as (keyof ShipmentFilter)[];

function textOf(value: NonNullable<ShipmentFilter[keyof ShipmentFilter]>): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/**
 * The index that answers the filters with the fewest rows, or the refusal if each would need too many. `begunBy`: the index
 * of the pages before.
 */
async function chooseWalk(
  { database }: PageDependencies,
  scope: CompanyScope,
  filter: ShipmentFilter,
  begunBy: string | undefined,
): Promise<Result<ShipmentWalk>> {
  const { state: states = [], createdFrom = EARLIEST, createdTo = LATEST, externalReference, q } = filter;
  if (createdTo <= createdFrom) return wrong('createdTo', 'OUT_OF_RANGE', 'later than createdFrom');
  const terms = q === undefined ? undefined : termsOf(q);
  if (terms?.namePatterns != null && terms.namePatterns.length > WORDS_MAX)
    return wrong('q', 'TOO_MANY_ITEMS', String(WORDS_MAX));
  const { branchCode, cityCode, paymentMethod, address, kind, metadata } = filter;
  const others = { branchCode, cityCode, paymentMethod, address: address && (true as const), kind, terms };
  const rows = { ...others, metadata: metadata && (true as const) };
  const walk = { createdFrom, createdTo, states, rows, references: [], shipmentNumbers: null, metadata };
  if (externalReference !== undefined)
    return ok({ ...walk, by: 'references', references: [[externalReference, externalReference]] });
  const hasStates = states.length > 0;
  if (Object.values(rows).every((value) => value === undefined))
    return ok({ ...walk, by: hasStates ? 'states' : 'time' });
  const byEntry: ShipmentWalk = { ...walk, by: 'metadata', rows: others };
  const isEntryAlone =
    metadata !== undefined && !hasStates && Object.values(others).every((value) => value === undefined);
  if (isEntryAlone) return ok(byEntry);
  const choices = [...(metadata === undefined ? [] : [byEntry]), ...choicesOf(walk, terms)];
  for (const [index, choice] of choices.entries()) {
    const rowsMax = choice.by === 'time' ? SEARCHED_MAX : SCATTERED_MAX;
    const size = await database.read(walkSize(scope, choice, rowsMax + 1));
    if (!size.ok) return unavailable();
    if ((size.rows[0]?.count ?? 0) > rowsMax) continue;
    // Digits are sought within references only if none begins with them: that reads far more rows.
    const isProbed = choice.by === 'references' && terms?.referencePart != null && index < choices.length - 1;
    if (!isProbed || begunBy === 'references') return ok(choice);
    if (begunBy !== undefined) continue;
    const any = await database.read(walkedPage(scope, choice, undefined, 1));
    if (!any.ok) return unavailable();
    if (any.rows.length > 0) return ok(choice);
  }
  const limit = `at most ${SEARCHED_MAX} shipments between createdFrom and createdTo`;
  return wrong('createdFrom', filter.createdFrom === undefined ? 'REQUIRED' : 'OUT_OF_RANGE', limit);
}

function choicesOf(walk: Omit<ShipmentWalk, 'by'>, terms: SearchTerms | undefined): ShipmentWalk[] {
  const choices: ShipmentWalk[] = [{ ...walk, by: 'time' }];
  if (walk.states.length > 0) choices.unshift({ ...walk, by: 'states' });
  if (terms === undefined || terms.phoneTail !== null || terms.namePatterns !== null) return choices;
  const { references, shipmentNumbers, referencePart } = terms;
  const beginnings: ShipmentWalk = { ...walk, by: 'references', references, shipmentNumbers };
  // With too many shipments for a walk by time, only the beginnings of references are searched.
  return [beginnings, ...choices, ...(referencePart === null ? [] : [beginnings])];
}

function wrong(field: string, code: 'REQUIRED' | 'OUT_OF_RANGE' | 'TOO_MANY_ITEMS', limit: string): Result<never> {
  return refuse('INVALID_QUERY_PARAMETER', { violations: [{ field, code, limit }] });
}

/** The beginning of the number of a shipment. */
const SHIPMENT_NUMBER = /^SHP-[0-9A-Z]{1,11}$/i;
/** Usually a reference. As a mobile number without its zero, it would make the search read many rows. */
const NINE_DIGITS = /^[0-9]{9}$/;
const FOUR_DIGITS = /^[0-9]{4}$/;
/** Fewer digits are in most references, and four are usually the end of a phone. */
const DIGITS_OF_REFERENCE = /^(?:[0-9]{3}|[0-9]{5,})$/;

/**
 * What a text may be, by its form: the beginning of a reference always, and that of the number of a shipment; digits are
 * also a part of a reference behind a letter or a separator (`SO-20431`), if none begins with them; four digits are also the
 * end of a reference or of a phone; a text without digits is also words of a name. Of a whole mobile number only the last
 * four digits are compared: a search that compared all of them would tell the digits that are masked.
 */
export function termsOf(text: string): SearchTerms {
  const latin = latinDigits(text);
  const folded = foldedOf(text);
  const isNumber = SHIPMENT_NUMBER.test(latin);
  const lastFour = FOUR_DIGITS.test(latin) ? latin : null;
  const isName = folded !== '' && !/[0-9]/.test(folded) && !isNumber;
  return {
    references: spellingsOf(text, latin).map(startingWith),
    shipmentNumbers: isNumber ? startingWith(latin.toUpperCase()) : null,
    referenceTail: lastFour,
    referencePart: DIGITS_OF_REFERENCE.test(latin) ? `*[^0-9]${latin}*` : null,
    phoneTail: (NINE_DIGITS.test(latin) ? undefined : readMobile(text))?.slice(-4) ?? lastFour,
    namePatterns: isName ? folded.split(' ').map(patternOf) : null,
  };
}

/** References are compared by their bytes, and people type them in any case: as typed, in either case, or with a capital. */
export function spellingsOf(text: string, latin = latinDigits(text)): readonly string[] {
  const small = latin.toLowerCase();
  const [first = ''] = small;
  return [...new Set([text, latin.toUpperCase(), small, first.toUpperCase() + small.slice(first.length)])];
}

/** No text that begins so comes after the last: it ends in the highest code point. */
function startingWith(text: string): TextRange {
  return [text, `${text}\u{10ffff}`];
}

/** A GLOB pattern for folded names with a word that begins with this one. A hyphen separates words like a space. */
function patternOf(word: string): string {
  // In brackets, GLOB takes its special characters literally.
  const [first = '', ...others] = word.replaceAll(/[*?[]/g, '[$&]');
  return `*[ -]${first}${others.join('').replaceAll('-', '[ -]')}*`;
}
