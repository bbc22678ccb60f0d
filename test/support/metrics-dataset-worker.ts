import { WorkerEntrypoint } from 'cloudflare:workers';

/** Replaces a dataset of Analytics Engine and keeps the data points, which wrangler's own does not. */
const points: unknown[] = [];

export default class extends WorkerEntrypoint {
  writeDataPoint(point: unknown): void {
    points.push(point);
  }

  override fetch(): Response {
    return Response.json(points);
  }
}
