import type { CallLimits } from '../guarded-call.ts';

export const DOCUMENT_LIMITS: CallLimits = {
  /** A mebibyte takes a storage service some tenths of a second. Who uploads waits; nobody else does. */
  timeoutMs: 5000,
  failuresMax: 5,
  openMs: 5000,
};
