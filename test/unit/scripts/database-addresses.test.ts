import { describe, expect, test } from 'vitest';
import { readDatabases } from '../../../scripts/database-addresses.ts';

const DIRECTORY = JSON.stringify({ url: 'http://127.0.0.1:8701' });
const SHARDS = JSON.stringify([{ id: 'shard-1', url: 'https://one.example', authToken: 'secret-token' }]);

describe('databases of the environment', () => {
  test('are the directory and the shards; none when they are not named', () => {
    expect(readDatabases({ LIBSQL_DIRECTORY: DIRECTORY, LIBSQL_SHARDS: SHARDS })).toEqual([
      { kind: 'directory', id: 'directory', url: 'http://127.0.0.1:8701' },
      { kind: 'shard', id: 'shard-1', url: 'https://one.example', authToken: 'secret-token' },
    ]);
    expect(readDatabases({ LIBSQL_DIRECTORY: DIRECTORY })).toBeUndefined();
  });

  test.each([
    ['no shard', '[]', 'LIBSQL_SHARDS: '],
    ['no JSON', 'shard-1', 'LIBSQL_SHARDS: is not JSON'],
    ['an id that is none', JSON.stringify([{ id: '../shard', url: 'http://127.0.0.1:1' }]), 'LIBSQL_SHARDS.0.id: '],
    ['a word too many', SHARDS.replace('authToken', 'token'), 'LIBSQL_SHARDS.0: '],
  ])('are refused as the service refuses them, and no secret is told: %s', (_what, shards, told) => {
    const read = () => readDatabases({ LIBSQL_DIRECTORY: DIRECTORY, LIBSQL_SHARDS: shards });
    expect(read).toThrow(told);
    expect(read).not.toThrow('secret-token');
  });
});
