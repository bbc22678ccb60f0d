import * as z from 'zod';
import { instantOut, logged, text, uuid, uuidOut } from './values.ts';

/** The client of an operator who acts as a person. A company also reads this instead of the client of an operator's program. */
export const OPERATIONS = 'operations';

/** A change by a person or an operator's program: who made it, from where, and what it changed. */
export const auditEntry = z.strictObject({
  entryId: uuidOut,
  /** The person of the company; null if the carrier's operations made the change. */
  personId: z.nullable(uuidOut),
  clientId: z.nullable(z.literal(OPERATIONS)),
  action: z.string(),
  subject: z.string(),
  at: instantOut,
  address: z.nullable(z.string()),
  requestId: uuidOut,
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type AuditEntryRecord = z.output<typeof auditEntry>;

/** What a removed person had created: `credential.created` and its client, for example. */
export const setUp = auditEntry.pick({ action: true, subject: true, at: true });
export type SetUp = z.output<typeof setUp>;

/** The same for operators. Its changes need not belong to a company. */
export const operatorAuditEntry = auditEntry.extend({
  /** The operator's program, or `OPERATIONS`. */
  clientId: z.nullable(logged(z.string())),
  /** Null for a program, and for a person who was removed. */
  personName: z.nullable(z.string()),
  companyId: z.nullable(uuidOut),
});
export type OperatorAuditEntry = z.output<typeof operatorAuditEntry>;

/** Longer than any id or code that is the subject of an entry. */
const SUBJECT_LENGTH_MAX = 128;
/** The company of a change, the changed thing, and the operator who changed it. Entries must match all that are given. */
export const operatorAuditFilter = {
  companyId: z.optional(uuid),
  subject: z.optional(text({ min: 1, max: SUBJECT_LENGTH_MAX })),
  personId: z.optional(uuid),
};
const auditFilter = z.strictObject(operatorAuditFilter);
export type OperatorAuditFilter = z.output<typeof auditFilter>;
