import { afterEach, expect, test, vi } from 'vitest';
import { logError, logInfo } from '../../../src/ports/log.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('one JSON line is written, with its time', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 9, 30, 5, 7), toFake: ['Date'] });
  const lines: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  logInfo({ route: '/ready', status: 200 });
  expect(lines).toEqual(['{"level":"info","time":"2026-11-21T09:30:05.007Z","route":"/ready","status":200}']);
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
