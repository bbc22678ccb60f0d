import type { ServerResponse } from 'node:http';
import { BAD_ANSWERS } from './provider-server.ts';

/** Answers of a source of addresses that are no use, whatever it was asked. */
export const BROKEN_ANSWERS: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ...BAD_ANSWERS.filter(([name]) => name !== 'status 429'),
  ['status 401', (response) => response.writeHead(401).end('{"statusCode":401,"message":"Access denied"}')],
  ['status 404', (response) => response.writeHead(404).end('{"statusCode":404,"message":"Resource not found"}')],
  ['a page of a portal', (response) => response.end('<!doctype html><title>Welcome</title>')],
  ['nothing', (response) => response.end()],
  ['a list', (response) => response.end('[]')],
  ['null', (response) => response.end('null')],
  ['deep JSON', (response) => response.end('['.repeat(50_000))],
  ['bytes that are no UTF-8', (response) => response.end(Buffer.from([0x7b, 0xff, 0xfe]))],
  ['more than a megabyte', (response) => response.end(`"${'a'.repeat(1_100_000)}"`)],
  [
    'an answer that is cut',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"success":tr');
      setTimeout(() => response.socket?.destroy(), 10);
    },
  ],
  ['an answer that stops half-way', (response) => void response.writeHead(200).write('{"success":true,')],
];
