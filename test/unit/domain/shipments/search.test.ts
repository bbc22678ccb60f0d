import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { Sealer } from '../../../../src/access/sealer.ts';
import { SEARCHED_MAX } from '../../../../src/core/limits.ts';
import { foldedOf } from '../../../../src/core/typed/folded.ts';
import { listShipments } from '../../../../src/domain/shipments/read.ts';
import { termsOf } from '../../../../src/domain/shipments/search.ts';
import { systemRandom } from '../../../../src/providers/system.ts';
import { NAMES } from '../../../support/cast.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addShipment } from '../../../support/dispatch/shipments.ts';

describe('a text that is sought', () => {
  it.each([
    ['order-1', [null, null, null, 0]],
    ['SHP-7ZQ4N0K2RD5', ['SHP-7ZQ4N0K2RD5', null, null, 0]],
    ['shp-7zq4n0k2rd5', ['SHP-7ZQ4N0K2RD5', null, null, 0]],
    ['SHP-ZG6', ['SHP-ZG6', null, null, 0]],
    ['shp-zgq', ['SHP-ZGQ', null, null, 0]],
    ['SHP-', [null, null, null, 1]],
    ['SHP-7ZQ4N0K2RD55', [null, null, null, 0]],
    ['4567', [null, '4567', '4567', 0]],
    ['٤٥٦٧', [null, '4567', '4567', 0]],
    ['۴۵۶۷', [null, '4567', '4567', 0]],
    ['४५६७', [null, '4567', '4567', 0]],
    ['45678', [null, null, null, 0]],
    ['0500004567', [null, null, '4567', 0]],
    ['+966 50 000-4567', [null, null, '4567', 0]],
    ['٠٠٩٦٦٥٠٠٠٠٤٥٦٧', [null, null, '4567', 0]],
    ['(050) 000\u20114567', [null, null, '4567', 0]],
    ['+966 (0) 50 000 4567', [null, null, '4567', 0]],
    ['05000045678', [null, null, null, 0]],
    ['500004567', [null, null, null, 0]],
    ['Sara', [null, null, null, 1]],
    ['نورة  العتيبي', [null, null, null, 2]],
    ['🚚 🚚', [null, null, null, 2]],
    ['Villa 5', [null, null, null, 0]],
  ])('%s may be a number, the end of a reference or phone, or words: %j', (text, expected) => {
    const { shipmentNumbers, referenceTail, phoneTail, namePatterns } = termsOf(text);
    expect([shipmentNumbers?.[0] ?? null, referenceTail, phoneTail, namePatterns?.length ?? 0]).toEqual(expected);
  });

  it.each([
    ['oRD-1', ['oRD-1', 'ORD-1', 'ord-1', 'Ord-1']],
    ['ORD-1', ['ORD-1', 'ord-1', 'Ord-1']],
    ['ORD-١٢', ['ORD-١٢', 'ORD-12', 'ord-12', 'Ord-12']],
    ['طلب', ['طلب']],
  ])('%s may begin a reference as %j', (text, spellings) => {
    expect(termsOf(text).references.map(([first]) => first)).toEqual(spellings);
  });

  it.each([
    ['20431', '*[^0-9]20431*'],
    ['٢٠٤٣١', '*[^0-9]20431*'],
    ['431', '*[^0-9]431*'],
    ['43', null],
    ['2043', null],
    ['SO-20431', null],
    ['20431*', null],
  ])('%s may be a part of a reference as %j', (text, pattern) => {
    expect(termsOf(text).referencePart).toBe(pattern);
  });
});

/* A company at the limit, with one row each that only one kind of search finds. */

/** The first row with a name of the cast. */
const CAST = 30;
const NAMED: Readonly<Record<number, string>> = {
  5: 'Amina de la Cruz',
  6: 'أمينة الشهري',
  7: `100%_["x"] O'Neil`,
  9: '-',
  10: 'Sarah Al-Harbi',
  11: 'خالد القحطاني',
  ...Object.fromEntries(NAMES.map(({ name }, index) => [CAST + index, name])),
};
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const cases = (change: (name: string) => string) =>
  `${Object.entries(NAMED)
    .map(([i, name]) => `when ${i} then ${literal(change(name))}`)
    .join(' ')} else ${literal(change('Sara'))}`;

const STATE = `case when i <= 3 then 'CANCELLED' else 'DELIVERED' end`;

let shard: TestShard;
let process: Parameters<typeof listShipments>[0];
let first: string;
beforeAll(async () => {
  shard = await openShard();
  const made = shard.process();
  process = { ...made, cursors: new Sealer([Buffer.alloc(32, 1).toString('base64url')], systemRandom) };
  const id = await addShipment(shard, made, { externalReference: 'first' });
  const names = (await shard.rows('select name from pragma_table_info(?)', ['shipments'])).map(([name]) =>
    String(name),
  );
  const own: Readonly<Record<string, string>> = {
    id: `printf('00000000-0000-7000-8000-%012x', i)`,
    shipment_number: `printf('SHP-%011d', i)`,
    external_reference: `case i when 23000 then 'ORD-1044' when 23001 then 'Ord-1045' when 23002 then '024599-A' when 23003 then '024599-B' when 23004 then '000002-A' else printf('many-%06d', i) end`,
    created_at: 'created_at + i * 1000000',
    due_at: 'null',
    state: STATE,
    stage: STATE,
    branch_code: `case when i in (2, 3) then 'RARE' when i >= ${CAST} and i < ${CAST + NAMES.length} then 'CAST' else branch_code end`,
    payment_method: `case when i = 3 then 'COD' else 'PREPAID' end`,
    destination: `case when i = 2 then json_set(destination, '$.cityCode', 'RAR') else destination end`,
    recipient_name: `case i ${cases((name) => name)} end`,
    recipient_folded_name: `case i ${cases(foldedOf)} end`,
    recipient_phone: `case i when 8 then '+966500004567' when 9 then '0000' else '+966511111111' end`,
  };
  await shard.rows(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${SEARCHED_MAX - 1})
     insert into shipments (${names.join()}) select ${names.map((name) => own[name] ?? name).join()} from n, shipments where id = ?`,
    [id],
  );
  first = id;
}, 60_000);
afterAll(() => shard.close());

type Filter = Omit<Parameters<typeof listShipments>[2], 'limit'>;
const ask = (filter: Filter, limit = 100) => listShipments(process, shard.scope, { limit, ...filter });
async function referencesOf(filter: Filter): Promise<string[]> {
  const page = await ask(filter);
  if (!page.ok) throw new Error(`No page: ${JSON.stringify(page)}`);
  return page.value.data.map(({ externalReference }) => externalReference ?? '');
}
const many = (...numbers: readonly number[]) => numbers.map((number) => `many-${String(number).padStart(6, '0')}`);

test.each<readonly [string, Filter, readonly string[]]>([
  ['the end of a phone or a reference', { q: '4567' }, many(24567, 14567, 4567, 8)],
  ['a word of a name', { q: 'amina' }, many(5)],
  ['the beginnings of words in any order', { q: 'cr AMI' }, many(5)],
  ['an Arabic name in another spelling', { q: 'امينه' }, many(6)],
  ['Arabic words', { q: 'الشهري أمين' }, many(6)],
  ['no middle of a word', { q: 'mina' }, []],
  ['an apostrophe', { q: "O'Neil" }, many(7)],
  ['no wildcard of LIKE', { q: 'S%' }, []],
  ['no wildcard for one character', { q: 'S_ra' }, []],
  ['no wildcards of GLOB', { q: '* ?' }, []],
  ['no class of GLOB', { q: '[S]ara' }, []],
  ['no operator of a search language', { q: 'amina OR sara' }, []],
  ['quotation marks as they are', { q: '"amina"' }, []],
  ['the four digits of a forgotten phone in references only', { q: '0000' }, ['000002-A', ...many(20000, 10000)]],
  ['the part of a name after a hyphen', { q: 'Harbi' }, many(35, 10)],
  ['the beginnings of words around a hyphen', { q: 'Sarah Har' }, many(10)],
  ['a name without its hyphen', { q: 'al harbi' }, many(35, 10)],
  ['a name with the hyphen of another spelling', { q: 'de-la' }, many(5)],
  ['no word that only begins with a hyphen', { q: '-amina' }, []],
  ['no forgotten name', { q: '--' }, []],
  ['an Arabic name without its article', { q: 'قحطاني' }, many(11)],
  ['an Arabic name with its article', { q: 'القحطانى' }, many(11)],
  ['no article within a word', { q: 'قحطاني خال الد' }, []],
  ['a whole mobile number', { q: '0500004567' }, many(8)],
  ['a mobile number with its country', { q: '966500004567' }, many(8)],
  ['a mobile number in Arabic digits', { q: '٠٥٠٠٠٠٤٥٦٧' }, many(8)],
  ['a shipment number', { q: 'shp-00000000019' }, many(19)],
  ['the beginning of a shipment number', { q: 'SHP-0000000001' }, many(19, 18, 17, 16, 15, 14, 13, 12, 11, 10)],
  ['the end of a reference', { q: '1044' }, ['ORD-1044', ...many(21044, 11044, 1044)]],
  ['the digits of a reference behind a separator', { q: '024567' }, many(24567)],
  ['only beginnings of references with digits, if there are any', { q: '024599' }, ['024599-B', '024599-A']],
  ['the first digits behind a separator', { q: '02456' }, many(...Array.from({ length: 10 }, (_, i) => 24569 - i))],
  ['no digits behind other digits', { q: '24567' }, []],
  [
    'the digits of a reference in a state, which the one that begins with them is not in',
    { q: '000002', state: ['CANCELLED'] },
    many(2),
  ],
  ['a reference in capitals', { q: 'ord-104' }, ['Ord-1045', 'ORD-1044']],
  ['a reference in small letters', { q: 'MANY-00001' }, many(19, 18, 17, 16, 15, 14, 13, 12, 11, 10)],
  ['the beginning of a reference', { q: 'many-00001' }, many(19, 18, 17, 16, 15, 14, 13, 12, 11, 10)],
  ['the beginning of a reference in the states', { q: 'many-00000', state: ['CANCELLED'] }, many(3, 2, 1)],
  ['a branch', { branchCode: 'RARE' }, many(3, 2)],
  ['a branch and a method', { branchCode: 'RARE', paymentMethod: 'COD' }, many(3)],
  ['a city', { cityCode: 'RAR' }, many(2)],
  ['a branch in some states', { branchCode: 'RARE', state: ['CANCELLED', 'OFFERED'] }, many(3, 2)],
  ['a reference with a text', { externalReference: many(5)[0], q: 'amina' }, many(5)],
  ['a reference without the text', { externalReference: many(4)[0], q: 'amina' }, []],
  ['a reference of another branch', { externalReference: many(4)[0], branchCode: 'RARE' }, []],
])('finds %s', async (_name, filter, expected) => {
  expect(await referencesOf(filter)).toEqual(expected);
});

test('a name is found under each spelling that people use', async () => {
  for (const [index, { name, searched }] of NAMES.entries())
    for (const q of [name, ...searched])
      expect.soft(await referencesOf({ q, branchCode: 'CAST' }), q).toEqual(expect.arrayContaining(many(CAST + index)));
});

test('later pages of a search by digits walk the index of the first', async () => {
  const next = async (q: string, cursor?: string) => {
    const page = await ask({ q, ...(cursor === undefined ? {} : { cursor }) }, 1);
    if (!page.ok) throw new Error(`No page: ${page.code}`);
    const {
      data,
      page: { nextCursor },
    } = page.value;
    return { references: data.map(({ externalReference }) => externalReference), cursor: nextCursor ?? undefined };
  };
  const beginning = await next('024599');
  expect(await next('024599', beginning.cursor)).toEqual({ references: ['024599-A'], cursor: undefined });
  const part = await next('02455');
  expect(part.references).toEqual(many(24559));
  // From now on a reference begins with these digits.
  await shard.rows("update shipments set external_reference = '02455-new' where external_reference = 'many-000020'");
  expect((await next('02455', part.cursor)).references).toEqual(many(24558));
  expect((await next('02455')).references).toEqual(['02455-new']);
  await shard.rows("update shipments set external_reference = 'many-000020' where external_reference = '02455-new'");
});

test('several states are listed newest first over all pages, also within a time', async () => {
  const state = ['CANCELLED', 'PENDING_APPROVAL'] as const;
  expect(await referencesOf({ state: [...state] })).toEqual([...many(3, 2, 1), 'first']);
  const seen: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask({ state: [...state], ...(cursor === undefined ? {} : { cursor }) }, 1);
    if (!page.ok) throw new Error(`No page: ${page.code}`);
    seen.push(...page.value.data.map(({ externalReference }) => externalReference));
    cursor = page.value.page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual([...many(3, 2, 1), 'first']);
  const [[at]] = (await shard.rows('select created_at from shipments where external_reference = ?', many(2))) as [
    [bigint],
  ];
  const instant = BigInt(at) as NonNullable<Filter['createdFrom']>;
  expect(await referencesOf({ state: [...state], createdFrom: instant })).toEqual(many(3, 2));
  expect(await referencesOf({ createdTo: instant })).toEqual([...many(1), 'first']);
  expect(await ask({ createdFrom: instant, createdTo: instant })).toMatchObject({ code: 'INVALID_QUERY_PARAMETER' });
});

test('one shipment more than the limit needs a time or states, and a shorter beginning of a reference is refused', async () => {
  await addShipment(shard, shard.process(), { externalReference: 'one-more-1' });
  const needsTime = { code: 'INVALID_QUERY_PARAMETER', violations: [{ field: 'createdFrom', code: 'REQUIRED' }] };
  for (const filter of [{ q: '4567' }, { q: 'amina' }, { branchCode: 'RARE' }, { cityCode: 'RAR' }, { q: 'many-0' }])
    expect(await ask(filter)).toMatchObject(needsTime);
  const [[oldest]] = (await shard.rows('select created_at from shipments where id = ?', [first])) as [[bigint]];
  const createdFrom = (BigInt(oldest) + 1n) as NonNullable<Filter['createdFrom']>;
  const tooLong = { code: 'INVALID_QUERY_PARAMETER', violations: [{ field: 'createdFrom', code: 'OUT_OF_RANGE' }] };
  expect(await ask({ q: 'amina', createdFrom: BigInt(oldest) as typeof createdFrom })).toMatchObject(tooLong);
  expect(await referencesOf({ q: 'amina', createdFrom })).toEqual(many(5));
  expect(await referencesOf({ q: 'many-00001', createdFrom })).toHaveLength(10);
  expect(await referencesOf({ branchCode: 'RARE', state: ['CANCELLED'] })).toEqual(many(3, 2));
  expect(await referencesOf({ q: 'one-more-1' })).toEqual(['one-more-1']);
  // Digits behind a separator need a time then. Without one, references that begin with them are found.
  expect(await referencesOf({ q: '024567' })).toEqual([]);
  expect(await referencesOf({ q: '024567', createdFrom })).toEqual(many(24567));
});
