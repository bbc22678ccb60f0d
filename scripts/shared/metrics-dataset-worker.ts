import { WorkerEntrypoint } from 'cloudflare:workers';

/** Stands where a dataset of Analytics Engine is bound, and keeps what it is handed: wrangler's own keeps nothing. */
const points: unknown[] = [];

export default class extends WorkerEntrypoint {
  writeDataPoint(point: unknown): void {
    points.push(point);
  }

  override fetch(): Response {
    return Response.json(points);
  }
}
