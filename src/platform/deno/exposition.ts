/*
 * Prometheus' text format, version 0.0.4. A family has a HELP line, a TYPE line and one line for each sample. Buckets of
 * a histogram are cumulative, and the last bucket equals the count.
 */

interface About {
  /** With its unit; a counter ends in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

export type Family = About &
  (
    | { readonly kind: 'counter' | 'gauge'; readonly samples: readonly PlainSample[] }
    | { readonly kind: 'histogram'; readonly bounds: readonly number[]; readonly samples: readonly HistogramSample[] }
  );

interface PlainSample {
  /** Values of the family's labels, in their order. */
  readonly labels: readonly string[];
  readonly value: number;
}

interface HistogramSample {
  readonly labels: readonly string[];
  readonly sum: number;
  /** The number of values between each bound and the one before, then the number above all bounds. */
  readonly counts: readonly number[];
}

export function expositionOf(families: readonly Family[]): string {
  return families.map(textOf).join('');
}

function textOf(family: Family): string {
  const { name, kind, help } = family;
  const head = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${kind}\n`;
  const lines =
    family.kind === 'histogram'
      ? family.samples.map((sample) => histogramLines(family, sample, family.bounds))
      : family.samples.map(({ labels, value }) => line(name, pairsOf(family, labels), value));
  return head + lines.join('');
}

function histogramLines(family: About, { labels, sum, counts }: HistogramSample, bounds: readonly number[]): string {
  const { name } = family;
  const pairs = pairsOf(family, labels);
  let count = 0;
  const buckets = [...bounds.map(String), '+Inf'].map((bound, index) => {
    count += counts[index] ?? 0;
    return line(`${name}_bucket`, [...pairs, `le="${bound}"`], count);
  });
  return buckets.join('') + line(`${name}_sum`, pairs, sum) + line(`${name}_count`, pairs, count);
}

function pairsOf({ labels: names }: About, values: readonly string[]): string[] {
  return names.map((name, index) => `${name}="${escaped(values[index] ?? '')}"`);
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function line(name: string, pairs: readonly string[], value: number): string {
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}
