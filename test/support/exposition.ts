/*
 * A strict parser of Prometheus' text format 0.0.4. Stricter than its specification: every family needs HELP and TYPE
 * before its samples, its samples must be together, and nothing may be repeated.
 */

export interface ExpositionFamily {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = String.raw`([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"`;
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`);
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?)|[+-]Inf|NaN)$/i;

export function parseExposition(text: string): ReadonlyMap<string, ExpositionFamily> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end');
  const families = new Map<string, ExpositionFamily & { samples: Sample[] }>();
  const lines = text.slice(0, -1).split('\n');
  let at = 0;
  while (at < lines.length) {
    const [, name = '', help] = expectLine(lines[at], new RegExp(`^# HELP (${NAME}) (\\S.*)$`));
    const [, typed, type] = expectLine(lines[at + 1], new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`));
    if (typed !== name) throw new Error(`The TYPE after the HELP of ${name} is of ${typed}`);
    if (families.has(name)) throw new Error(`${name} stands there twice`);
    const family = { type: type as ExpositionFamily['type'], help: unescape(help ?? ''), samples: [] as Sample[] };
    families.set(name, family);
    at += 2;
    for (; at < lines.length && !lines[at]?.startsWith('#'); at += 1) family.samples.push(parseSample(lines[at] ?? ''));
    checkFamily(name, family);
  }
  return families;
}

/** The value of a counter, a gauge or a part of a histogram, by its full name; undefined if there is no such sample. */
export function sampleOf(
  families: ReadonlyMap<string, ExpositionFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = keyOf(name, labels);
  for (const { samples } of families.values()) {
    const found = samples.find((sample) => keyOf(sample.name, sample.labels) === wanted);
    if (found !== undefined) return found.value;
  }
  return undefined;
}

function expectLine(line: string | undefined, pattern: RegExp): RegExpExecArray {
  const match = pattern.exec(line ?? '');
  if (match === null) throw new Error(`${JSON.stringify(line)} is not as ${pattern.source}`);
  return match;
}

function parseSample(line: string): Sample {
  const match = expectLine(line, SAMPLE);
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of (match[2] ?? '').matchAll(new RegExp(LABEL, 'g'))) {
    if (name in labels) throw new Error(`The label ${name} stands twice in ${line}`);
    labels[name] = unescape(value);
  }
  const number = match.at(-1) ?? '';
  if (!NUMBER.test(number)) throw new Error(`${number} is no number`);
  return { name: match[1] ?? '', labels, value: Number(number.replace('Inf', 'Infinity')) };
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, (_all, character: string) => (character === 'n' ? '\n' : character));
}

function keyOf(name: string, labels: Readonly<Record<string, string>>): string {
  return JSON.stringify([name, Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1))]);
}

function checkFamily(name: string, { type, samples }: ExpositionFamily): void {
  const keys = samples.map((sample) => keyOf(sample.name, sample.labels));
  if (new Set(keys).size !== keys.length) throw new Error(`A sample of ${name} stands there twice`);
  if (type === 'histogram') {
    checkHistogram(name, samples);
    return;
  }
  if (samples.some((sample) => sample.name !== name)) throw new Error(`A sample among those of ${name} is another’s`);
  if (type !== 'counter') return;
  if (!name.endsWith('_total')) throw new Error(`${name} is a counter without _total`);
  if (samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below nothing`);
}

/** For each label set: buckets with rising bounds and counts up to +Inf, then sum and count, which equals +Inf. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  let bound = Number.NEGATIVE_INFINITY;
  let count = 0;
  let open: string | undefined;
  for (const sample of samples) {
    const { le, ...labels } = sample.labels;
    const key = keyOf('', labels);
    if (open !== undefined && key !== open) throw new Error(`Series of ${name} are mixed`);
    if (sample.name === `${name}_bucket` && le !== undefined) {
      const next = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
      if (!(next > bound) || sample.value < count) throw new Error(`A bucket of ${name} does not rise: ${le}`);
      [bound, count, open] = [next, sample.value, key];
    } else if (sample.name === `${name}_sum` && le === undefined) {
      if (bound !== Number.POSITIVE_INFINITY) throw new Error(`${name} ends without +Inf`);
    } else if (sample.name === `${name}_count` && le === undefined) {
      if (sample.value !== count || bound !== Number.POSITIVE_INFINITY)
        throw new Error(`The count of ${name} is wrong`);
      [bound, count, open] = [Number.NEGATIVE_INFINITY, 0, undefined];
    } else throw new Error(`${sample.name} is no part of ${name}`);
  }
  if (open !== undefined) throw new Error(`A series of ${name} is not whole`);
}
