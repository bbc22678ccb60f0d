import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { monitoringFiles } from '../../../scripts/build/monitoring.ts';
import { prometheusMetrics } from '../../../src/platform/deno/prometheus.ts';
import { parseExposition } from '../../support/exposition.ts';
import { hasProgram } from '../../support/has-program.ts';

/* The files of deploy/ for Prometheus and Grafana. test/unit/operations.test.ts checks the names in the alerts. */

const DEPLOY = resolve(import.meta.dirname, '..', '..', '..', 'deploy');
const RULES = join(DEPLOY, 'prometheus-rules.yaml');
const rule = z.object({ alert: z.string(), expr: z.string(), annotations: z.object({ runbook: z.string() }) });
const rules = z
  .object({ groups: z.tuple([z.object({ rules: z.array(rule) })]) })
  .parse(parse(readFileSync(RULES, 'utf8'))).groups[0].rules;
const { panels } = z
  .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })) })
  .parse(JSON.parse(readFileSync(join(DEPLOY, 'grafana-dashboard.json'), 'utf8')));
const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

test.each([...monitoringFiles()])('deploy/%s is what `npm run monitoring` writes', (file, text) => {
  expect(readFileSync(join(DEPLOY, file), 'utf8')).toBe(text);
});

test('each expression of docs/operations.md is a rule, whose runbook is a heading there', () => {
  const page = readFileSync(resolve(DEPLOY, '..', 'docs', 'operations.md'), 'utf8');
  const expressions = [...page.matchAll(/```promql\n(.+)\n```/g)].map(([, expression]) => expression);
  expect(rules.map(({ expr }) => expr)).toEqual(expressions);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(expressions.length);
  const anchors = [...page.matchAll(/^### (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(/[(),]/g, '').replaceAll(' ', '-'),
  );
  for (const { annotations } of rules) expect(anchors).toContain(annotations.runbook.split('#')[1]);
});

test('each metric has a panel', () => {
  for (const family of parseExposition(prometheusMetrics().text()).keys()) {
    expect(asked.filter((expr) => new RegExp(`\\b${family}(?:_bucket|_count)?\\b`).test(expr))).not.toEqual([]);
  }
});

test('each expression is PromQL', () => {
  expect(faultsIn('sum by (le) (rate(a[5m])')).toEqual([24]);
  // Grafana replaces its variable before Prometheus reads the expression.
  const expressions = [...rules.map(({ expr }) => expr), ...asked].map((expr) =>
    expr.replaceAll('$__rate_interval', '1m'),
  );
  expect(expressions.filter((expr) => faultsIn(expr).length > 0)).toEqual([]);
});

describe.skipIf(!hasProgram('promtool'))('promtool', () => {
  test('accepts the rules, and pages for routing but not for documents', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mirsal-rules-'));
    const calls = (provider: string) => ({
      series: `mirsal_provider_call_duration_seconds_count{provider="${provider}",outcome="failed"}`,
      values: '0+10x10',
    });
    const alerts = [
      { provider: 'documents', severity: 'ticket' },
      { provider: 'routing', severity: 'page' },
    ].map((labels) => ({ exp_labels: labels, exp_annotations: annotationsOf('MirsalAProviderIsDown') }));
    const cases = {
      rule_files: [RULES],
      tests: [
        {
          interval: '1m',
          input_series: [calls('documents'), calls('routing')],
          alert_rule_test: [{ eval_time: '6m', alertname: 'MirsalAProviderIsDown', exp_alerts: alerts }],
        },
      ],
    };
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
    try {
      expect(promtool('check', 'rules', RULES)).toContain(`${rules.length} rules found`);
      expect(promtool('test', 'rules', join(folder, 'cases.json'))).toContain('SUCCESS');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Where the text is not PromQL. */
function faultsIn(expression: string): number[] {
  const faults: number[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, from }) => {
      if (type.isError) faults.push(from);
    },
  });
  return faults;
}

function annotationsOf(name: string): unknown {
  return z
    .array(z.looseObject({ alert: z.string(), annotations: z.unknown() }))
    .parse(parse(readFileSync(RULES, 'utf8')).groups[0].rules)
    .find(({ alert }) => alert === name)?.annotations;
}

function promtool(...args: string[]): string {
  return execFileSync('promtool', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
