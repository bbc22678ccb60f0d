import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { answering, type Receiver, startReceiver } from '../../scripts/shared/receiver.ts';
import { newSandbox, SANDBOX, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { until } from '../../scripts/shared/until.ts';
import { webhooksOf } from '../../scripts/shared/webhooks.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** The clock of a sandbox: what is virtual moves with it and is done at its own instant, and nothing else moves. */

const environment = sharedEnvironment();
const CLOCK = `${SANDBOX}/clock`;
const ADVANCES = `${CLOCK}/advances`;
const DAY = 86_400;
/** Webhooks are really sent, one instant after the other. */
const PATIENCE = { withinMs: 55_000 };

const clockBody = z.strictObject({
  now: z.string(),
  offsetSeconds: z.int(),
  state: z.enum(['READY', 'ADVANCING']),
  target: z.nullable(z.string()),
  nextDue: z.array(z.strictObject({ at: z.string(), what: z.string(), shipmentId: z.nullable(z.string()) })),
});
const readClock = async ({ merchant }: Pick<Sandbox, 'merchant'>) =>
  clockBody.parse(await (await merchant.get(CLOCK)).json());

/** Advances the clock, and waits until it runs again. */
async function advance(sandbox: Sandbox, body: object) {
  const begun = await sandbox.merchant.post(ADVANCES, body);
  expect(begun.status).toBe(202);
  expect(begun.headers.get('location')).toBe(CLOCK);
  return until(
    'the clock runs again',
    async () => {
      const clock = await readClock(sandbox);
      return clock.state === 'READY' ? clock : undefined;
    },
    PATIENCE,
  );
}

const secondsBetween = (first: string, second: string) => (Date.parse(second) - Date.parse(first)) / 1000;

/** `type` and instant of each event of a shipment. */
async function timesOf({ merchant }: Sandbox, shipmentId: string) {
  const page = await (await merchant.get(`/v2/external/shipments/${shipmentId}/timeline`)).json();
  return z
    .looseObject({ data: z.array(z.looseObject({ type: z.string(), occurredAt: z.string() })) })
    .parse(page)
    .data.map(({ type, occurredAt }) => ({ type: type.replace('shipment.', ''), occurredAt }));
}

describe('an advance', () => {
  it('plays a delivery at the instants of its steps', async () => {
    const sandbox = await newSandbox(environment);
    const { shipmentId } = await sandbox.create();
    await sandbox.untilState(shipmentId, 'OFFERED');
    await sandbox.play(shipmentId, 'HAPPY_PATH', 30);
    // More links than things are looked at; they expire between two steps.
    const link = `/v2/external/shipments/${shipmentId}/tracking-links`;
    expect((await sandbox.merchant.post(link, { expiresInSeconds: 300 })).status).toBe(201);
    const copies = `insert into tracking_links (id, token_hash, shipment_id, company_id, merchant_name, created_at, expires_at, view_count, version)
      with recursive n (i) as (values (1) union all select i + 1 from n where i < 50)
      select substr(id, 1, 34) || printf('%02d', i), token_hash || i, shipment_id, company_id, merchant_name, created_at, created_at + 40000000, 0, 0
      from tracking_links, n where shipment_id = ? and substr(id, 35) <> printf('%02d', i)`;
    await environment.sql(sandbox.company.shard, copies, [shipmentId]);
    await advance(sandbox, { seconds: 600 });
    const times = await timesOf(sandbox, shipmentId);
    expect(times.map(({ type }) => type)).toEqual([
      ...['created', 'approved', 'offered', 'accepted', 'picked_up', 'out_for_delivery', 'delivered'],
    ]);
    const [, , , ...steps] = times.map(({ occurredAt }) => occurredAt);
    // Each step is done at its own instant, 30 seconds after the one before, and not at the end of the advance.
    for (const [at, step] of steps.slice(1).entries()) expect(secondsBetween(steps[at] ?? '', step)).toBe(30);
    const [now, [last]] = [await readClock(sandbox), steps.slice(-1)];
    expect(secondsBetween(last ?? '', now.now)).toBeGreaterThan(400);
  });

  it('moves creations, events, expired links and the header, and no other company', async () => {
    const [sandbox, other] = await Promise.all([newSandbox(environment), newSandbox(environment)]);
    const before = await sandbox.create();
    const link = await sandbox.merchant.post(`/v2/external/shipments/${before.shipmentId}/tracking-links`, {
      expiresInSeconds: 3600,
    });
    const { url } = z.looseObject({ url: z.string() }).parse(await link.json());
    const path = `/v2/public/tracking/${new URL(url).pathname.split('/').at(-1)}`;
    expect((await environment.fetch(path)).status).toBe(200);
    const { offsetSeconds } = await advance(sandbox, { seconds: DAY });
    expect(offsetSeconds).toBeGreaterThan(DAY / 2);
    expect(offsetSeconds).toBeLessThanOrEqual(DAY);
    await expectProblem(await environment.fetch(path), { status: 404, code: 'TRACKING_LINK_UNAVAILABLE' });
    const after = await sandbox.create();
    expect(secondsBetween(before.createdAt, after.createdAt)).toBeGreaterThanOrEqual(DAY);
    await sandbox.untilState(after.shipmentId, 'OFFERED');
    const events = await sandbox.merchant.get(`/v2/external/events?shipmentId=${after.shipmentId}`);
    const feed = z
      .looseObject({ data: z.array(z.looseObject({ data: z.looseObject({ sandboxClock: z.unknown() }) })) })
      .parse(await events.json());
    expect(feed.data.map(({ data }) => data.sandboxClock)).toEqual(feed.data.map(() => ({ offsetSeconds })));
    const seen = events.headers.get('mirsal-sandbox-now') ?? '';
    expect(secondsBetween(after.createdAt, seen)).toBeGreaterThanOrEqual(0);
    const shown = await readClock(other);
    expect(shown.offsetSeconds).toBe(0);
    expect(secondsBetween(before.createdAt, shown.now)).toBeLessThan(DAY / 2);
  });

  it('ends an open offer at its own instant, until the next thing of a kind', async () => {
    const sandbox = await newSandbox(environment);
    const { shipmentId } = await sandbox.create();
    await sandbox.untilState(shipmentId, 'OFFERED');
    const { nextDue } = await readClock(sandbox);
    expect(nextDue).toMatchObject([{ what: 'OFFER_EXPIRY', shipmentId }]);
    await advance(sandbox, { untilNext: 'OFFER_EXPIRY' });
    const times = await timesOf(sandbox, shipmentId);
    expect(times.find(({ type }) => type === 'offer_expired')?.occurredAt).toBe(nextDue[0]?.at);
    const order = { untilNext: 'WEBHOOK_DISABLE' };
    const nothing = { status: 422, code: 'VALIDATION_FAILED', violations: ['untilNext OUT_OF_RANGE'] } as const;
    await expectProblem(await sandbox.merchant.post(ADVANCES, order), nothing);
  });

  const receivers: Receiver[] = [];
  afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

  it('retries webhooks on their schedule, and disables the endpoint that fails', async () => {
    const sandbox = await newSandbox(environment);
    const receiver = await startReceiver(answering(500));
    receivers.push(receiver);
    const webhooks = await webhooksOf(environment, sandbox.merchant);
    const { endpointId } = await webhooks.add(receiver.url, { eventTypes: ['shipment.created'] });
    // Ten attempts fail here, and an endpoint is disabled after twenty.
    const failed = 'update webhook_endpoints set consecutive_failures = 10 where id = ?';
    await environment.sql(sandbox.company.shard, failed, [endpointId]);
    await sandbox.create();
    await advance(sandbox, { seconds: 5 * 3600 });
    const response = await sandbox.merchant.get(`/v2/external/webhook-endpoints/${endpointId}`);
    expect(await response.json()).toMatchObject({ state: 'AUTO_DISABLED' });
    const attempts = await environment.sql(
      sandbox.company.shard,
      `select a.number, a.started_at from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
       where d.endpoint_id = ? order by a.number`,
      [endpointId],
    );
    const minutes = attempts.map(({ started_at: at }) => Number(BigInt(String(at)) / 60_000_000n));
    expect(attempts.length).toBe(10);
    expect((minutes.at(-1) ?? 0) - (minutes[0] ?? 0)).toBeGreaterThan(60);
    // A receiver compares the signature's timestamp with the real time.
    const now = Date.now() / 1000;
    const signed = (await receiver.waitFor(10)).map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(signed.every((at) => Math.abs(at - now) < 300)).toBe(true);
  }, 60_000);
});

describe('an advance', () => {
  const receivers: Receiver[] = [];
  afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

  it.each([
    ['passes a pause', 200, 'SUCCEEDED 1'],
    ['counts an answer that would pause as a failed attempt, so it ends', 503, 'EXHAUSTED 10'],
  ])(
    '%s',
    async (_name, later, end) => {
      const sandbox = await newSandbox(environment);
      const receiver = await startReceiver(answering(503, { 'retry-after': '3600' }));
      receivers.push(receiver);
      const webhooks = await webhooksOf(environment, sandbox.merchant);
      const { endpointId } = await webhooks.add(receiver.url, { eventTypes: ['shipment.created'] });
      await sandbox.create();
      const isPaused = async () => ((await webhooks.get(endpointId)).pausedUntil === null ? undefined : true);
      await until('it is paused', isPaused);
      receiver.respond = answering(later, { 'retry-after': '1' });
      await advance(sandbox, { seconds: 5 * 3600 });
      const ends = await environment.sql(
        sandbox.company.shard,
        "select status || ' ' || attempt_count as at_end from webhook_deliveries where endpoint_id = ?",
        [endpointId],
      );
      expect(ends).toEqual([{ at_end: end }]);
      expect((await webhooks.get(endpointId)).pausedUntil).toBeNull();
    },
    60_000,
  );
});

describe('POST advances', () => {
  it.each([
    [{}, ['seconds REQUIRED']],
    [{ seconds: 1, untilNext: true }, ['untilNext FORBIDDEN_FIELD']],
    [{ seconds: 0 }, ['seconds OUT_OF_RANGE']],
    [{ seconds: 30 * DAY + 1 }, ['seconds OUT_OF_RANGE']],
    [{ to: '2020-01-01T00:00:00Z' }, ['to OUT_OF_RANGE']],
    [{ to: '2100-01-01T00:00:00Z' }, ['to OUT_OF_RANGE']],
  ])('%j is refused', async (body, violations) => {
    const sandbox = await newSandbox(environment);
    await expectProblem(await sandbox.merchant.post(ADVANCES, body), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations,
    });
  });

  it('is 409 while the clock advances, and before the bootstrap', async () => {
    const sandbox = await newSandbox(environment);
    const answers = await Promise.all([1, 2, 3].map((seconds) => sandbox.merchant.post(ADVANCES, { seconds })));
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused.length).toBe(2);
    for (const answer of refused) await expectProblem(answer, { status: 409, code: 'CLOCK_ADVANCING' });
    const merchant = await merchantOf(environment, await addCompany(environment));
    await expectProblem(await merchant.post(ADVANCES, { seconds: 1 }), { status: 409, code: 'SANDBOX_NOT_READY' });
    expect(await readClock({ merchant })).toMatchObject({ offsetSeconds: 0, state: 'READY', nextDue: [] });
  });
});
