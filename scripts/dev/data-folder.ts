import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { writeAtomically } from '../shared/local-files.ts';
import { endGroup, findMarked, groupMembers, markOf, type RunningProcess } from '../shared/processes.ts';
import { messageOf, SetupError } from '../shared/setup-error.ts';

/** The files of one local service: databases, secrets, processes. Each parallel service needs its own folder. */
export interface DataFolder {
  readonly path: string;
  /** Records a child, so that the next start can end it if this process is killed. */
  recordChild(name: string, pid: number): void;
  /** Releases the folder. */
  release(): void;
}

/** Marks a folder as created by this program. The program never writes to or deletes from any other folder. */
const MARKER = 'mirsal-data';
const LEDGER = 'processes.json';
/** `--fresh` removes only these; other files in the folder stay. */
const CONTENTS = /^(?:directory|shard-\d+|worker|registry|documents|\.dev\.vars|local\.json)$/;

/**
 * Creates the folder, or takes it over from a killed run and ends that run's children. Rejects with a SetupError if
 * another run uses it or if it was not created by this program.
 */
export async function claimDataFolder(given: string, log: (line: string) => void): Promise<DataFolder> {
  const path = resolve(given);
  prepare(path);
  await endLeftovers(path, log);
  const ledger: Ledger = { owner: requireMark(process.pid), children: [] };
  try {
    // `wx`: if two runs start at the same time, only one gets the folder.
    writeFileSync(join(path, LEDGER), JSON.stringify(ledger), { flag: 'wx', mode: 0o600 });
  } catch {
    throw new SetupError(`Another run uses ${path}; stop it or choose another folder with --data.`);
  }
  return {
    path,
    recordChild(name, pid) {
      const mark = markOf(pid);
      if (mark === undefined) return;
      ledger.children = [...ledger.children.filter((child) => child.name !== name), { name, ...mark }];
      writeAtomically(join(path, LEDGER), JSON.stringify(ledger));
    },
    release: () => rmSync(join(path, LEDGER), { force: true }),
  };
}

/** Deletes the contents of a claimed folder; the folder itself stays. */
export function emptyDataFolder(folder: DataFolder): void {
  for (const name of readdirSync(folder.path))
    if (CONTENTS.test(name)) rmSync(join(folder.path, name), { recursive: true, force: true });
}

function prepare(path: string): void {
  let entries: string[];
  try {
    mkdirSync(path, { recursive: true });
    entries = readdirSync(path);
    if (entries.length === 0) {
      const note = 'Data of a local service. npm run dev -- --fresh empties this folder. You may delete it.\n';
      writeFileSync(join(path, MARKER), note);
      return;
    }
  } catch (error) {
    throw new SetupError(
      `${path} cannot be used as data folder (${messageOf(error)}); choose another folder with --data.`,
    );
  }
  if (entries.includes(MARKER)) return;
  throw new SetupError(
    `${path} contains other files and was not created by npm run dev; choose another folder with --data.`,
  );
}

const mark = z.object({ pid: z.int().min(1), startedAt: z.string() });
const ledgerFile = z.object({ owner: mark, children: z.array(mark.extend({ name: z.string() })) });
type Ledger = z.output<typeof ledgerFile>;

/** The same as for sqld; wrangler needs about a second. */
const LEFTOVER_GRACE_MS = 3000;

async function endLeftovers(path: string, log: (line: string) => void): Promise<void> {
  const file = join(path, LEDGER);
  if (!existsSync(file)) return;
  const ledger = readLedger(file);
  if (ledger !== undefined) {
    if (findMarked(ledger.owner) !== undefined) {
      throw new SetupError(`Process ${ledger.owner.pid} uses ${path}; stop it or choose another folder with --data.`);
    }
    await Promise.all(ledger.children.map((child) => endLeftover(child, log)));
  }
  rmSync(file, { force: true });
}

async function endLeftover(child: Ledger['children'][number], log: (line: string) => void): Promise<void> {
  const members = groupMembers(child.pid);
  const leader = members.find((member) => member.pid === child.pid);
  // The pid may belong to another process by now. If the group's leader is gone, its members are recognised by their
  // program: everything that this program starts comes from the project's packages.
  const isOurs = leader === undefined ? members.every(isFromPackages) : leader.startedAt === child.startedAt;
  if (members.length === 0 || !isOurs) return;
  await endGroup(child.pid, LEFTOVER_GRACE_MS);
  log(`stopped ${child.name} (${child.pid}) of an earlier run that was killed`);
}

const PACKAGES = resolve(import.meta.dirname, '..', '..', 'node_modules');

function isFromPackages(running: RunningProcess): boolean {
  return running.command.startsWith(PACKAGES);
}

function readLedger(file: string): Ledger | undefined {
  try {
    return ledgerFile.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function requireMark(pid: number): z.output<typeof mark> {
  const own = markOf(pid);
  if (own === undefined) throw new SetupError('Cannot read the process table (/proc on Linux, ps on other systems).');
  return own;
}
