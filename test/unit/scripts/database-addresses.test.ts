import { describe, expect, test } from 'vitest';
import { readDatabases, replaceDatabaseUrls, requireDatabases } from '../../../scripts/shared/database-addresses.ts';

const DIRECTORY = JSON.stringify({ url: 'http://127.0.0.1:8701' });
const SHARDS = JSON.stringify([{ id: 'shard-1', url: 'https://one.example', authToken: 'secret-token' }]);

describe('databases of the environment', () => {
  test('are the directory and the shards, or undefined if they are not set', () => {
    expect(readDatabases({ DEPLOYMENT: 'local', LIBSQL_DIRECTORY: DIRECTORY, LIBSQL_SHARDS: SHARDS })).toEqual([
      { kind: 'directory', id: 'directory', deployment: 'local', url: 'http://127.0.0.1:8701' },
      { kind: 'shard', id: 'shard-1', deployment: 'local', url: 'https://one.example', authToken: 'secret-token' },
    ]);
    expect(readDatabases({ LIBSQL_DIRECTORY: DIRECTORY })).toBeUndefined();
  });

  test.each([
    ['no shard', '[]', 'LIBSQL_SHARDS: '],
    ['invalid JSON', 'shard-1', 'LIBSQL_SHARDS: is not JSON'],
    ['an invalid id', JSON.stringify([{ id: '../shard', url: 'http://127.0.0.1:1' }]), 'LIBSQL_SHARDS.0.id: '],
    ['an unknown member', SHARDS.replace('authToken', 'token'), 'LIBSQL_SHARDS.0: '],
  ])('are refused as by the service, without printing a secret: %s', (_what, shards, told) => {
    const read = () => readDatabases({ DEPLOYMENT: 'local', LIBSQL_DIRECTORY: DIRECTORY, LIBSQL_SHARDS: shards });
    expect(read).toThrow(told);
    expect(read).not.toThrow('secret-token');
  });
});

test('each database gets a new address, and everything else stays the same', async () => {
  const own = { DEPLOYMENT: 'local', LIBSQL_DIRECTORY: DIRECTORY, LIBSQL_SHARDS: SHARDS };
  const asked: string[] = [];
  const replaced = await replaceDatabaseUrls(own, (id, url) => {
    asked.push(`${id} at ${url}`);
    return Promise.resolve(`http://127.0.0.1:1/${id}`);
  });
  const before = requireDatabases(own);
  expect(asked.toSorted()).toEqual(before.map(({ id, url }) => `${id} at ${url}`).toSorted());
  expect(requireDatabases(replaced)).toEqual(before.map((one) => ({ ...one, url: `http://127.0.0.1:1/${one.id}` })));
  expect(replaced['DEPLOYMENT']).toBe('local');
});
