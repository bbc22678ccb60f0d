import type { Metrics } from '../ports/metrics.ts';

/** Where nothing takes measurements: a workerd without a dataset. */
export const noMetrics: Metrics = { count() {}, measure() {}, set() {} };
