import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { writeAtomically } from '../shared/local-files.ts';
import { endGroup, findMarked, groupMembers, markOf, type RunningProcess } from '../shared/processes.ts';
import { messageOf, SetupError } from '../shared/setup-error.ts';

/** Everything one local service keeps: databases, secrets, what runs. Two services at once have two of them. */
export interface DataFolder {
  readonly path: string;
  /** Notes a child, so that the next start can end it if this process cannot. */
  recordChild(name: string, pid: number): void;
  /** Gives the folder back. */
  release(): void;
}

/** By this file the folder is known to be ours: nothing is ever removed from, or put into, another one. */
const MARKER = 'mirsal-data';
const LEDGER = 'processes.json';
/** `--fresh` removes only these; other files in the folder stay. */
const CONTENTS = /^(?:directory|shard-\d+|worker|registry|documents|\.dev\.vars|local\.json)$/;

/**
 * Makes the folder, or takes it over from a run that was killed, whose children are ended. Rejects with a SetupError
 * when a run that lives uses it, and when it is not ours.
 */
export async function claimDataFolder(given: string, log: (line: string) => void): Promise<DataFolder> {
  const path = resolve(given);
  prepare(path);
  await endLeftovers(path, log);
  const ledger: Ledger = { owner: requireMark(process.pid), children: [] };
  try {
    // `wx`: of two runs that start at once, one gets the folder.
    writeFileSync(join(path, LEDGER), JSON.stringify(ledger), { flag: 'wx', mode: 0o600 });
  } catch {
    throw new SetupError(`Another run has just taken ${path}; stop it or choose another --data.`);
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

/** Removes what a claimed folder holds; the folder itself stays. */
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
      const note = 'Data of a local run of this project: npm run dev -- --fresh empties it, and it may be deleted.\n';
      writeFileSync(join(path, MARKER), note);
      return;
    }
  } catch (error) {
    throw new SetupError(`${path} cannot hold the data (${messageOf(error)}); choose another folder with --data.`);
  }
  if (entries.includes(MARKER)) return;
  throw new SetupError(
    `${path} holds other things and was not made by npm run dev; choose another folder with --data.`,
  );
}

const mark = z.object({ pid: z.int().min(1), startedAt: z.string() });
const ledgerFile = z.object({ owner: mark, children: z.array(mark.extend({ name: z.string() })) });
type Ledger = z.output<typeof ledgerFile>;

/** As for sqld alone: wrangler needs about a second. */
const LEFTOVER_GRACE_MS = 3000;

async function endLeftovers(path: string, log: (line: string) => void): Promise<void> {
  const file = join(path, LEDGER);
  if (!existsSync(file)) return;
  const ledger = readLedger(file);
  if (ledger !== undefined) {
    if (findMarked(ledger.owner) !== undefined) {
      throw new SetupError(
        `Process ${ledger.owner.pid} runs on ${path}; stop it or choose another folder with --data.`,
      );
    }
    await Promise.all(ledger.children.map((child) => endLeftover(child, log)));
  }
  rmSync(file, { force: true });
}

async function endLeftover(child: Ledger['children'][number], log: (line: string) => void): Promise<void> {
  const members = groupMembers(child.pid);
  const leader = members.find((member) => member.pid === child.pid);
  // The number may have been given to somebody else since. Without its leader, what is left of the group is told by
  // its program: everything that is started here comes out of this project's packages.
  const isOurs = leader === undefined ? members.every(isFromPackages) : leader.startedAt === child.startedAt;
  if (members.length === 0 || !isOurs) return;
  await endGroup(child.pid, LEFTOVER_GRACE_MS);
  log(`ended ${child.name} (${child.pid}), left behind by a killed run`);
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
  if (own === undefined) throw new SetupError('The table of processes cannot be read (/proc on Linux, ps elsewhere).');
  return own;
}
