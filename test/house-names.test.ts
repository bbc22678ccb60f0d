import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appRouter } from '../routers/index.ts';
import { everywhere } from './support/source-files.ts';

/* The rules of docs/architecture.md for names and folders. Each failure names the resource or the file. */

const ROOT = resolve(import.meta.dirname, '..');
const page = readFileSync(resolve(ROOT, 'docs/architecture.md'), 'utf8');
const rows = [
  ...page.matchAll(/^\| `(\w+)` \| ([\w-]+) \| ([\w-]+) \| ([\w/.-]+) \| ([\w-]+) \| ([\w/–-]+) \| ([\w–-]+) \|$/gm),
];

describe('the table of resources', () => {
  test('has every resource of the router, in its order', () => {
    const resources = new Set(Object.keys(appRouter._def.procedures).map((name) => name.split('.')[0]));
    expect(rows.map(([, resource]) => resource)).toEqual([...resources]);
  });

  test.each(rows.map(([, ...cells]) => cells))('names files of %s that exist', (_resource, ...cells) => {
    const [router, contract, domain = '', contractTest, tables = '', pages = ''] = cells;
    const paths = [`routers/${router}.ts`, `src/contract/${contract}.ts`, `test/contract/${contractTest}.test.ts`];
    const [database, schema] = tables.split('/');
    const all = [
      ...paths,
      `src/domain/${domain}`,
      ...(tables === '–' ? [] : [`db/${database}/schema/${schema}.ts`]),
      ...(pages === '–' ? [] : [`src/console/${pages}`]),
    ];
    expect(all.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
  });
});

describe('the folders of test/unit', () => {
  test('are those of src, db, routers and scripts', () => {
    const tests = globSync('test/unit/**/*.ts', { cwd: ROOT });
    const folders = new Set(tests.map((file) => file.slice('test/unit/'.length, file.lastIndexOf('/'))));
    const isMirror = (folder: string) => [`src/${folder}`, folder].some((path) => existsSync(resolve(ROOT, path)));
    expect([...folders].filter((folder) => !isMirror(folder))).toEqual([]);
  });
});

describe('the tree', () => {
  test('lists exactly the existing folders', () => {
    const tree = /```tree\n([^`]*)```/.exec(page)?.[1] ?? '';
    expect([...tree.matchAll(/^(\S+)\/ +\S/gm)].map(([, folder]) => folder)).toEqual(foldersOfTree());
  });
});

/** Two levels of folders, and three where a platform, a provider or a noun is a folder. */
function foldersOfTree(): string[] {
  const folders = [...everywhere, ...globSync('deploy/*', { cwd: ROOT })].flatMap((file) => {
    const parts = dirname(file).split('/');
    const depth = /^src\/(?:domain|http|platform|providers)\//.test(file) ? 3 : 2;
    return parts.slice(0, depth).map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  return [...new Set(folders)].toSorted();
}
