import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** The text of a file of the repository, by its path from the root. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
