import { createReadStream, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { request } from 'node:http';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '@libsql/client/http';
import { failWith, isCommand } from '../shared/command.ts';
import { freePort, LOOPBACK } from '../shared/ports.ts';
import { messageOf, SetupError } from '../shared/setup-error.ts';
import { startSqld } from '../shared/sqld.ts';
import { backUp, LIST_FILE, parseList, sha256Of } from './backup.ts';

/*
 * Promise: when this resolves, `folder` holds a database of which sqld makes the very dump that it was made of, but for
 * indents and one number (see `passCursors`). When it rejects, `folder` is not there.
 */

export interface RestoreOptions {
  /** What `backUp` wrote. */
  readonly dump: string;
  /** Where the database is to be; not there yet, or empty. Start sqld on it afterwards. */
  readonly folder: string;
}

export async function restore({ dump, folder }: RestoreOptions): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new SetupError(`${folder} is not empty; move what is there away, or choose another folder.`);
  }
  await checkSum(dump);
  // Beside it, so that the last step is a rename: nobody starts a server on half a database.
  const making = `${folder}.restoring`;
  rmSync(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  try {
    await load(dump, join(making, 'data'));
    await verify(join(making, 'data'), dump, join(making, 'again'));
    rmSync(folder, { recursive: true, force: true });
    await rename(join(making, 'data'), folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** A dump with a list is as it was written: a bit that fell over would be restored too. */
async function checkSum(dump: string): Promise<void> {
  if (!existsSync(dump)) throw new SetupError(`There is no dump ${dump}.`);
  const list = join(dirname(dump), LIST_FILE);
  if (!existsSync(list)) return;
  const listed = parseList(readFileSync(list, 'utf8')).find(({ file }) => file === basename(dump));
  if (listed === undefined || listed.sha256 === (await sha256Of(createReadStream(dump)))) return;
  throw new SetupError(`${dump} is not what was written on ${listed.beganAt}; take another copy of the backup.`);
}

/**
 * sqld loads a dump only when it makes a namespace. Its usual one is made when it starts, and asked to make that one again
 * it answers 200 and does nothing: so here it is started without any.
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

/** Not by `fetch`, which gives up after five minutes without a header: sqld sends none before it has loaded everything. */
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

/** Starts sqld as it will be started, and holds what it dumps against what was loaded. */
async function verify(folder: string, dump: string, again: string): Promise<void> {
  const sqld = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
  try {
    await backUp([{ kind: 'shard', id: 'again', url: sqld.url }], again);
    const [loaded, dumped] = await Promise.all([dump, join(again, 'again.sql')].map(sumOfContent));
    if (loaded !== dumped) {
      throw new SetupError(`What sqld made of ${dump} is not what is in it; nothing was kept.`);
    }
    await passCursors(sqld.url);
  } finally {
    await sqld.stop();
  }
}

/**
 * sqld puts a space before each further line of a statement that it loads. Only CREATE has further lines: a dump writes
 * the ends of lines within values as `char(10)`.
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
      // Never before the byte that is read.
      if (!isIndent) chunk[length++] = byte;
    }
    yield chunk.subarray(0, length);
  }
}
const [TAB, LINE_END, SPACE] = [0x09, 0x0a, 0x20];

/** More events than a shard can have made since its last backup. */
const POSITIONS_PASSED = 1_000_000_000;

/**
 * Events that were lost had positions, and cursors of the feed carry them. Those positions are never given again: a
 * cursor from before would pass over as many new events, and nobody would notice.
 */
async function passCursors(url: string): Promise<void> {
  const client = createClient({ url });
  try {
    const { rows } = await client.execute("SELECT 1 FROM sqlite_schema WHERE name = 'events'");
    if (rows.length === 0) return;
    await client.batch(
      [
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'events', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events')",
        `UPDATE sqlite_sequence SET seq = seq + ${POSITIONS_PASSED} WHERE name = 'events'`,
      ],
      'write',
    );
  } catch (error) {
    throw new SetupError(`The feed's positions could not be raised: ${messageOf(error)}.`);
  } finally {
    client.close();
  }
}

const USAGE = `Makes the folder of a database out of a dump, for sqld to be started on.

  npm run restore -- --dump BACKUP/shard-1.sql --folder /var/lib/mirsal/shard-1

The folder must not be there, or be empty. docs/operations.md says what goes before and after.`;

async function runFromCommandLine(): Promise<void> {
  const option = { type: 'string' } as const;
  const { dump, folder } = parseArgs({ options: { dump: option, folder: option } }).values;
  if (dump === undefined || folder === undefined) throw new SetupError(USAGE);
  await restore({ dump: resolve(dump), folder: resolve(folder) });
  console.log(`${resolve(folder)} holds the database of ${dump}; sqld can be started on it.`);
}

if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
