import { watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf, SetupError } from '../shared/setup-error.ts';

export interface Sources {
  /** Resolves at the next change with the files that changed together, by their paths from the root. */
  next(): Promise<readonly string[]>;
  close(): void;
}

const ROOT = resolve(import.meta.dirname, '..', '..');
/** The same as `watch_dir` in wrangler.toml. */
const FOLDERS = ['src', 'routers', 'db', 'docs'];
/** An editor writes a file in several steps, and a branch is many files. */
const SETTLE_MS = 100;

/** Watches what the service is built from. */
export function watchSources(): Sources {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const changed = new Set<string>();
  let waiting = Promise.withResolvers<readonly string[]>();
  let timer: NodeJS.Timeout | undefined;
  const settle = () => {
    waiting.resolve([...changed]);
    waiting = Promise.withResolvers();
    changed.clear();
  };
  const watchers = FOLDERS.map((folder) =>
    watch(join(ROOT, folder), { recursive: true }, (_event, name) => {
      changed.add(join(folder, name ?? ''));
      clearTimeout(timer);
      timer = setTimeout(settle, SETTLE_MS);
    }).on('error', (error) => reject(new SetupError(`The sources cannot be watched: ${messageOf(error)}.`))),
  );
  return {
    next: () => Promise.race([waiting.promise, failed]),
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
