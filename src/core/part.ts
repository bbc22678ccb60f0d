const parts: (() => Promise<unknown>)[] = [];

/**
 * A part of the program that is loaded when it is first needed: `part(() => import('./pages.tsx'))`. A new isolate of a
 * Worker then starts with less code.
 */
export function part<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Module | undefined;
  // Keeps the module and not the promise: a Worker may end the request that imports it, and others would wait for ever.
  const loadOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  parts.push(loadOnce);
  return loadOnce;
}

/**
 * Loads all parts. A process that serves until it is replaced does this at its start, so that no request waits for a file
 * and none misses one that a deployment has replaced.
 */
export async function loadParts(): Promise<void> {
  // A part may bring others. The loop reaches them too.
  for (const load of parts) await load();
}
