import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { CommitOutcome, CommitRequest } from '../../../../db/writer.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import type { AnsweredCall } from '../../../../src/domain/request-log/entry.ts';
import { listRequests } from '../../../../src/domain/request-log/read.ts';
import { RequestLog } from '../../../../src/domain/request-log/recorder.ts';
import { unpack } from '../../../../src/domain/request-log/rows.ts';
import { SystemClock, systemRandom } from '../../../../src/providers/system.ts';
import { fillBody, handedOver, handOver, withNewReferences } from '../../../../src/ui/send-again.ts';

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
    form: () => FORM,
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
  it('keeps one of fifty successes above a hundred a second, and every failure but equal ones of the rate limit', async ({
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
    expect([statuses.get(201)?.length, statuses.get(404)?.length]).toEqual([102, 100]);
    expect(statuses.get(429)).toEqual([{ status: 429, repeats: 999 }]);
  });

  it('counts what does not fit', async () => {
    const { note, settled, lost } = logWith(() => ({ status: 'committed' }));
    // A hundred are being written, and 256 wait.
    for (let number = 1; number <= 400; number += 1) note(failure());
    await settled();
    expect(lost()).toHaveLength(400 - 100 - 256);
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
    note(callOf({ form: () => undefined }));
    await settled();
    expect(lost()).toEqual([['not_written', 1]]);
  });

  it('fills its masks from an example: at the same place, by the same name, or not at all', ({ expect }) => {
    const example = { phone: '+966512345678', place: { city: 'RUH', latitude: 24.7 }, items: [{ text: 'Beans' }] };
    const masked = {
      phone: '<string 10>',
      place: { city: 'JED', latitude: '<string 4>', note: '<string 3>' },
      other: { latitude: '<number>', phone: '<object>' },
      items: [{ text: '<string 5>', count: 0 }, { text: '<string 9>' }],
      nameless: '<unknown>',
    };
    expect(fillBody(masked, example)).toEqual({
      body: {
        phone: '+966512345678',
        place: { city: 'JED', latitude: undefined, note: undefined },
        other: { latitude: 24.7, phone: undefined },
        items: [{ text: 'Beans', count: 0 }, { text: 'Beans' }],
        nameless: null,
      },
      examples: ['phone', 'other.latitude', 'items[0].text', 'items[1].text', 'nameless'],
      leftOut: ['place.latitude', 'place.note', 'other.phone'],
    });
  });

  it('takes new references and keys unless the refusal says that nothing used them', () => {
    const order = { externalReference: 'ORDER-1', items: [{ quantity: 1 }] };
    const fresh = { ...order, externalReference: '$EXTERNAL_REFERENCE' };
    for (const status of [201, 409, 500, 503]) expect(withNewReferences(order, status)).toEqual(fresh);
    for (const status of [400, 422, 429]) expect(withNewReferences(order, status)).toBe(order);
    const batch = { mode: 'CREATE', items: [{ key: 'a', shipment: order }, { key: 'b' }] };
    expect(withNewReferences(batch, 202)).toEqual({
      mode: 'CREATE',
      items: [
        { key: '$IDEMPOTENCY_KEY-1', shipment: { ...order, externalReference: '$EXTERNAL_REFERENCE-1' } },
        { key: 'b' },
      ],
    });
    const other = { items: [{ quantity: 1 }] };
    expect(withNewReferences(other, 201)).toBe(other);
  });

  it('hands a request over to its form for a minute', ({ expect }) => {
    const stored = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
    });
    const about = { operation: 'things.create', method: 'POST', path: '/things', status: 201 } as const;
    const request = { ...about, requestHeaders: {}, requestBody: null };
    handOver(request, 1000);
    expect(handedOver('things-create', 61_000)).toEqual(request);
    expect(handedOver('things-list', 61_000)).toBeUndefined();
    expect(handedOver('things-create', 61_001)).toBeUndefined();
    vi.unstubAllGlobals();
  });

  it('is empty without a database', async () => {
    const none = { requestLog: undefined } as unknown as Parameters<typeof listRequests>[0];
    const scope = { companyId: COMPANY } as unknown as Parameters<typeof listRequests>[1];
    expect(await listRequests(none, scope, { limit: 1 })).toMatchObject({ ok: true, value: { data: [] } });
  });
});
