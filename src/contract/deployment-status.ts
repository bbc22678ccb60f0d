import * as z from 'zod';
import { DEPLOYMENTS } from '../core/deployment.ts';
import { instantOut } from './values.ts';

/** What a deployment must have before it can carry a shipment. */
export const SHIPMENT_NEEDS = ['TARIFF', 'SERVICE_LEVEL', 'DRIVER'] as const;
export type ShipmentNeed = (typeof SHIPMENT_NEEDS)[number];

/** The waiting work of a shard. */
const shardWork = z.strictObject({
  /** The due time of the shipment that has been due the longest; null if none is due. */
  oldestDueAt: z.nullable(instantOut),
  /** Webhook deliveries that are due and were never attempted, up to ten thousand. */
  webhooksWaiting: z.number(),
  oldestWebhookAt: z.nullable(instantOut),
});

const databaseStatus = z.strictObject({
  database: z.string(),
  kind: z.enum(['DIRECTORY', 'SHARD']),
  answers: z.boolean(),
  migrationsCurrent: z.boolean(),
  durabilityStrong: z.boolean(),
  /** False if the last commit failed for a reason of the database's own, such as a full disk. */
  writable: z.boolean(),
  /** How long a read took; null if there was no answer. */
  latencyMs: z.nullable(z.number()),
  /** When the last sweep ended without a failure; null if none has since its writer started. */
  sweptAt: z.nullable(instantOut),
  /** Null for the directory, and for a shard that does not answer. */
  work: z.nullable(shardWork),
});

/** The state of a deployment, for its operators. */
export const deploymentStatus = z
  .strictObject({
    deployment: z.enum(DEPLOYMENTS),
    checkedAt: instantOut,
    databases: z.array(databaseStatus),
    routing: z.strictObject({
      engine: z.enum(['osrm', 'fixture', 'none']),
      answers: z.boolean(),
    }),
    messages: z.strictObject({ provider: z.enum(['carriers', 'inbox', 'folder', 'none']) }),
    documents: z.strictObject({ provider: z.enum(['r2', 's3', 'folder', 'none']) }),
    shipments: z.strictObject({
      possible: z.boolean(),
      missing: z.array(z.enum(SHIPMENT_NEEDS)),
    }),
  })
  .meta({ id: 'DeploymentStatus' });
export type DeploymentStatus = z.output<typeof deploymentStatus>;
export type DatabaseStatus = z.output<typeof databaseStatus>;
