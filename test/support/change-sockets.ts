import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Environment } from '../../scripts/shared/connection.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { advanceClock, newSandbox, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { createLink, linksOf, readLink, revokeLink } from '../../scripts/shared/tracking.ts';
import { until } from '../../scripts/shared/until.ts';
import { SHIPMENT_SOCKETS_MAX } from '../../src/service/change-sockets.ts';
import { rawRequest, sendAndReset, sendRaw } from './raw-http.ts';

/** The sockets of tracking pages, on both runtimes, because each makes them in its own way. */
export function describeChangeSockets(started: () => Environment): void {
  describe('the socket of a tracking page', () => {
    it('tells of a command on its own shipment until the end, and is no view', async () => {
      const environment = started();
      const sandbox = await newSandbox(environment);
      const driver = await sandbox.signIn();
      const [one, other] = [await newLink(sandbox), await newLink(sandbox)];
      await sandbox.untilState(one.shipmentId, 'OFFERED');
      const [first, second, third] = await Promise.all([one, one, other].map(({ token }) => watch(environment, token)));
      if (first === undefined || second === undefined || third === undefined) throw new Error('No sockets');
      const toldTimes = (watched: Watched, times: number) =>
        until(`it is told ${times} times`, async () => (watched.messages.length >= times ? true : undefined));
      const position = { latitude: 24.7311, longitude: 46.6702 };
      for (const [index, action] of ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER'].entries()) {
        expect((await driver.act(one.shipmentId, { action, position })).status).toBe(200);
        await Promise.all([toldTimes(first, index + 1), toldTimes(second, index + 1)]);
        // A command of another company names the same shipment, and is refused.
        const stranger = await merchantOf(environment, environment.companies[0]);
        expect((await stranger.cancel(one.shipmentId)).status).toBe(403);
      }
      expect(await first.closed).toBe(1000);
      expect((await sandbox.merchant.cancel(other.shipmentId)).status).toBe(200);
      expect(await third.closed).toBe(1000);
      const told = Array.from({ length: 4 }, () => 'changed');
      expect([first.messages, second.messages, third.messages]).toEqual([told, told, ['changed']]);
      // A view of the page that follows is counted, and it is the only one.
      await environment.fetch(`/t/${other.token}`);
      const path = `${linksOf(other.shipmentId)}/${other.linkId}`;
      const link = await until('the view is counted', async () => {
        const read = await readLink(await sandbox.merchant.get(path));
        return read.viewCount > 0 ? read : undefined;
      });
      expect(link.viewCount).toBe(1);
    });

    it('is opened only by the own page of an active link whose shipment can change', async () => {
      const environment = started();
      const sandbox = await newSandbox(environment);
      const [open, revoked, ended] = [await newLink(sandbox), await newLink(sandbox), await newLink(sandbox)];
      const link = `${linksOf(revoked.shipmentId)}/${revoked.linkId}`;
      expect((await revokeLink(environment, sandbox, link, '*')).status).toBe(204);
      expect((await sandbox.merchant.cancel(ended.shipmentId)).status).toBe(200);
      const statuses = await Promise.all([
        watch(environment, `${sandbox.company.shard}_${'0'.repeat(32)}`),
        watch(environment, 'nothing'),
        watch(environment, revoked.token),
        watch(environment, ended.token),
        watch(environment, open.token, { origin: 'https://other.example' }),
        watch(environment, open.token, { origin: 'null' }),
        watch(environment, open.token, { upgrade: 'h2c' }),
        watch(environment, open.token),
      ]);
      const [last] = statuses.slice(-1);
      last?.close();
      expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 204, 403, 403, 426, 101]);
      const plain = await environment.fetch(`/t/${open.token}/changes`);
      // workerd sends this header with 101 only.
      const upgrade = environment.runtime === 'deno' ? 'websocket' : null;
      expect([plain.status, plain.headers.get('upgrade'), await plain.text()]).toEqual([426, upgrade, '']);
      // The runtimes refuse these handshakes themselves.
      expect([400, 426]).toContain((await watch(environment, open.token, {}, 'HEAD')).status);
      const headers = Object.entries({ ...HANDSHAKE, host: 'x', origin: environment.baseUrl, 'content-length': '5' });
      const lines = headers.map(([name, value]) => `${name}: ${value}`);
      const { statuses: withBody } = await sendRaw(
        environment.address,
        rawRequest(`GET /t/${open.token}/changes HTTP/1.1`, lines, 'hello'),
      );
      expect([400, 426]).toContain(withBody[0]);
      expect((await watch(environment, open.token, { 'sec-websocket-key': undefined })).status).toBe(400);
    });

    it('tells nothing more once its link is revoked or has expired, and is closed', async () => {
      const environment = started();
      const sandbox = await newSandbox(environment);
      const { shipmentId, linkId, token: revoked } = await newLink(sandbox);
      const { token: expiring } = await createLink(sandbox.merchant, shipmentId, { expiresInSeconds: 300 });
      const { token: active } = await createLink(sandbox.merchant, shipmentId);
      const watched = await Promise.all([revoked, expiring, active].map((token) => watch(environment, token)));
      expect(watched.map(({ status }) => status)).toEqual([101, 101, 101]);
      expect((await revokeLink(environment, sandbox, `${linksOf(shipmentId)}/${linkId}`, '*')).status).toBe(204);
      await advanceClock(sandbox, { seconds: 300 });
      expect((await sandbox.merchant.cancel(shipmentId)).status).toBe(200);
      expect(await Promise.all(watched.map(({ closed }) => closed))).toEqual([1008, 1008, 1000]);
      expect(watched.map(({ messages }) => messages)).toEqual([[], [], ['changed']]);
    });

    it(`is one of ${SHIPMENT_SOCKETS_MAX} for a shipment; further pages get 503`, async () => {
      const environment = started();
      const sandbox = await newSandbox(environment);
      const [{ token }, other] = [await newLink(sandbox), await newLink(sandbox)];
      const all = await Promise.all(Array.from({ length: SHIPMENT_SOCKETS_MAX }, () => watch(environment, token)));
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([101]));
      const [refused, elsewhere] = [await watch(environment, token), await watch(environment, other.token)];
      expect([refused.status, elsewhere.status]).toEqual([503, 101]);
      all[0]?.close();
      expect(await all[0]?.closed).toBe(1000);
      const next = await until('there is room again', async () => {
        const again = await watch(environment, token);
        return again.status === 101 ? again : undefined;
      });
      for (const watched of [...all, elsewhere, next]) watched.close();
    });

    it('that was closed leaves its place, also if the client ignores the close', async () => {
      const environment = started();
      const { token } = await newLink(await newSandbox(environment));
      for (let time = 1; time <= 2; time += 1) {
        const all = await Promise.all(Array.from({ length: SHIPMENT_SOCKETS_MAX }, () => watch(environment, token)));
        expect(all.map(({ status }) => status)).toEqual(all.map(() => 101));
        for (const { send } of all) send('x');
        // These clients do not answer the close, and keep their connections.
        expect(new Set(await Promise.all(all.map(({ closed }) => closed)))).toEqual(new Set([1008]));
      }
    });

    it('is closed for a client that sends more than pings, without harm to the others', async () => {
      const environment = started();
      const sandbox = await newSandbox(environment);
      const { shipmentId, token } = await newLink(sandbox);
      const quiet = await watch(environment, token);
      const codes = await Promise.all(
        ['x', '', 'ping '.repeat(200_000), randomBytes(32)].map(async (message) => {
          const client = await watch(environment, token);
          for (let count = 0; count < 50; count += 1) client.send('ping');
          client.send(message);
          return client.closed;
        }),
      );
      expect(codes).toEqual([1008, 1008, 1008, 1008]);
      const flood = await watch(environment, token);
      for (let count = 0; count < 500; count += 1) flood.send('x');
      // A client that goes on sending may get a reset instead of the code.
      expect([1008, undefined]).toContain(await flood.closed);
      quiet.send('ping');
      expect((await sandbox.merchant.cancel(shipmentId)).status).toBe(200);
      expect(await quiet.closed).toBe(1000);
      expect(quiet.messages.filter((message) => message !== 'pong')).toEqual(['changed']);
      expect((await sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}`)).status).toBe(200);
    });
  });
}

/** What workerd does itself, or with the times of test/runtime/socket-limits.test.ts. */
export function describeSocketsOfDeno(started: () => Environment): void {
  describe('the socket of a tracking page on Deno', () => {
    it('that is reset during its handshake leaves its place', async () => {
      const environment = started();
      const { token } = await newLink(await newSandbox(environment));
      const lines = Object.entries({ ...HANDSHAKE, host: 'x', origin: environment.baseUrl });
      const headers = lines.map(([name, value]) => `${name}: ${value}`);
      const handshake = rawRequest(`GET /t/${token}/changes HTTP/1.1`, headers);
      // Some of these clients leave before the service has read the link, some before it answers, and some after that.
      for (let client = 0; client < 10 * SHIPMENT_SOCKETS_MAX; client += 1)
        await sendAndReset(environment.address, handshake, client % 10);
      const opened = await until('all places are free', async () => {
        const all = await Promise.all(Array.from({ length: SHIPMENT_SOCKETS_MAX }, () => watch(environment, token)));
        if (all.every(({ status }) => status === 101)) return all;
        for (const watched of all) watched.close();
        return undefined;
      });
      expect(opened).toHaveLength(SHIPMENT_SOCKETS_MAX);
      for (const watched of opened) watched.close();
    });

    it('is closed for a client that sends pings without a pause', async () => {
      const environment = started();
      const { token } = await newLink(await newSandbox(environment));
      const { send, closed } = await watch(environment, token);
      for (let count = 0; count < 200; count += 1) send('ping');
      // A client that goes on sending may get a reset instead of the code.
      expect([1008, undefined]).toContain(await closed);
    });
  });
}

async function newLink(sandbox: Sandbox) {
  const { shipmentId } = await sandbox.create();
  return { shipmentId, ...(await createLink(sandbox.merchant, shipmentId)) };
}

/** A handshake, and the socket that it made. */
interface Watched {
  readonly status: number;
  readonly messages: readonly string[];
  /** The close code of the service; undefined if the connection ended without one. */
  readonly closed: Promise<number | undefined>;
  send(message: string | Uint8Array): void;
  close(): void;
}

const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': randomBytes(16).toString('base64'),
  'sec-websocket-version': '13',
};

/** Opens `/t/{token}/changes` as a browser does (RFC 6455 section 4.1), with some headers changed. */
export function watch(
  { address, baseUrl }: Pick<Environment, 'address' | 'baseUrl'>,
  token: string,
  changes: Readonly<Record<string, string | undefined>> = {},
  method = 'GET',
): Promise<Watched> {
  const headers = { ...HANDSHAKE, origin: baseUrl, ...changes };
  const { promise, resolve, reject } = Promise.withResolvers<Watched>();
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const asked = request(`${address}/t/${token}/changes`, { method, headers: sent, agent: false });
  asked.on('upgrade', ({ statusCode }, connection, head) => {
    connection.unshift(head);
    resolve({ status: statusCode ?? 0, ...followFrames(connection) });
  });
  asked.on('response', (response) => {
    response.resume();
    const nothing = () => undefined;
    const status = response.statusCode ?? 0;
    resolve({ status, messages: [], closed: Promise.resolve(undefined), send: nothing, close: nothing });
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}

const [TEXT, BINARY, CLOSE, PING, PONG] = [1, 2, 8, 9, 10];

/** Reads the frames of a connection (RFC 6455 section 5.2). The service sends short ones, without a mask. */
function followFrames(connection: Duplex): Omit<Watched, 'status'> {
  const messages: string[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<number | undefined>();
  let received = Buffer.alloc(0);
  connection.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    for (let length = lengthOf(received); received.length >= length; length = lengthOf(received)) {
      const [opcode, payload] = [(received[0] ?? 0) & 15, received.subarray(2, length)];
      if (opcode === TEXT) messages.push(payload.toString());
      if (opcode === CLOSE) resolve(payload.readUInt16BE());
      // As browsers do. Deno closes a socket that does not answer.
      if (opcode === PING) connection.write(frameOf(PONG, payload));
      received = received.subarray(length);
    }
  });
  connection.on('error', () => connection.destroy());
  connection.on('close', () => resolve(undefined));
  const send = (message: string | Uint8Array) => {
    const payload = Buffer.from(message);
    connection.write(frameOf(typeof message === 'string' ? TEXT : BINARY, payload));
  };
  return { messages, closed, send, close: () => void connection.end(frameOf(CLOSE, Buffer.from([0x03, 0xe8]))) };
}

/** The length of the first frame with its head. */
function lengthOf(received: Buffer): number {
  return received.length < 2 ? Number.POSITIVE_INFINITY : 2 + ((received[1] ?? 0) & 127);
}

/** A whole frame of a client. A mask of zeros leaves the payload as it is. */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const isShort = payload.length < 126;
  const head = Buffer.alloc(isShort ? 6 : 14);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (isShort ? payload.length : 127);
  if (!isShort) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}
