/** An error that the user can fix. Its message is one sentence that says what is wrong and what to do. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

/** The message of an error for use within a sentence: on one line, without a full stop, with its cause. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.replaceAll(/\s*\n\s*/g, ' ').replace(/[.\s]+$/, '');
  return error.cause instanceof Error ? `${message} (${messageOf(error.cause)})` : message;
}
