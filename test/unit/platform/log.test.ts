import { afterEach, expect, test, vi } from 'vitest';
import { logError, logInfo } from '../../../src/ports/log.ts';

afterEach(() => vi.restoreAllMocks());

test('one JSON line is written', () => {
  const lines: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  logInfo({ route: '/ready', status: 200 });
  expect(lines).toEqual(['{"level":"info","route":"/ready","status":200}']);
});

test('a full disk or a closed terminal fails no request', () => {
  const refuse = () => {
    throw new Error('No space left on device (os error 28)');
  };
  vi.spyOn(console, 'log').mockImplementation(refuse);
  vi.spyOn(console, 'error').mockImplementation(refuse);
  expect(() => logInfo({ status: 200 })).not.toThrow();
  expect(() => logError({ error: 'broken' })).not.toThrow();
});
