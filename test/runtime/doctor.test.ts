import { createServer } from 'node:https';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { examine } from '../../scripts/operate/doctor.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { newSigningKey } from '../../scripts/shared/keys.ts';
import { freePort, LOOPBACK } from '../../scripts/shared/ports.ts';
import { BUCKET_KEY, newBucket } from '../support/bucket.ts';
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts';
import { type ProviderServer, startProvider } from '../support/provider-server.ts';

/* The table of faults: what `npm run doctor` says of each, in one line. */

vi.setConfig({ testTimeout: 30_000 });

let environment: OwnEnvironment;
let provider: ProviderServer;
const tls = createServer({ cert: CERTIFICATE, key: PRIVATE_KEY });
let tlsPort = 0;
beforeAll(async () => {
  provider = await startProvider();
  environment = await startEnvironment('deno');
  tlsPort = await freePort();
  await new Promise<void>((resolve) => tls.listen(tlsPort, LOOPBACK, resolve));
});
afterAll(async () => {
  tls.close();
  await provider.stop();
  await environment.stop();
});

/** The faults with these variables, as the command prints them. */
async function faultsWith(changes: Readonly<Record<string, string>>): Promise<string[]> {
  const variables = { ...environment.variables, BASE_URL: environment.address, ...changes };
  const findings = await examine({ variables, runtime: 'deno', mayLoseKeys: false });
  for (const { mend } of findings.filter(({ isFault }) => isFault)) expect(mend).not.toBe('');
  return findings.filter(({ isFault }) => isFault).map(({ check, found, mend }) => `${check}: ${found}. ${mend}`);
}
const listOf = (name: string): Record<string, string>[] => JSON.parse(environment.variables[name] ?? '[]');

it('finds no fault in a deployment that works', async () => {
  expect(await faultsWith({})).toEqual([]);
});

it.each<[string, () => Promise<Record<string, string>> | Record<string, string>, RegExp]>([
  [
    'swapped addresses',
    () => {
      const [first, second] = listOf('LIBSQL_SHARDS');
      return {
        LIBSQL_SHARDS: JSON.stringify([
          { ...second, id: 'shard-1' },
          { ...first, id: 'shard-2' },
        ]),
      };
    },
    /^database shard-1: expected the shard shard-1 of local, found the shard shard-2 of local\. Correct its address/,
  ],
  [
    'a wrong kind',
    () => ({ LIBSQL_DIRECTORY: JSON.stringify({ url: listOf('LIBSQL_SHARDS')[0]?.['url'] }) }),
    /^database directory: expected the directory of local, found the shard shard-1 of local\. Correct/,
  ],
  [
    'a renamed shard',
    () => ({ LIBSQL_SHARDS: JSON.stringify([{ ...listOf('LIBSQL_SHARDS')[0], id: 'riyadh' }]) }),
    /^database riyadh: expected the shard riyadh of local, found the shard shard-1 of local\. Correct/,
  ],
  [
    'the databases of another deployment',
    () => ({ DEPLOYMENT: 'sandbox' }),
    /^database directory: expected the directory of sandbox, found the directory of local\. Correct/,
  ],
  [
    'a database that does not run',
    async () => ({ LIBSQL_LOGS: JSON.stringify({ url: `http://${LOOPBACK}:${await freePort()}` }) }),
    /^database logs: no answer: TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:\d+\. Start it/,
  ],
  [
    'the public part of another key',
    async () => ({
      TOKEN_SIGNING_KEYS: JSON.stringify([{ ...(await newSigningKey()), x: (await newSigningKey()).x }]),
    }),
    /^keys: TOKEN_SIGNING_KEYS: the key \S+ does not verify what it signs.*\. Put the whole key back/,
  ],
  [
    'a malformed key',
    () => ({ CURSOR_KEYS: '["c2hvcnQ"]' }),
    /^variables: CURSOR_KEYS\.0: must be 32 bytes in base64url\. Correct it/,
  ],
  [
    'a file with CRLF',
    () => ({ BASE_URL: `${environment.address}\r` }),
    /^variables: BASE_URL: begins or ends with a space, a line end \(CRLF\) or quotes/,
  ],
  // https://github.com/moby/moby/issues/46773
  [
    'a value that keeps its quotes',
    () => ({ LIBSQL_TOKEN: '"This should not be altered"' }),
    /^variables: LIBSQL_TOKEN: begins or ends/,
  ],
  ['a trailing space', () => ({ ROUTING_URL: `${provider.url} ` }), /^variables: ROUTING_URL: begins or ends/],
  [
    'a bucket that is read-only',
    () => {
      const bucket = newBucket();
      provider.answer = (response, asked) =>
        asked.method === 'PUT' ? void response.writeHead(403).end() : bucket.answer(response, asked);
      return { DOCUMENTS: JSON.stringify({ url: `${provider.url}/bucket`, ...BUCKET_KEY }) };
    },
    /^documents: s3 takes no file\. Allow the key in DOCUMENTS to write there/,
  ],
  [
    'a routing address with its path',
    () => {
      provider.answer = (response) => void response.writeHead(404).end();
      return { ROUTING_URL: `${provider.url}/route/v1` };
    },
    /^routing: the engine gives no route in two seconds\. Set ROUTING_URL to the part before \/route\/v1$/,
  ],
  [
    'a registry that does not know the key',
    () => {
      provider.answer = (response) => void response.writeHead(401).end('{"statusCode":401}');
      return { ADDRESSES: JSON.stringify({ registry: { apiKey: 'key', url: provider.url } }) };
    },
    /^registry: no usable answer in two seconds\. Correct registry in ADDRESSES, or wait if its quota is used up$/,
  ],
  [
    'a geocoder of another country',
    () => {
      provider.answer = (response) => void response.end('{"type":"FeatureCollection","features":[]}');
      return { ADDRESSES: JSON.stringify({ geocoder: { url: provider.url } }) };
    },
    /^geocoder: it does not know Riyadh\. Import an extract that has Saudi Arabia$/,
  ],
  [
    'a carrier that does not know the account',
    () => {
      provider.answer = (response) => void response.writeHead(401).end();
      return {
        MESSAGES: JSON.stringify({ email: { apiKey: 'key', from: 'codes@mirsal.example', url: provider.url } }),
      };
    },
    /^messages by e-mail: the carrier does not know the account \(401\)\. Correct its key in MESSAGES$/,
  ],
  [
    'a certificate that is not valid',
    () => ({ BASE_URL: `https://${LOOPBACK}:${tlsPort}` }),
    /^base address: no answer: .*certificate.*\. Renew the certificate of BASE_URL, or complete its chain$/i,
  ],
  [
    'an address at which another program answers',
    () => {
      provider.answer = (response) => void response.end('hello');
      return { BASE_URL: provider.url };
    },
    /^base address: another program answers there \(200\)\. Correct BASE_URL/,
  ],
  [
    'more proxies than arrive',
    () => ({ PROXIES: '1' }),
    /^base address: PROXIES is 1, and 0 entries of X-Forwarded-For arrive\. Set PROXIES=0/,
  ],
])('names %s in one line that says what to do', async (_what, changes, line) => {
  expect(await faultsWith(await changes())).toContainEqual(expect.stringMatching(line));
});

it('tells a clock that is an hour behind', async () => {
  const now = Date.now.bind(Date);
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
  try {
    expect(await faultsWith({})).toContainEqual(
      expect.stringMatching(
        /^database directory: its clock is 3600 s ahead of this machine's\. Set both clocks by NTP/,
      ),
    );
  } finally {
    spy.mockRestore();
  }
});
