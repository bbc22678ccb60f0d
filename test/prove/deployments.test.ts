import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';

/* What `wrangler deploy` would send. Its settings are compared in test/unit/wrangler.test.ts. */

const ROOT = resolve(import.meta.dirname, '..', '..');

test.each(['sandbox', 'production'])(
  'the deployment %s has all bindings, its own stores and no variables',
  async (env) => {
    const folder = mkdtempSync(join(tmpdir(), 'mirsal-deployment-'));
    try {
      const { stdout } = await execa(
        'wrangler',
        ['deploy', '--dry-run', '--minify', '--outdir', folder, '--env', env],
        {
          cwd: ROOT,
          preferLocal: true,
          env: { WRANGLER_SEND_METRICS: 'false', WRANGLER_WRITE_LOGS: 'false', NO_COLOR: '1' },
        },
      );
      const bindings = [...stdout.matchAll(/^env\.(\S+(?: \([^)]*\))?) {2,}(\S+(?: \S+)*) *$/gm)];
      expect(bindings.map(([, binding, kind]) => `${binding}: ${kind}`)).toEqual([
        'SHIPMENT_LANE (ShipmentLane): Durable Object',
        'DATABASE_WRITER (DatabaseWriter): Durable Object',
        'ENDPOINT_QUEUE (EndpointQueue): Durable Object',
        `DOCUMENT_BUCKET (mirsal-${env}-documents): R2 Bucket`,
        `METRICS (mirsal_${env}_metrics): Analytics Engine Dataset`,
        'RATE_LIMIT_READS (1200 requests/60s): Rate Limit',
        'RATE_LIMIT_WRITES (600 requests/60s): Rate Limit',
        'RATE_LIMIT_ESTIMATES (600 requests/60s): Rate Limit',
        'RATE_LIMIT_TOKENS (20 requests/60s): Rate Limit',
        'RATE_LIMIT_TRACKING (300 requests/60s): Rate Limit',
        'ASSETS: Assets',
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);
