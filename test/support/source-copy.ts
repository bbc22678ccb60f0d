import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A copy of the repository whose sources a test may break. */
export interface SourceCopy {
  readonly folder: string;
  read(path: string): string;
  write(path: string, text: string): void;
  remove(): void;
}

const ROOT = resolve(import.meta.dirname, '..', '..');
/** The browser files of the same sources need not be built again. */
const PARTS = ['src', 'routers', 'db', 'docs', 'scripts', 'dist/browser', 'package.json', 'package-lock.json'];
const FILES = ['tsconfig.json', 'wrangler.toml', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];

export function copySources(): SourceCopy {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-sources-'));
  for (const part of [...PARTS, ...FILES])
    if (existsSync(join(ROOT, part))) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write: (path, text) => writeFileSync(join(folder, path), text),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
