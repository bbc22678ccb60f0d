import { describe, expect, test } from 'vitest';
import { BURST_MAX, openLimiter } from '../../support/open-limiter.ts';

test('one more is refused until one has left', () => {
  const { first, more } = openLimiter(BURST_MAX);
  expect(more()).toBe(0);
  first.release();
  first.release();
  expect(more()).toBe(1);
});

test('who waits for somebody outside is not inside, and goes on when that has ended', () => {
  const { first, permits, more } = openLimiter(BURST_MAX);
  first.suspend();
  expect(more()).toBe(1);
  first.resume();
  permits[1]?.release();
  // One is still too many.
  expect(more()).toBe(0);
  first.release();
  expect(more()).toBe(1);
});

test('who has begun nothing is refused when as many are inside as may ever be', () => {
  const { first, permits, more } = openLimiter(BURST_MAX);
  first.suspend();
  expect(more()).toBe(1);
  expect(first.tryResume()).toBe(false);
  permits[1]?.release();
  expect(first.tryResume()).toBe(true);
  expect(more()).toBe(0);
});

test('who has left does not come in by his body', () => {
  const { first, more } = openLimiter(BURST_MAX);
  first.suspend();
  first.release();
  first.resume();
  expect(more()).toBe(1);
});

test('a permit that was never given back is free again when no request can last so long', () => {
  const { clock, more } = openLimiter(BURST_MAX);
  clock.nowMs = 29_999;
  expect(more()).toBe(0);
  clock.nowMs = 30_000;
  expect(more()).toBe(BURST_MAX);
});

describe('a crowd that lasts', () => {
  test('is let in while it may be a burst', () => {
    const { clock, more } = openLimiter(200);
    clock.nowMs = 2000;
    expect(more()).toBe(184);
  });

  test('is too many when more than a few do not come to an end, until fewer are inside', () => {
    const { clock, permits, more } = openLimiter(200);
    clock.nowMs = 2001;
    expect(more()).toBe(0);
    for (const permit of permits.slice(0, 110)) permit.release();
    expect(more()).toBe(6);
    // It is still one when those have left who were slow, and none when that is some seconds ago.
    for (const permit of permits) permit.release();
    expect(more()).toBe(90);
    clock.nowMs = 2500;
    expect(more()).toBe(0);
  });

  test('is over when none was seen for some seconds, and then more are let in by and by', () => {
    const { clock, limiter, permits, more } = openLimiter(200);
    clock.nowMs = 2001;
    expect([more(), limiter.isCrowded]).toEqual([0, true]);
    for (const permit of permits) permit.release();
    clock.nowMs = 7001;
    expect(more()).toBe(96);
    clock.nowMs = 8001;
    expect([more(), limiter.isCrowded]).toEqual([32, true]);
    clock.nowMs = 9001;
    expect(more()).toBe(32);
  });

  test('gives room for a burst again when nobody slow was inside for long enough', () => {
    const { clock, limiter, permits, more } = openLimiter(200);
    clock.nowMs = 2001;
    limiter.acquire();
    for (const permit of permits) permit.release();
    clock.nowMs = 7001 + 8999;
    expect(limiter.isCrowded).toBe(true);
    clock.nowMs = 7001 + 9000;
    expect([limiter.isCrowded, more()]).toEqual([false, BURST_MAX]);
  });

  test('is none for some slow requests among quick ones', () => {
    const { clock, more } = openLimiter(16);
    clock.nowMs = 20_000;
    expect(more()).toBe(BURST_MAX - 16);
  });

  test('is seen behind one who has come back a moment ago', () => {
    const { clock, limiter, first } = openLimiter(200);
    clock.nowMs = 3000;
    first.resume();
    expect(limiter.isCrowded).toBe(true);
  });

  test('begins for each when his body has come', () => {
    const { clock, permits, more } = openLimiter(200);
    for (const permit of permits) permit.suspend();
    clock.nowMs = 14_000;
    for (const permit of permits) permit.resume();
    expect(more()).toBe(184);
  });
});

describe('a loop that is late', () => {
  /** A crowd, and timers that rang so late for so many tenths of a second. */
  const openCrowd = (lateMs: number, times: number) => {
    const opened = openLimiter(200, 1);
    opened.clock.nowMs = 2001;
    for (let count = 0; count < times; count += 1) {
      opened.clock.nowMs += 100;
      opened.limiter.noteLateness(lateMs);
    }
    expect(opened.limiter.isCrowded).toBe(true);
    for (const permit of opened.permits) permit.release();
    return opened;
  };

  test('lets fewer of a crowd in, and never so few that nothing is done', () => {
    expect(openCrowd(150, 30).more()).toBe(96);
    expect(openCrowd(151, 1).more()).toBe(86);
    expect(openCrowd(5000, 30).more()).toBe(24);
  });

  test('lets more in again when it is in time', () => {
    const { clock, limiter, more } = openCrowd(151, 30);
    expect(more()).toBe(24);
    clock.nowMs += 100;
    limiter.noteLateness(150);
    expect(more()).toBe(2);
  });

  test('is heard ten times a second, however many timers ring', () => {
    const { clock, limiter, more } = openCrowd(151, 1);
    clock.nowMs += 99;
    limiter.noteLateness(151);
    expect(more()).toBe(86);
  });

  test('makes a crowd last', () => {
    const { clock, limiter, more } = openCrowd(151, 30);
    clock.nowMs += 4999;
    limiter.noteLateness(151);
    clock.nowMs += 5000;
    expect(more()).toBe(24);
  });

  test('is no reason to refuse where there is no crowd, nor in the next one', () => {
    const { clock, limiter, permits, more } = openLimiter(200, 1);
    for (clock.nowMs = 0; clock.nowMs < 2000; clock.nowMs += 100) limiter.noteLateness(151);
    expect(limiter.isCrowded).toBe(false);
    clock.nowMs = 2001;
    expect(limiter.isCrowded).toBe(true);
    for (const permit of permits) permit.release();
    expect(more()).toBe(96);
  });

  test('is forgotten when a crowd is over', () => {
    const { clock, limiter, permits, more } = openCrowd(151, 30);
    for (const permit of permits) permit.release();
    clock.nowMs += 60_000;
    const slow = Array.from({ length: 17 }, () => limiter.acquire());
    clock.nowMs += 2001;
    expect(limiter.isCrowded).toBe(true);
    for (const permit of slow) permit?.release();
    expect(more()).toBe(96);
  });
});

test('refusals wait for a second, and no longer when so many do that they would take the memory', () => {
  const { clock, limiter } = openLimiter(1);
  const waits = (count: number) => new Set(Array.from({ length: count }, () => limiter.beginRefusal()));
  expect([waits(1024), waits(10)]).toEqual([new Set([1000]), new Set([0])]);
  clock.nowMs = 999;
  expect(waits(1)).toEqual(new Set([0]));
  clock.nowMs = 1000;
  expect(waits(1)).toEqual(new Set([1000]));
});
