import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { bundleWorker } from '../../scripts/shared/bundle.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import {
  DATASET,
  DIRECT,
  healthy,
  openWorker,
  type Runtime,
  type Service,
  sourceOf,
  startService,
} from '../../scripts/shared/service.ts';
import { readWorkerConfig } from '../../scripts/shared/workerd.ts';
import { METRICS, type MetricName } from '../../src/ports/metrics.ts';
import { parseExposition } from './exposition.ts';

export const METRICS_TOKEN = 'metrics-token-of-these-tests-0123456789';

/** An environment with readable metrics, on either runtime. */
export interface Measured {
  readonly environment: OwnEnvironment;
  /** The text of the metrics. */
  readonly text: () => Promise<string>;
  /** The count of each label set, without zeros. */
  readonly tally: (name: MetricName) => Promise<Record<string, number>>;
}

export async function startMeasured(runtime: Runtime, variables: Readonly<Record<string, string>>): Promise<Measured> {
  let readPoints: (() => Promise<unknown>) | undefined;
  const start = async (all: Readonly<Record<string, string>>): Promise<Service> => {
    if (runtime === 'deno') return startService(runtime, all);
    const service = await startMeasuredWorker(all);
    readPoints = service.points;
    return service;
  };
  const environment = await startEnvironment(runtime, { METRICS_TOKEN, ...variables }, start);
  const text = async () =>
    readPoints === undefined
      ? (await environment.fetch('/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text()
      : JSON.stringify(await readPoints());
  const tally = async (name: MetricName) =>
    readPoints === undefined ? tallyOfText(await text(), name) : tallyOfPoints(await readPoints(), name);
  return { environment, text, tally };
}

function tallyOfText(text: string, name: MetricName): Record<string, number> {
  const full = `mirsal_${name}`;
  const samples = [...parseExposition(text).values()].flatMap((family) => family.samples);
  const isCount = (sample: string) =>
    sample === `${full}_total` || (sample.startsWith(`${full}_`) && sample.endsWith('_count'));
  return Object.fromEntries(
    samples
      .filter((sample) => isCount(sample.name) && sample.value > 0)
      .map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}

const points = z.array(
  z.strictObject({
    indexes: z.tuple([z.string().max(96)]),
    blobs: z.array(z.string()).min(1).max(20),
    doubles: z.array(z.number()).min(1).max(20),
  }),
);

function tallyOfPoints(body: unknown, name: MetricName): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const { indexes, blobs, doubles } of points.parse(body)) {
    const [deployment, ...labels] = blobs;
    if (indexes[0] !== name || deployment !== 'local') continue;
    const key = labels.join(' ');
    tally[key] = (tally[key] ?? 0) + (METRICS[name].kind === 'counter' ? (doubles[0] ?? 0) : 1);
  }
  return tally;
}

/** The service on workerd with a dataset that keeps its metrics. */
async function startMeasuredWorker(
  variables: Readonly<Record<string, string>>,
): Promise<Service & { readonly points: () => Promise<unknown> }> {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-dataset-'));
  const { compatibility } = await readWorkerConfig();
  const main = join(import.meta.dirname, 'metrics-dataset-worker.ts');
  const { path } = await bundleWorker(main, folder, compatibility);
  const dataset = { name: DATASET, ...sourceOf(path), compatibilityDate: compatibility.date };
  const { miniflare, ...service } = await openWorker(variables, {
    datasets: [{ ...dataset, unsafeDirectSockets: [DIRECT] }],
  });
  rmSync(folder, { recursive: true, force: true });
  const address = await miniflare.unsafeGetDirectURL(DATASET);
  const points = async () => (await fetch(address)).json();
  return Object.assign(await healthy(service), { points });
}
