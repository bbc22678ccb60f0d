import * as z from 'zod';
import { EVIDENCES } from './proof-state.ts';

/** The record of a delivery or of an attempt, as its event tells of it. In a file of its own, because every event needs it from the start. */
export const proofInEvent = z.strictObject({
  evidence: z.enum(EVIDENCES).describe('How much the record proves.'),
  sha256: z.string().describe('SHA-256 of the record: a later change of it would show.'),
});
