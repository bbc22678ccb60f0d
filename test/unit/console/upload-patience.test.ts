import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type FoundPlace,
  NO_FINDINGS,
  placedAll,
  searchProgressOf,
  withFound,
  withoutPlace,
  withWrong,
} from '../../../src/console/shipments/upload-places.ts';
import type { UploadRow } from '../../../src/console/shipments/upload-rows.ts';
import { readShipments } from '../../../src/console/shipments/upload-shipments.ts';

type Reads = Parameters<typeof readShipments>[0];
type Calls = Parameters<typeof readShipments>[1];
type Page = Awaited<ReturnType<Calls['list']>>;

describe('a call of an upload', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('document', { documentElement: { lang: 'en' } });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const loadStart = async () => {
    const { patiently } = await import('../../../src/console/shipments/upload-patience.ts');
    return (call: () => Promise<string>, signal = new AbortController().signal) =>
      patiently(call, signal).catch((error: unknown) => error);
  };
  const refusal = async (code: string, retryAfterSeconds?: number) => {
    const { RestError } = await import('../../../src/ui/browser/service/failure.ts');
    const about = { type: 'about:blank', title: code, instance: '/', requestId: 'r', correlationId: 'c', code };
    return new RestError({ ...about, status: 503, retryAfterSeconds } as never);
  };

  test('is made again after a lost connection, an overload and a rate limit, when the service says so', async () => {
    const call = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new TypeError('Failed to fetch'))
      .mockRejectedValueOnce(await refusal('SERVICE_UNAVAILABLE'))
      .mockRejectedValueOnce(await refusal('RATE_LIMITED', 40))
      .mockResolvedValue('made');
    const answer = (await loadStart())(call);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(call).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await answer).toBe('made');
  });

  test('is made once if it is refused for good, and no more after the page is left', async () => {
    const refused = await refusal('VALIDATION_FAILED');
    const call = vi.fn<() => Promise<string>>(() => Promise.reject(refused));
    const start = await loadStart();
    expect(await start(call)).toBe(refused);
    expect(call).toHaveBeenCalledTimes(1);
    const left = new AbortController();
    const lost = vi.fn<() => Promise<string>>(() => Promise.reject(new TypeError('Failed to fetch')));
    const end = start(lost, left.signal);
    await vi.advanceTimersByTimeAsync(1_000);
    left.abort();
    expect(await end).toBeInstanceOf(Error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lost).toHaveBeenCalledTimes(1);
  });
});

describe('the result of 10,000 shipments in 20 batches', () => {
  const idAt = (index: number) => `shipment-${index}`;
  const instant = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
  const reads = Array.from({ length: 20 }, (_, part) => ({
    batch: { createdAt: instant(part), completedAt: instant(part + 1) },
    items: Array.from({ length: 500 }, (_item, index) => ({ shipmentId: idAt(part * 500 + index) })),
  })) as unknown as Reads;

  /** The service with these shipments in its list. */
  function serviceWith(listed: readonly string[]) {
    return {
      list: vi.fn<Calls['list']>(({ cursor = '0', limit = 20 }) => {
        const from = Number(cursor);
        const next = from + limit < listed.length ? String(from + limit) : null;
        const data = listed.slice(from, from + limit).map((shipmentId) => ({ shipmentId }));
        return Promise.resolve({ data, page: { nextCursor: next } } as unknown as Page);
      }),
      get: vi.fn<Calls['get']>((shipmentId) => Promise.resolve({ shipmentId } as never)),
    };
  }

  test('reads one list over the time of all batches', async () => {
    const service = serviceWith(Array.from({ length: 10_000 }, (_, index) => idAt(index)));
    expect((await readShipments(reads, service)).size).toBe(10_000);
    expect(service.list).toHaveBeenCalledTimes(100);
    expect(service.list.mock.calls[0]?.[0]).toMatchObject({
      createdFrom: '2026-01-01T09:59:00.000Z',
      createdTo: '2026-01-01T10:21:00.000Z',
    });
    expect(service.get).not.toHaveBeenCalled();
  });

  test('asks one by one only for those that were created before', async () => {
    const service = serviceWith(Array.from({ length: 9_998 }, (_, index) => idAt(index)));
    expect((await readShipments(reads, service)).size).toBe(10_000);
    expect(service.get.mock.calls.map(([id]) => id)).toEqual([idAt(9_998), idAt(9_999)]);
  });
});

describe('the places of 10,000 orders', () => {
  const rows: UploadRow[] = Array.from({ length: 10_000 }, (_, index) => ({
    number: index + 2,
    values: { 'destination.addressLine': `طريق الملك فهد ${index}`, 'destination.cityCode': 'الرياض' },
    corrected: {},
  }));
  const placeOf = ({ number, values }: UploadRow): FoundPlace => ({
    number,
    address: values['destination.addressLine'] ?? '',
    city: values['destination.cityCode'] ?? '',
    title: '',
    confidence: 'EXACT',
    latitude: '24.7',
    longitude: '46.6',
  });

  test('are sought, to be confirmed, confirmed or wrong, and a wrong one is not sought again', () => {
    const all = withFound(NO_FINDINGS, rows.slice(0, 3).map(placeOf));
    const [first, second] = all.found;
    if (first === undefined || second === undefined) throw new Error('no places');
    const confirmed = placedAll(rows, [first, second]);
    const before = searchProgressOf(confirmed, all);
    expect([before.confirmed.length, before.proposed.length, before.sought.length]).toEqual([2, 1, 9_997]);
    const mended = confirmed.map((row) => withoutPlace(row, second));
    const after = searchProgressOf(mended, withWrong(all, second));
    expect([after.confirmed, after.proposed.length, after.sought.length]).toEqual([[first], 1, 9_997]);
    expect(after.unplaced).toHaveLength(9_999);
    // Another address is another search.
    const moved = mended.map((row) =>
      row.number === second.number ? { ...row, values: { ...row.values, 'destination.addressLine': 'العليا' } } : row,
    );
    expect(searchProgressOf(moved, withWrong(all, second)).sought).toHaveLength(9_998);
  });

  test('take the time of one look at each order, although all were wrong', () => {
    const wrong = rows.map(placeOf);
    const start = performance.now();
    expect(searchProgressOf(rows, { found: [], wrong }).sought).toEqual([]);
    // A look at each place for each order takes a hundred times as long.
    expect(performance.now() - start).toBeLessThan(500);
  });
});
