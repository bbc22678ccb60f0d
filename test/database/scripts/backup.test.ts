import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client/http';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { backUp, LIST_FILE } from '../../../scripts/operate/backup.ts';
import { restore } from '../../../scripts/operate/restore.ts';
import { freePort } from '../../../scripts/shared/ports.ts';
import { type Sqld, startSqld } from '../../../scripts/shared/sqld.ts';

vi.setConfig({ testTimeout: 20_000 });

let parent = '';
let sqld: Sqld;
let to = '';
let runs = 0;
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'mirsal-backup-'));
  sqld = await startSqld({ folder: join(parent, 'data'), port: await freePort(), adminPort: await freePort() });
  const client = createClient({ url: sqld.url });
  await client.execute('create table words (\n  word text,\n  odd text\n)');
  await client.execute({ sql: 'insert into words values (?, ?)', args: ['  indented\n  twice', '\t;'] });
  await client.execute('create table database_identity (kind text, id text, deployment text)');
  await client.execute("insert into database_identity values ('shard', 'shard-9', 'local')");
  client.close();
});
afterAll(async () => {
  await sqld.stop();
  rmSync(parent, { recursive: true, force: true });
});
beforeEach(() => {
  runs += 1;
  to = join(parent, `backup-${runs}`);
});

const SHARD = { kind: 'shard', id: 'shard-9', deployment: 'local' } as const;
const database = () => ({ ...SHARD, url: sqld.url });

describe('a backup', () => {
  test('refuses a folder that is not empty', async () => {
    await backUp([database()], to);
    await expect(backUp([database()], to)).rejects.toThrow('is not empty; choose a new folder.');
  });

  test('fails on an admin address, which answers 200 with an empty body', async () => {
    await expect(backUp([{ ...database(), url: sqld.adminUrl }], to)).rejects.toThrow(
      'its address for requests, not its admin address',
    );
    expect(existsSync(join(to, LIST_FILE))).toBe(false);
    expect(existsSync(join(to, 'shard-9.sql'))).toBe(false);
  });
});

test('a backup of another database is refused', async () => {
  await expect(backUp([{ ...database(), deployment: 'production' }], to)).rejects.toThrow(
    'expected the shard shard-9 of production, found the shard shard-9 of local',
  );
});

describe('a restore', () => {
  test('keeps every byte, and its result can be backed up again', async () => {
    await backUp([database()], to);
    const folder = join(parent, `restored-${runs}`);
    await restore({ identity: SHARD, dump: join(to, 'shard-9.sql'), folder });
    const copy = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
    const client = createClient({ url: copy.url });
    const { rows } = await client.execute('select word, odd from words');
    expect(rows.map(({ word, odd }) => [word, odd])).toEqual([['  indented\n  twice', '\t;']]);
    client.close();
    await backUp([{ ...database(), url: copy.url }], `${to}-again`);
    await copy.stop();
    await restore({ identity: SHARD, dump: join(`${to}-again`, 'shard-9.sql'), folder: `${folder}-again` });
  });

  test.each([
    ['a byte is another', (text: string) => text.replace('indented', 'indenteD'), /is not what was written on 2/],
    ['the end is missing', (text: string) => text.slice(0, -20), /is not what was written on 2/],
  ])('of a listed dump in which %s is refused', async (_what, spoil, message) => {
    await backUp([database()], to);
    const dump = join(to, 'shard-9.sql');
    writeFileSync(dump, spoil(readFileSync(dump, 'utf8')));
    await expect(restore({ identity: SHARD, dump, folder: join(parent, 'none') })).rejects.toThrow(message);
    expect(existsSync(join(parent, 'none'))).toBe(false);
  });

  test('refuses a truncated dump without a list, and leaves no folder behind', async () => {
    await backUp([database()], to);
    const dump = join(parent, 'cut.sql');
    writeFileSync(dump, readFileSync(join(to, 'shard-9.sql'), 'utf8').slice(0, -20));
    const folder = join(parent, 'none');
    await expect(restore({ identity: SHARD, dump, folder })).rejects.toThrow(/sqld does not load .*cut\.sql/);
    expect([existsSync(folder), existsSync(`${folder}.restoring`)]).toEqual([false, false]);
  });

  test('of the dump of another database is refused, with both names, and leaves no folder behind', async () => {
    await backUp([database()], to);
    const folder = join(parent, 'none');
    const identity = { ...SHARD, id: 'shard-1' };
    await expect(restore({ identity, dump: join(to, 'shard-9.sql'), folder })).rejects.toThrow(
      'expected the shard shard-1 of local, found the shard shard-9 of local',
    );
    expect([existsSync(folder), existsSync(`${folder}.restoring`)]).toEqual([false, false]);
  });

  test('never overwrites a database', async () => {
    await backUp([database()], to);
    const dump = join(to, 'shard-9.sql');
    await expect(restore({ identity: SHARD, dump, folder: join(parent, 'data') })).rejects.toThrow(
      'is not empty; move what is there',
    );
  });
});
