import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { moveTriggers } from '../../db/shard/ownership.ts';
import { addWithoutRowid } from '../../db/without-rowid.ts';
import { failWith } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';

/*
 * npm run db:baseline            lays the baseline of each database anew from its schema
 * npm run db:baseline -- --check fails if a schema has changes that no migration has, or a migration is not complete
 *
 * The baseline may be laid anew until the first deployment. After it, `npm run db:generate` adds a migration instead, and
 * ends with `baseline.ts --complete`: it adds to the migrations what drizzle-kit cannot generate.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const KINDS = ['directory', 'shard', 'logs'] as const;
type Kind = (typeof KINDS)[number];

const migrationsOf = (kind: Kind) => join(ROOT, 'db', kind, 'migrations');
const sqlFilesOf = (folder: string) => readdirSync(folder).filter((file) => file.endsWith('.sql'));

/** Replaces the migrations of a database by one that creates the schema, and the triggers that a schema cannot name. */
async function layBaseline(kind: Kind): Promise<void> {
  await inFolder(async (folder) => {
    await generate(kind, folder);
    const [name] = sqlFilesOf(folder);
    if (name === undefined) throw new SetupError(`drizzle-kit wrote no migration of the ${kind}.`);
    const file = join(folder, name);
    const triggers = kind === 'shard' ? moveTriggers().map(({ sql }) => `${sql};`) : [];
    const tables = addWithoutRowid(readFileSync(file, 'utf8').trimEnd());
    const text = `${[tables, ...triggers].join('\n--> statement-breakpoint\n')}\n`;
    const own = join(migrationsOf(kind), name);
    // The same baseline keeps its date, so that databases which have it stay current.
    if (existsSync(own) && readFileSync(own, 'utf8') === text) return;
    writeFileSync(file, text);
    rmSync(migrationsOf(kind), { recursive: true, force: true });
    cpSync(folder, migrationsOf(kind), { recursive: true });
  });
}

/** Whether the migrations of a database create what its schema says. */
async function isCurrent(kind: Kind): Promise<boolean> {
  return inFolder(async (copy) => {
    cpSync(migrationsOf(kind), copy, { recursive: true });
    await generate(kind, copy);
    return sqlFilesOf(copy).length === sqlFilesOf(migrationsOf(kind)).length;
  });
}

/** The migrations of a database that lack what drizzle-kit cannot generate, with their complete text. */
function incompleteOf(kind: Kind): (readonly [file: string, text: string])[] {
  return sqlFilesOf(migrationsOf(kind)).flatMap((name) => {
    const file = join(migrationsOf(kind), name);
    const written = readFileSync(file, 'utf8');
    const text = addWithoutRowid(written);
    return text === written ? [] : [[file, text] as const];
  });
}

/** Runs work in a folder that is removed afterwards. */
async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const parent = mkdtempSync(join(tmpdir(), 'mirsal-baseline-'));
  try {
    return await work(join(parent, 'migrations'));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

async function generate(kind: Kind, out: string): Promise<void> {
  const options = ['--dialect', 'sqlite', '--schema', `./db/${kind}/schema`, '--out', out, '--name', 'baseline'];
  await execa('drizzle-kit', ['generate', ...options], { cwd: ROOT, preferLocal: true, stdin: 'ignore' });
}

async function runFromCommandLine(): Promise<void> {
  if (process.argv.includes('--complete')) {
    for (const [file, text] of KINDS.flatMap(incompleteOf)) writeFileSync(file, text);
    return;
  }
  if (!process.argv.includes('--check')) {
    for (const kind of KINDS) await layBaseline(kind);
    return;
  }
  const current = await Promise.all(KINDS.map(isCurrent));
  const stale = KINDS.filter((_, index) => current[index] === false);
  if (stale.length > 0) {
    throw new SetupError(`No migration has the last changes of db/${stale.join(', db/')}. Run npm run db:baseline.`);
  }
  const [incomplete] = KINDS.flatMap(incompleteOf);
  if (incomplete !== undefined)
    throw new SetupError(`${incomplete[0]} forgets WITHOUT ROWID. Run npm run db:baseline.`);
}

await runFromCommandLine().catch(failWith);
