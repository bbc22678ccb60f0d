import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isProblemCode } from '../../src/core/catalogue.ts';
import { prometheusMetrics } from '../../src/platform/deno/prometheus.ts';
import { METRICS, type Metric } from '../../src/ports/metrics.ts';
import { type ExpositionFamily, parseExposition } from '../support/exposition.ts';

/* Alarms on renamed metrics never fire. The names in docs/operations.md must be those in the code. */

const PAGE = readFileSync(join(resolve(import.meta.dirname, '../..'), 'docs/operations.md'), 'utf8');
const table = new Map<string, Metric>(Object.entries(METRICS));
const byLength = [...table].sort(([left], [right]) => right.length - left.length);
const families = parseExposition(prometheusMetrics().text());

test('the table in docs/operations.md has exactly the exported metrics with their labels', () => {
  const rows = [...PAGE.matchAll(/^\| (?:`(\w+)`)? ?\| `(\w+)` \| ([\w, ]*?) ?\|/gm)];
  const told = rows.map(([, index, family, labels]) => ({ index, family: `mirsal_${family ?? ''}`, labels }));
  expect(told.map(({ family }) => family).sort()).toEqual([...families.keys()].sort());
  let name = '';
  for (const { index, family, labels } of told) {
    name = index ?? name;
    expect(family).toMatch(new RegExp(`^mirsal_${name}_`));
    expect([name, labels]).toEqual([name, table.get(name)?.labels.join(', ')]);
  }
});

describe('an alarm in docs/operations.md', () => {
  const queries = [...PAGE.matchAll(/```promql\n([^`]+)\n```/g)].map(([, query = '']) => query);
  const statements = [...PAGE.matchAll(/```sql\n(SELECT [^`]+)\n```/g)].map(([, statement = '']) => statement);

  test('has a PromQL and a SQL query, except for a service that is down', () => {
    expect(queries.length).toBeGreaterThan(10);
    // A service that is down sends no measurements.
    expect(statements).toHaveLength(queries.length - 1);
  });

  test.each(queries.map((query) => [query]))('uses only existing metrics and labels in PromQL: %s', (query) => {
    const asked = [...query.matchAll(/\b(mirsal_\w+)(?:\{([^}]*)\})?/g)];
    const labelsAsked = asked.flatMap(([, name = '', pairs = '']) => {
      const known = labelsOf(name);
      for (const [, label = '', value = ''] of pairs.matchAll(/(\w+)[=!]~?"([^"]*)"/g)) {
        expect(known, `${name} has no label ${label}`).toContain(label);
        if (label === 'code') expect(isProblemCode(value), value).toBe(true);
      }
      return known;
    });
    for (const [, by = ''] of query.matchAll(/by \(([^)]*)\)/g))
      for (const label of by.split(', ')) expect(['le', ...labelsAsked]).toContain(label);
    expect(asked.length > 0 || query.startsWith('up')).toBe(true);
  });

  test.each(statements.map((statement) => [statement]))(
    'uses only existing metrics and columns in SQL: %s',
    (statement) => {
      const metrics = [...statement.matchAll(/index1 = '(\w+)'/g)].map(([, name = '']) => table.get(name));
      expect(metrics).not.toContain(undefined);
      expect(metrics).not.toEqual([]);
      const blobs = 1 + Math.max(...metrics.map((metric) => metric?.labels.length ?? 0));
      const doubles = Math.max(
        ...metrics.map((metric) => (metric?.kind === 'counter' ? 1 : (metric?.values.length ?? 0))),
      );
      expect(highest(statement, 'blob')).toBeLessThanOrEqual(blobs);
      expect(highest(statement, 'double')).toBeLessThanOrEqual(doubles);
      for (const [, code = ''] of statement.matchAll(/blob2 = '([A-Z_]{5,})'/g)) {
        if (code !== 'SUCCEEDED') expect(code === 'GET' || isProblemCode(code), code).toBe(true);
      }
      expect(statement).toMatch(/timestamp > NOW\(\) - INTERVAL '\d+' (?:MINUTE|HOUR|DAY) AND blob1 = 'production'/);
    },
  );
});

/** Labels of a metric, or of a part of a histogram. */
function labelsOf(name: string): readonly string[] {
  const isPartOf = (family: string, { type }: ExpositionFamily) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].some((part) => name === family + part) : name === family;
  const [family] = [...families].find((entry) => isPartOf(...entry)) ?? [];
  // Longest name first, so that `commit_units` is found before `commit`.
  const [, metric] = byLength.find(([key]) => family?.startsWith(`mirsal_${key}_`) === true) ?? [];
  expect(metric, `there is no ${name}`).toBeDefined();
  return metric?.labels ?? [];
}

function highest(statement: string, column: 'blob' | 'double'): number {
  return Math.max(
    0,
    ...[...statement.matchAll(new RegExp(`${column}(\\d+)`, 'g'))].map(([, number]) => Number(number)),
  );
}
