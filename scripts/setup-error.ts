/** Something the reader of the screen can mend. Its message is one sentence that says what is wrong and what to do. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

/** The message of whatever was thrown, on one line and without a full stop, to stand within a sentence. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s*\n\s*/g, ' ').replace(/[.\s]+$/, '');
}
