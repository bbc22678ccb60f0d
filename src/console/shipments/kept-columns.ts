import { sha256, toHex } from '../../core/crypto.ts';
import { keptHere } from '../../ui/kept-here.ts';
import { plainHeader } from './export-headers.ts';
import { type Matching, UPLOAD_FIELDS, type UploadField } from './upload-fields.ts';

/*
 * The columns that a person has matched by hand, for the next file with the same headers. Only a hash of the headers is kept: the
 * first row of a file without headers is somebody's order.
 */

const NAME = 'mirsal-columns';
const KEPT_MAX = 20;

/** The fields of the sorted headers by their hash, the newest first. */
type Kept = Readonly<Record<string, readonly string[]>>;

/** The matching that a person made for these headers, in any order of the columns. Undefined if nobody matched them. */
export async function keptMatching(header: readonly string[]): Promise<Matching | undefined> {
  const { hash, columns } = await setOf(header);
  const fields = read()[hash];
  if (fields?.length !== header.length) return undefined;
  const matching: (UploadField | '')[] = header.map(() => '');
  for (const [place, column] of columns.entries())
    matching[column] = UPLOAD_FIELDS.find((field) => field === fields[place]) ?? '';
  return matching;
}

/** Keeps what a person has matched. The oldest go when there are many. */
export async function keepMatching(header: readonly string[], matching: Matching): Promise<void> {
  const { hash, columns } = await setOf(header);
  const fields = columns.map((column) => matching[column] ?? '');
  const others = Object.entries(read()).filter(([other]) => other !== hash);
  const newest = [[hash, fields] as const, ...others].slice(0, KEPT_MAX);
  keptHere.setItem(NAME, JSON.stringify(Object.fromEntries(newest)));
}

/** The headers without their order: a hash of them, and the column of each. */
async function setOf(header: readonly string[]): Promise<{ hash: string; columns: number[] }> {
  const sorted = header
    .map((name, column) => ({ name: plainHeader(name), column }))
    .toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : one.column - other.column));
  const hash = toHex(await sha256(sorted.map(({ name }) => name).join('\n')));
  return { hash, columns: sorted.map(({ column }) => column) };
}

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(keptHere.getItem(NAME) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : {};
  } catch {
    return {};
  }
}
