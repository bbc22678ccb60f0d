/** libSQL has one write lock: whoever does not get it tries again, a little later each time. */
const ATTEMPTS_MAX = 5;

export async function writeWhenFree(write: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !/SQLITE_BUSY|database is locked/.test(messagesOf(error))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** attempt * (0.5 + Math.random())));
  }
}

/** What an error says, and those that it came of. */
export function messagesOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${messagesOf(error.cause)}` : '';
}
