import * as z from 'zod';
import { instantOut, uuidOut } from './values.ts';

/** A change in a company: the action, the actor and the network address. */
export const auditEntry = z.strictObject({
  entryId: uuidOut,
  /** Null when a client did it. */
  personId: z.nullable(uuidOut),
  clientId: z.nullable(z.string()),
  action: z.string(),
  subject: z.string(),
  at: instantOut,
  address: z.nullable(z.string()),
  requestId: uuidOut,
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type AuditEntryRecord = z.output<typeof auditEntry>;

/** What a removed person had set up: `credential.created` and its client, for example. */
export const setUp = auditEntry.pick({ action: true, subject: true, at: true });
export type SetUp = z.output<typeof setUp>;
