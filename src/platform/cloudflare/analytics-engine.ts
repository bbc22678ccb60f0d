import type { Deployment } from '../../core/deployment.ts';
import type { Metrics } from '../../ports/metrics.ts';

/** The part of a Workers Analytics Engine dataset that is used here. */
export interface DatasetBinding {
  writeDataPoint(point: {
    readonly indexes: readonly [string];
    readonly blobs: readonly string[];
    readonly doubles: readonly number[];
  }): void;
}

/**
 * Writes each measurement as a data point. The metric is `index1`, because sampling is per index and would otherwise drop
 * rare metrics. The deployment is `blob1`, the labels are `blob2` and following, the values `double1` and following.
 * Writing does not wait. Points above the limit of 250 per invocation are lost.
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
      // Reported only once, because a line for every point would fill the log.
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
