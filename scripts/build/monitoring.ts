import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { METRICS, type Metric } from '../../src/ports/metrics.ts';
import { isCommand } from '../shared/command.ts';

/* `npm run monitoring`: writes the rules of Prometheus and the dashboard of Grafana into deploy/. */

const ROOT = join(import.meta.dirname, '..', '..');

/** The files of deploy/ that this program writes, with their text. */
export function monitoringFiles(): ReadonlyMap<string, string> {
  const page = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
  return new Map([
    [
      'prometheus-rules.yaml',
      `# Written by \`npm run monitoring\` from docs/operations.md.\n${stringify(rulesOf(page), YAML)}`,
    ],
    ['grafana-dashboard.json', `${JSON.stringify(dashboardOf(Object.entries(METRICS)), undefined, 2)}\n`],
  ]);
}

const YAML = { lineWidth: 0 };
/** A heading with the severity, the cause and the action, and the expression of an alert. */
const ALERT = /^### (.+) \((page|ticket)([^)]*)\)\n\n([^`]*(?:`[^`\n]+`[^`]*)*?)\n\n```promql\n(.+)\n```/gm;
/** An expression without a window would fire at one bad scrape. */
const INSTANT_FOR = '2m';

function rulesOf(page: string) {
  const rules = [...page.matchAll(ALERT)].map(([, title = '', severity = '', except = '', text = '', expr = '']) => ({
    alert: `Mirsal${title.replaceAll(/(?:^|\W+)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    expr,
    ...(/\[\d+[mh]\]/.test(expr) ? {} : { for: INSTANT_FOR }),
    labels: { severity: severityOf(severity, except) },
    annotations: {
      summary: title,
      description: text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/\s+/g, ' '),
      runbook: `docs/operations.md#${anchorOf(`${title} (${severity}${except})`)}`,
    },
  }));
  return { groups: [{ name: 'mirsal', rules }] };
}

/** `page`, or for `page for routing and sms, else ticket` a template that looks at the provider. */
function severityOf(severity: string, except: string): string {
  const [, names, other] = /^ for (.+), else (\w+)$/.exec(except) ?? [];
  if (names === undefined) return severity;
  const tests = names.split(' and ').map((name) => `(eq $labels.provider "${name}")`);
  return `{{ if or ${tests.join(' ')} }}${severity}{{ else }}${other}{{ end }}`;
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

function dashboardOf(metrics: readonly (readonly [name: string, metric: Metric])[]) {
  const datasource = { type: 'prometheus', uid: '${datasource}' };
  return {
    title: 'Mirsal',
    uid: 'mirsal',
    tags: ['mirsal'],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: metrics.flatMap(panelsOf).map(({ title, unit, targets }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title,
      datasource,
      gridPos: { h: 8, w: 12, x: (index % 2) * 12, y: Math.floor(index / 2) * 8 },
      fieldConfig: { defaults: { unit }, overrides: [] },
      targets: targets.map((target, order) => ({ refId: 'AB'.charAt(order), datasource, ...target })),
    })),
  };
}

/** A counter is one panel. So is each value of a gauge or a measure, and a measure by outcome or status one more. */
function panelsOf([key, metric]: readonly [string, Metric]): Panel[] {
  const name = `mirsal_${key}`;
  const { labels } = metric;
  if (metric.kind === 'counter') return [ratePanel(metric.help, `${name}_total`, labels)];
  if (metric.kind === 'gauge') {
    return metric.values.map(({ name: value, help }) => ({
      title: help,
      unit: unitOf(value),
      targets: [{ expr: `max${by(labels)}(${name}_${value})`, legendFormat: legendOf(labels) }],
    }));
  }
  const kinds = labels.filter((label) => label === 'outcome' || label === 'status');
  const [first] = metric.values;
  const parts = labels.filter((label) => !['outcome', 'status', 'method'].includes(label));
  const rates = kinds.map((kind) => ratePanel(`${first?.help} By ${kind}.`, `${name}_${first?.name}_count`, [kind]));
  return [...metric.values.map(({ name: value, help }) => quantilePanel(help, `${name}_${value}`, parts)), ...rates];
}

function ratePanel(title: string, series: string, labels: readonly string[]): Panel {
  const expr = `sum${by(labels)}(rate(${series}[$__rate_interval]))`;
  return { title, unit: 'cps', targets: [{ expr, legendFormat: legendOf(labels) }] };
}

function quantilePanel(title: string, series: string, labels: readonly string[]): Panel {
  const targets = [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum${by(['le', ...labels])}(rate(${series}_bucket[$__rate_interval])))`,
    legendFormat: `${quantile * 100} % ${legendOf(labels)}`.trim(),
  }));
  return { title, unit: unitOf(series), targets };
}

function by(labels: readonly string[]): string {
  return labels.length === 0 ? '' : ` by (${labels.join(', ')}) `;
}

function legendOf(labels: readonly string[]): string {
  return labels.map((label) => `{{${label}}}`).join(' ');
}

function unitOf(name: string): string {
  return name.endsWith('seconds') ? 's' : 'short';
}

if (isCommand(import.meta.filename)) {
  for (const [file, text] of monitoringFiles()) writeFileSync(join(ROOT, 'deploy', file), text);
}
