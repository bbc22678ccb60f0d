import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CommitOutcome, CommitRequest } from '../../../db/writer.ts';
import type { Uuid } from '../../../src/core/uuid.ts';
import type { AnsweredCall } from '../../../src/domain/request-log/entry.ts';
import { listRequests } from '../../../src/domain/request-log/read.ts';
import { RequestLog } from '../../../src/domain/request-log/recorder.ts';
import { unpack } from '../../../src/domain/request-log/rows.ts';
import { SystemClock, systemRandom } from '../../../src/providers/system.ts';

const COMPANY = '01976d11-02b7-7c64-8a1f-d35e90b7c428' as Uuid;
const FORM = {
  method: 'POST',
  path: '/v2/external/things',
  input: z.strictObject({ comment: z.string() }),
  places: new Map([['comment', 'body']] as const),
  headerOf: new Map<string, string>(),
  isRaw: false,
  output: z.null(),
};

function callOf(changes: Partial<AnsweredCall> = {}): AnsweredCall {
  return {
    requestId: systemRandom.uuid(),
    correlationId: systemRandom.uuid(),
    companyId: COMPANY,
    source: 'API',
    clientId: 'client',
    operation: 'things.create',
    input: { comment: 'text' },
    output: null,
    refusal: undefined,
    parameters: {},
    isHead: false,
    isRead: false,
    status: 201,
    durationMs: 1,
    replayed: false,
    bytes: 0,
    form: () => Promise.resolve(FORM),
    ...changes,
  };
}

/** A log whose database takes rows as `commit` says, at a time that stands still. */
function logWith(commit: (request: CommitRequest) => CommitOutcome) {
  const dropped: [string, number][] = [];
  const work: Promise<unknown>[] = [];
  const log = new RequestLog({
    writer: { commit: (request) => Promise.resolve(commit(request)) },
    clock: new SystemClock(),
    random: systemRandom,
    metrics: {
      count: (_name, [reason], by = 1) => dropped.push([String(reason), by]),
      measure: () => undefined,
      set: () => undefined,
    },
    monotonicMs: () => 5000,
  });
  const note = (call: AnsweredCall) => log.note(call, '/things', (one) => work.push(one));
  const settled = async () => {
    let seen = 0;
    while (seen < work.length) {
      seen = work.length;
      await Promise.all(work);
    }
  };
  return { note, settled, lost: () => dropped.filter(([, entries]) => entries > 0) };
}

const failure = (): AnsweredCall => callOf({ status: 404 });

describe.concurrent('the request log', () => {
  it('keeps one of ten successes above a hundred a second, and every failure but equal ones of the rate limit', async ({
    expect,
  }) => {
    const kept: string[] = [];
    const { note, settled, lost } = logWith(({ statements }) => {
      kept.push(...statements.map(({ args }) => String(args.at(-1))));
      return { status: 'committed' };
    });
    for (let number = 1; number <= 200; number += 1) note(callOf());
    for (let number = 1; number <= 100; number += 1) note(failure());
    for (let number = 1; number <= 1000; number += 1) note(callOf({ status: 429 }));
    await settled();
    expect(lost()).toEqual([]);
    const lines = (await Promise.all(kept.map(unpack))).join('\n').split('\n');
    const entries = lines.map((line) => z.object({ status: z.int(), repeats: z.int() }).parse(JSON.parse(line)));
    const statuses = Map.groupBy(entries, ({ status }) => status);
    expect([statuses.get(201)?.length, statuses.get(404)?.length]).toEqual([110, 100]);
    expect(statuses.get(429)).toEqual([{ status: 429, repeats: 999 }]);
  });

  it('counts what does not fit', async () => {
    const { note, settled, lost } = logWith(() => ({ status: 'committed' }));
    for (let number = 1; number <= 300; number += 1) note(failure());
    await settled();
    expect(lost()).toHaveLength(300 - 256);
    expect(new Set(lost().map(([reason]) => reason))).toEqual(new Set(['full']));
  });

  it('counts what its database does not take', async () => {
    const { note, settled, lost } = logWith(() => ({ status: 'unavailable', reason: 'busy' }));
    note(failure());
    await settled();
    expect(lost()).toEqual([['not_written', 1]]);
  });

  it('counts what cannot be described', async () => {
    const { note, settled, lost } = logWith(() => ({ status: 'committed' }));
    note(callOf({ form: () => Promise.reject(new Error('no form')) }));
    await settled();
    expect(lost()).toEqual([['not_written', 1]]);
  });

  it('is empty without a database', async () => {
    const none = { requestLog: undefined } as unknown as Parameters<typeof listRequests>[0];
    const scope = { companyId: COMPANY } as unknown as Parameters<typeof listRequests>[1];
    expect(await listRequests(none, scope, { limit: 1 })).toMatchObject({ ok: true, value: { data: [] } });
  });
});
