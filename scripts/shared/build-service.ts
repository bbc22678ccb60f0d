import { join, resolve } from 'node:path';
import { execa } from 'execa';
import type { Runtime } from './service.ts';
import { explainOutput, type SourceError } from './source-error.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

/**
 * Builds the pages, and for Workers the bundle. Resolves with the reason if the sources cannot be built. Each part is a program of
 * its own, because a program that has imported the sources would not see their changes.
 */
export async function buildService(runtime: Runtime): Promise<SourceError | undefined> {
  const pages = buildPart('pages');
  // The bundle is much quicker, and fails for most errors.
  return (runtime === 'worker' ? await buildPart('worker') : undefined) ?? (await pages);
}

async function buildPart(name: 'pages' | 'worker'): Promise<SourceError | undefined> {
  const { failed, all } = await execa(process.execPath, [join(ROOT, 'scripts', 'build', `${name}.ts`)], {
    cwd: ROOT,
    all: true,
    reject: false,
    // A build that nobody waits for any more still removes its drafts.
    cleanup: false,
  });
  return failed ? explainOutput(all) : undefined;
}
