import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { failWith, isCommand } from '../shared/command.ts';
import { type DatabaseOfService, requireDatabases } from '../shared/database-addresses.ts';
import { requireIdentity } from '../shared/require-identity.ts';
import { messageOf, SetupError } from '../shared/setup-error.ts';

/** One dump of a backup. Its file holds what was committed at the start of the dump, and perhaps a little more. */
export interface Dump {
  readonly database: string;
  readonly file: string;
  /** Taken before the dump starts, so everything acknowledged by then is in it. */
  readonly beganAt: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The list of dumps. It is written last, so a folder without it holds no complete backup. */
export const LIST_FILE = 'backup.json';
const dumps = z.array(
  z.object({
    database: z.string(),
    file: z.string(),
    beganAt: z.iso.datetime(),
    bytes: z.int(),
    sha256: z.string(),
  }),
);

/**
 * Takes sqld's own dump of each database into a new folder while the service runs. The directory comes last, so it knows
 * every company whose rows are in a shard's dump.
 */
export async function backUp(databases: readonly DatabaseOfService[], folder: string): Promise<Dump[]> {
  // The dumps hold names, phones and addresses.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new SetupError(`${folder} is not empty; choose a new folder.`);
  const ofKind = (kind: DatabaseOfService['kind']) => databases.filter((database) => database.kind === kind);
  for (const database of databases) await requireIdentity(database);
  const taken: Dump[] = [];
  for (const database of [...ofKind('shard'), ...ofKind('directory')]) taken.push(await dump(database, folder));
  await writeFile(join(folder, LIST_FILE), `${JSON.stringify(taken, undefined, 2)}\n`, { flush: true, mode: 0o600 });
  return taken;
}

/** Parses the list of dumps. */
export function parseList(text: string): Dump[] {
  return dumps.parse(JSON.parse(text));
}

/** A large dump takes long. It has failed if no data arrives for this long. */
const SILENCE_MS = 60_000;
/** A complete dump ends like this. sqld answers 200 before it starts, so the status does not show a failure. */
const END = 'COMMIT;\n';

async function dump(database: DatabaseOfService, folder: string): Promise<Dump> {
  const file = `${database.id}.sql`;
  const beganAt = new Date().toISOString();
  const path = join(folder, `${file}.part`);
  const { bytes, sha256, tail } = await download(database, path).catch((error: unknown) => {
    throw new SetupError(`${database.id} was not dumped: ${messageOf(error)}.`);
  });
  if (tail !== END) {
    throw new SetupError(
      `The dump of ${database.id} is incomplete; check that ${database.url} is its address for requests, not its admin address.`,
    );
  }
  await rename(path, join(folder, file));
  return { database: database.id, file, beganAt, bytes, sha256 };
}

async function download({ url, authToken }: DatabaseOfService, path: string) {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`nothing came for ${SILENCE_MS / 1000} s`)), SILENCE_MS);
  const headers = authToken === undefined ? {} : { authorization: `Bearer ${authToken}` };
  const file = await open(path, 'wx', 0o600);
  try {
    const response = await fetch(`${url}/dump`, { headers, signal: silence.signal });
    if (!response.ok) throw new Error(`${url}/dump answered ${response.status}`);
    const hash = createHash('sha256');
    let bytes = 0;
    let tail = Buffer.alloc(0);
    for await (const chunk of response.body ?? []) {
      timer.refresh();
      hash.update(chunk);
      bytes += chunk.byteLength;
      tail = Buffer.concat([tail, chunk.subarray(-END.length)]).subarray(-END.length);
      await file.writeFile(chunk);
    }
    await file.sync();
    return { bytes, sha256: hash.digest('hex'), tail: tail.toString('latin1') };
  } finally {
    clearTimeout(timer);
    await file.close();
  }
}

/** SHA-256 in hexadecimal. */
export async function sha256Of(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

const USAGE = `Dumps every database of LIBSQL_DIRECTORY and LIBSQL_SHARDS while the service runs.

  npm run backup -- --to FOLDER

FOLDER is made. It holds all that merchants and drivers entrusted to the service: keep it as safe as the databases.`;

async function runFromCommandLine(): Promise<void> {
  const { to } = parseArgs({ options: { to: { type: 'string' } } }).values;
  if (to === undefined) throw new SetupError(USAGE);
  const folder = resolve(to);
  for (const { database, file, beganAt, bytes } of await backUp(requireDatabases(process.env), folder)) {
    console.log(`${database} as of ${beganAt}: ${join(folder, file)}, ${bytes} bytes`);
  }
}

if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
