import { METRICS, type Metric, type MetricName, type Metrics } from '../../ports/metrics.ts';
import { expositionOf, type Family } from './exposition.ts';

/** Metrics of this process, which Prometheus scrapes. */
export interface PrometheusMetrics extends Metrics {
  /** All of them, in the exposition format. */
  readonly text: () => string;
}

/** Series of one metric. Labels come from short lists. This limit protects the memory if a label ever does not. */
const SERIES_MAX = 2000;
const OVERFLOW = 'other';

interface Series {
  readonly labels: readonly string[];
  /** The count, the last set values, or the sums of a measure. */
  readonly values: number[];
  /** For each value of a measure: the number in each bucket and above the last. */
  readonly counts: readonly number[][];
}

interface Kept {
  readonly metric: Metric;
  readonly series: Map<string, Series>;
}

/** Counts in memory from the start of the process. A measurement costs two map lookups and some additions. */
export function prometheusMetrics(): PrometheusMetrics {
  const table = new Map(Object.entries<Metric>(METRICS).map(([name, metric]) => [name, keep(metric)]));
  const find = (name: MetricName, labels: readonly string[]): Series => {
    const kept = table.get(name);
    if (kept === undefined) throw new Error(`There is no metric ${name}`);
    return seriesOf(kept, labels);
  };
  return {
    count(name, labels, by = 1) {
      const { values } = find(name, labels);
      values[0] = (values[0] ?? 0) + by;
    },
    measure(name, values: readonly number[], labels) {
      const series = find(name, labels);
      for (const [index, value] of values.entries()) {
        series.values[index] = (series.values[index] ?? 0) + value;
        fall(series.counts[index], METRICS[name].values[index]?.buckets, value);
      }
    },
    set(name, values: readonly number[], labels) {
      const series = find(name, labels);
      for (const [index, value] of values.entries()) series.values[index] = value;
    },
    text: () => expositionOf([...table].flatMap(([name, kept]) => familiesOf(`mirsal_${name}`, kept))),
  };
}

function keep(metric: Metric): Kept {
  const kept: Kept = { metric, series: new Map() };
  if (metric.kind !== 'counter') return kept;
  for (const labels of metric.zeros ?? (metric.labels.length === 0 ? [[]] : [])) seriesOf(kept, labels);
  return kept;
}

function seriesOf(kept: Kept, labels: readonly string[]): Series {
  const { metric, series } = kept;
  const key = labels.length === 1 ? (labels[0] ?? '') : labels.join('\u0000');
  const known = series.get(key);
  if (known !== undefined) return known;
  if (series.size >= SERIES_MAX && labels.some((label) => label !== OVERFLOW)) {
    return seriesOf(
      kept,
      labels.map(() => OVERFLOW),
    );
  }
  const values = metric.kind === 'counter' ? [0] : metric.values.map(() => 0);
  const counts = metric.kind === 'measure' ? metric.values.map(({ buckets }) => [...buckets.map(() => 0), 0]) : [];
  const made = { labels: [...labels], values, counts };
  series.set(key, made);
  return made;
}

function fall(counts: number[] | undefined, bounds: readonly number[] | undefined, value: number): void {
  if (counts === undefined || bounds === undefined) return;
  let bucket = 0;
  while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

/** A counter is one family. Each value of a measure or a gauge is one family. */
function familiesOf(name: string, { metric, series }: Kept): Family[] {
  const all = [...series.values()];
  const { labels } = metric;
  if (metric.kind === 'counter') {
    const samples = all.map((one) => ({ labels: one.labels, value: one.values[0] ?? 0 }));
    return [{ kind: 'counter', name: `${name}_total`, help: metric.help, labels, samples }];
  }
  if (metric.kind === 'gauge') {
    return metric.values.map(({ name: value, help }, index) => {
      const samples = all.map((one) => ({ labels: one.labels, value: one.values[index] ?? 0 }));
      return { kind: 'gauge', name: `${name}_${value}`, help, labels, samples };
    });
  }
  return metric.values.map(({ name: value, help, buckets }, index) => {
    const samples = all.map((one) => ({
      labels: one.labels,
      sum: one.values[index] ?? 0,
      counts: one.counts[index] ?? [],
    }));
    return { kind: 'histogram', name: `${name}_${value}`, help, labels, bounds: buckets, samples };
  });
}
