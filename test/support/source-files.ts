import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';

/* The source texts and their imports, for the house test. */

export const ROOT = resolve(import.meta.dirname, '..', '..');

/** The shipped sources. */
export const files = ['src', 'routers', 'db']
  .flatMap(listFiles)
  .filter((file) => file.endsWith('.ts') || file.endsWith('.tsx'));
/** The shipped sources, the scripts and the tests. */
export const everywhere = [...files, ...['scripts', 'test'].flatMap(listFiles)];
/** The text of each file. */
export const sources = new Map(
  everywhere.filter((file) => /\.tsx?$/.test(file)).map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
);

function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !entry.parentPath.includes('migrations') && !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.d.ts'));
}

/** The text without comments. */
export function code(file: string): string {
  return (sources.get(file) ?? '').replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

/** Each file is read once, because the search for circles reads it hundreds of times. */
const known = new Map<string, readonly string[]>();
export function importsOf(file: string): readonly string[] {
  const imports = known.get(file) ?? readImports(file);
  known.set(file, imports);
  return imports;
}

/** The imports that a bundle keeps: all but those of types. */
export function valueImportsOf(file: string): readonly string[] {
  const types = /^(?:import|export) type [^;]*? from '[^']+';/gm;
  return pathsIn(file, code(file).replaceAll(types, ''));
}

function readImports(file: string): string[] {
  return pathsIn(file, code(file));
}

function pathsIn(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import\() ?'(\.[^']+\.tsx?)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)).replaceAll('\\', '/'),
  );
}

/** Folders that depend on themselves through the imports of their files. */
export function foldersInCircles(among: readonly string[]): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const file of among)
    for (const imported of importsOf(file).filter((path) => dirname(path) !== dirname(file)))
      arrows.set(dirname(file), (arrows.get(dirname(file)) ?? new Set()).add(dirname(imported)));
  const reaches = (start: string) => {
    const seen = new Set<string>();
    const queue = [...(arrows.get(start) ?? [])];
    for (const folder of queue)
      if (!seen.has(folder)) {
        seen.add(folder);
        queue.push(...(arrows.get(folder) ?? []));
      }
    return seen;
  };
  return [...arrows.keys()].filter((folder) => reaches(folder).has(folder)).toSorted();
}

export function circleFrom(start: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string): boolean =>
    importsOf(file).some(
      (imported) => imported === start || (!seen.has(imported) && seen.add(imported) && visit(imported)),
    );
  return visit(start) ? [start] : [];
}
