import { createReadStream, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { request } from 'node:http';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '@libsql/client/http';
import type { DatabaseIdentity } from '../../db/identity.ts';
import { environment } from '../../src/service/environment.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { emptyEvent } from '../shared/empty-event.ts';
import { freePort, LOOPBACK } from '../shared/ports.ts';
import { messageOf, SetupError } from '../shared/setup-error.ts';
import { startSqld } from '../shared/sqld.ts';
import { backUp, LIST_FILE, parseList, sha256Of } from './backup.ts';

/*
 * Guarantee: when this resolves, sqld makes the same dump of `folder` as the one that was restored, except for indents and
 * one number (see `passCursors`). When it rejects, `folder` does not exist.
 */

export interface RestoreOptions {
  /** The database that the dump must be of. */
  readonly identity: DatabaseIdentity;
  /** A file that `backUp` wrote. */
  readonly dump: string;
  /** The folder of the database. It must not exist or be empty. Start sqld on it afterwards. */
  readonly folder: string;
}

export async function restore({ identity, dump, folder }: RestoreOptions): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new SetupError(`${folder} is not empty; move what is there away, or choose another folder.`);
  }
  await checkSum(dump);
  // The work is done in a folder beside it and ends with a rename, so no server can start on half a database.
  const making = `${folder}.restoring`;
  rmSync(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  try {
    await load(dump, join(making, 'data'));
    await verify(join(making, 'data'), { identity, dump, again: join(making, 'again') });
    rmSync(folder, { recursive: true, force: true });
    await rename(join(making, 'data'), folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Compares the dump with the checksum of its list, so that a damaged file is not restored. */
async function checkSum(dump: string): Promise<void> {
  if (!existsSync(dump)) throw new SetupError(`There is no dump ${dump}.`);
  const list = join(dirname(dump), LIST_FILE);
  if (!existsSync(list)) return;
  const listed = parseList(readFileSync(list, 'utf8')).find(({ file }) => file === basename(dump));
  if (listed === undefined || listed.sha256 === (await sha256Of(createReadStream(dump)))) return;
  throw new SetupError(`${dump} is not what was written on ${listed.beganAt}; take another copy of the backup.`);
}

/**
 * sqld loads a dump only when it creates a namespace. It creates the default one when it starts, and answers 200 without
 * effect if it should create that again. So it is started without the default namespace.
 */
async function load(dump: string, folder: string): Promise<void> {
  const adminPort = await freePort();
  const sqld = await startSqld({ folder, port: await freePort(), adminPort, isBare: true });
  try {
    const answer = await createNamespace(adminPort, dump);
    if (answer.status !== 200) throw new SetupError(`sqld does not load ${dump}: ${answer.text}`);
  } finally {
    await sqld.stop();
  }
}

/** `fetch` gives up after five minutes without a header, and sqld sends none before it has loaded the whole dump. */
function createNamespace(port: number, dump: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolveAnswer, reject) => {
    const path = '/v1/namespaces/default/create';
    const headers = { 'content-type': 'application/json' };
    const sent = request({ host: LOOPBACK, port, path, method: 'POST', headers }, (answer) => {
      text(answer).then((body) => resolveAnswer({ status: answer.statusCode ?? 0, text: body }), reject);
    });
    sent.on('error', (error) => reject(new SetupError(`sqld ended while it loaded ${dump}: ${messageOf(error)}.`)));
    sent.end(JSON.stringify({ dump_url: pathToFileURL(dump).href }));
  });
}

/** Starts sqld as in production and compares its dump with the one that was loaded. */
async function verify(
  folder: string,
  { identity, dump, again }: { readonly identity: DatabaseIdentity; readonly dump: string; readonly again: string },
): Promise<void> {
  const sqld = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
  try {
    // Asks first who the database is.
    await backUp([{ ...identity, url: sqld.url }], again);
    const [loaded, dumped] = await Promise.all([dump, join(again, `${identity.id}.sql`)].map(sumOfContent));
    if (loaded !== dumped) {
      throw new SetupError(`The database that sqld restored from ${dump} differs from the dump; nothing was kept.`);
    }
    await passCursors(sqld.url);
  } finally {
    await sqld.stop();
  }
}

/**
 * sqld adds a space before each further line of a statement that it loads. Only CREATE has further lines, because a dump
 * writes line ends within values as `char(10)`.
 */
function sumOfContent(path: string): Promise<string> {
  return sha256Of(withoutIndents(createReadStream(path)));
}

async function* withoutIndents(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let isAtStart = true;
  for await (const chunk of chunks) {
    let length = 0;
    for (const byte of chunk) {
      const isIndent: boolean = isAtStart && (byte === SPACE || byte === TAB);
      isAtStart = byte === LINE_END || isIndent;
      // The write position is never ahead of the read position.
      if (!isIndent) chunk[length++] = byte;
    }
    yield chunk.subarray(0, length);
  }
}
const [TAB, LINE_END, SPACE] = [0x09, 0x0a, 0x20];

/** More events than a shard can have made since its last backup. */
const POSITIONS_PASSED = 1_000_000_000;

/**
 * Cursors of the feed hold positions of events, some of which are lost. These positions must not be used again: an old
 * cursor would silently skip as many new events.
 */
async function passCursors(url: string): Promise<void> {
  const client = createClient({ url });
  try {
    const { rows } = await client.execute("SELECT 1 FROM sqlite_schema WHERE name = 'events'");
    if (rows.length === 0) return;
    await client.batch([emptyEvent(`(SELECT coalesce(max(position), 0) + ${POSITIONS_PASSED} FROM events)`)], 'write');
  } catch (error) {
    throw new SetupError(`The feed's positions could not be raised: ${messageOf(error)}.`);
  } finally {
    client.close();
  }
}

const USAGE = `Makes the folder of a database out of a dump, for sqld to be started on.

  npm run restore -- --database shard-1 --dump BACKUP/shard-1.sql --folder /var/lib/mirsal/shard-1

DEPLOYMENT and --database (directory, or the id of a shard) say which database it must be; another one's dump is refused.

The folder must not be there, or be empty. docs/operations.md says what goes before and after.`;

async function runFromCommandLine(): Promise<void> {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({ options: { database: option, dump: option, folder: option } });
  const { database: id, dump, folder } = values;
  const deployment = environment.shape.DEPLOYMENT.safeParse(process.env['DEPLOYMENT']);
  if (id === undefined || dump === undefined || folder === undefined || !deployment.success)
    throw new SetupError(USAGE);
  const kind = id === 'directory' ? 'directory' : 'shard';
  await restore({ identity: { kind, id, deployment: deployment.data }, dump: resolve(dump), folder: resolve(folder) });
  console.log(`${resolve(folder)} holds the database of ${dump}; sqld can be started on it.`);
}

if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
