import type { CallLimits } from '../guarded-call.ts';

export const MESSAGE_LIMITS: CallLimits = {
  /** Carriers answer within a second or two; who asked for a code waits that long. */
  timeoutMs: 5000,
  failuresMax: 5,
  openMs: 5000,
};
/** Statuses that tell of one message, not of the carrier. */
export const MESSAGE_REFUSED: ReadonlySet<number> = new Set([400, 404, 409, 410, 413, 422]);
/** An answer is an id and a word. */
export const MESSAGE_ANSWER_BYTES_MAX = 16 * 1024;
