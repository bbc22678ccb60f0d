import pRetry from 'p-retry';

/** libSQL has one write lock. A write that does not get it retries, with a longer pause each time. */
export async function writeWhenFree(write: () => Promise<unknown>): Promise<void> {
  await pRetry(write, {
    retries: 4,
    // Doubled at each try and stretched by 1 to 2: about 20, 39, 78 and 156 ms.
    minTimeout: 13,
    randomize: true,
    shouldRetry: ({ error }) => /SQLITE_BUSY|database is locked/.test(messagesOf(error)),
  });
}

/** The message of an error and of its causes. */
export function messagesOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${messagesOf(error.cause)}` : '';
}
