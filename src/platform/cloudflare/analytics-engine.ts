import type { Deployment } from '../../core/deployment.ts';
import type { Metrics } from '../../ports/metrics.ts';

/** As much of a dataset of Workers Analytics Engine as is used here. */
export interface DatasetBinding {
  writeDataPoint(point: {
    readonly indexes: readonly [string];
    readonly blobs: readonly string[];
    readonly doubles: readonly number[];
  }): void;
}

/**
 * Writes each measurement as a data point: the metric is `index1` (so that a rare one is not sampled away beside a
 * frequent one), the deployment `blob1`, the labels `blob2` and on, the values `double1` and on. It is handed over and
 * not waited for. A point that is not taken (an invocation may write 250) is one measurement less.
 */
export function analyticsEngineMetrics(
  dataset: DatasetBinding,
  deployment: Deployment,
  report: (failure: string) => void,
): Metrics {
  let hasFailed = false;
  const write = (name: string, labels: readonly string[], values: readonly number[]) => {
    try {
      dataset.writeDataPoint({ indexes: [name], blobs: [deployment, ...labels], doubles: values });
    } catch (error) {
      // Told once: a line for each would be louder than what it is about.
      if (!hasFailed) report(String(error));
      hasFailed = true;
    }
  };
  return {
    count(name, labels, by = 1) {
      if (by > 0) write(name, labels, [by]);
    },
    measure: (name, values, labels) => write(name, labels, values),
    set: (name, values, labels) => write(name, labels, values),
  };
}
