import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox, RIYADH } from '../../scripts/shared/sandbox.ts';
import { readTimelinePage } from '../../scripts/shared/shipments.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

/* 13,562 m from the sandbox's pickup location to its delivery: 12 + 14 × 1.25, and 15 % VAT. */

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const { merchant } = sandbox;
const driver = await sandbox.signIn();

const line = z.strictObject({ code: z.string(), amount: z.number(), createdAt: z.string() });
const charges = z.looseObject({ lines: z.array(line), netAmount: z.number(), vatAmount: z.number() });

const previewed = z.looseObject({ version: z.number() });

async function chargesOf(shipmentId: string) {
  const response = await merchant.get(`${SHIPMENTS}/${shipmentId}/charges`);
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).not.toContain('-0,');
  const { lines, netAmount, vatAmount, totalAmount, ...rest } = charges.parse(JSON.parse(text));
  return {
    lines: lines.map(({ code, amount }) => [code, amount]),
    times: lines.map(({ createdAt }) => createdAt),
    sums: [netAmount, vatAmount, totalAmount],
    ...rest,
  };
}

async function accepted(): Promise<string> {
  const { shipmentId } = await sandbox.create();
  await sandbox.untilState(shipmentId, 'OFFERED');
  expect((await driver.act(shipmentId, { action: 'ACCEPT' })).status).toBe(200);
  return shipmentId;
}

const cancelledAt = async (shipmentId: string) =>
  (await readTimelinePage(await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`))).data.at(-1)?.occurredAt;

const FROZEN = [
  ['BASE', 12],
  ['DISTANCE', 17.5],
  ['CITY', 0],
];
/** A line of zero is not reversed. */
const TAKEN_BACK = [
  ['BASE', -12],
  ['DISTANCE', -17.5],
];
const TERMS = {
  ...{ currency: 'SAR', vatRate: 0.15, tariffVersion: 1, distanceMeters: 13562, durationSeconds: 1356 },
  terms: {
    cancellationAmount: 10,
    cancellationGraceSeconds: 0,
    lateCancellationSeconds: 3600,
    lockSecondsMax: 86_400,
    amendmentFreeMeters: 0,
    returnRate: 1,
    redeliveryRate: 1,
  },
  // None of these shipments was created with a held price.
  priceLock: null,
};

describe('GET charges', () => {
  it('returns the charges fixed at creation', async () => {
    const { shipmentId, createdAt } = await sandbox.create();
    expect(await chargesOf(shipmentId)).toEqual({
      ...TERMS,
      lines: FROZEN,
      times: [createdAt, createdAt, createdAt],
      // 15 % of 29.5 is 4.425, rounded half away from zero.
      sums: [29.5, 4.43, 33.93],
    });
  });

  it.each([
    ['RUH', 24.794722, 46.626111],
    ['DMM', 26.4, 50.1],
    ['MKK', 21.4225, 39.8262],
  ])('returns the same as an estimate to %s', async (cityCode, latitude, longitude) => {
    const destination = { ...RIYADH, cityCode, latitude, longitude };
    const asked = await merchant.post('/v2/external/shipment-price-estimates', {
      pickup: { latitude: 24.711667, longitude: 46.674167 },
      delivery: { latitude, longitude },
      destinationCityCode: cityCode,
    });
    const { breakdown, estimatedAt: _when, ...estimate } = (await asked.json()) as Record<string, unknown>;
    const { shipmentId } = await sandbox.create({ destination });
    const response = await merchant.get(`${SHIPMENTS}/${shipmentId}/charges`);
    const { lines, terms: _rules, priceLock: _none, ...rest } = charges.parse(await response.json());
    expect(rest).toEqual(estimate);
    expect(lines.map(({ code, amount }) => ({ code, amount }))).toEqual(breakdown);
  });

  it('returns the same after the delivery', async () => {
    const { shipmentId } = await sandbox.create();
    const created = await chargesOf(shipmentId);
    await sandbox.play(shipmentId, 'HAPPY_PATH');
    await sandbox.untilState(shipmentId, 'DELIVERED');
    expect(await chargesOf(shipmentId)).toEqual(created);
  });

  it('returns decimals as strings over tRPC', async () => {
    const { shipmentId } = await sandbox.create();
    const client = trpcClient(environment, await environment.token(sandbox.company));
    expect(await client.shipments.charges.query({ shipmentId })).toMatchObject({
      lines: [
        { code: 'BASE', amount: '12' },
        { code: 'DISTANCE', amount: '17.5' },
        { code: 'CITY', amount: '0' },
      ],
      netAmount: '29.5',
      vatAmount: '4.43',
      totalAmount: '33.93',
    });
  });
});

describe('a cancellation', () => {
  it('before any offer reverses all charges', async () => {
    const { shipmentId, createdAt } = await sandbox.create();
    expect((await merchant.cancel(shipmentId)).status).toBe(200);
    const now = (await cancelledAt(shipmentId)) ?? '';
    expect(await chargesOf(shipmentId)).toEqual({
      ...TERMS,
      lines: [...FROZEN, ...TAKEN_BACK],
      times: [createdAt, createdAt, createdAt, now, now],
      sums: [0, 0, 0],
    });
  });

  it('during an offer reverses all charges', async () => {
    const { shipmentId } = await sandbox.create();
    await sandbox.untilState(shipmentId, 'OFFERED');
    await merchant.cancel(shipmentId);
    expect(await chargesOf(shipmentId)).toMatchObject({ lines: [...FROZEN, ...TAKEN_BACK], sums: [0, 0, 0] });
  });

  it('after an acceptance charges the fee with VAT, once', async () => {
    const shipmentId = await accepted();
    for (let time = 1; time <= 2; time += 1) {
      expect((await merchant.cancel(shipmentId)).status).toBe(200);
      expect(await chargesOf(shipmentId)).toMatchObject({
        lines: [...FROZEN, ...TAKEN_BACK, ['CANCELLATION', 10]],
        sums: [10, 1.5, 11.5],
      });
    }
    const { times } = await chargesOf(shipmentId);
    expect(times.at(-1)).toBe(await cancelledAt(shipmentId));
  });

  it('costs what its preview says, and the preview is for the company alone', async () => {
    const shipmentId = await accepted();
    const path = `${SHIPMENTS}/${shipmentId}/cancellation-preview`;
    const response = await merchant.get(path);
    const fee = { currency: 'SAR', netAmount: 10, vatRate: 0.15, vatAmount: 1.5, totalAmount: 11.5 };
    const preview = previewed.parse(await response.json());
    expect(preview).toMatchObject({ rule: 'DRIVER_ON_WAY', payer: 'MERCHANT', fee, refund: { totalAmount: 33.93 } });
    expect(response.headers.get('etag')).toBeNull();
    const cancelled = await merchant.cancel(shipmentId, `"${preview.version}"`);
    expect(cancelled.status).toBe(200);
    expect((await chargesOf(shipmentId)).sums).toEqual([10, 1.5, 11.5]);
    const other = await merchantOf(environment, await addCompany(environment));
    await expectProblem(await other.get(path), { status: 403, code: 'ACCESS_DENIED' });
  });

  it('after a release by the driver reverses all charges', async () => {
    const shipmentId = await accepted();
    expect((await driver.act(shipmentId, { action: 'RELEASE' })).status).toBe(200);
    await merchant.cancel(shipmentId);
    expect(await chargesOf(shipmentId)).toMatchObject({ lines: [...FROZEN, ...TAKEN_BACK], sums: [0, 0, 0] });
  });

  it('reverses the city surcharge too', async () => {
    const dammam = { addressLine: '9 King Saud Street', cityCode: 'DMM', latitude: 26.4, longitude: 50.1 };
    const { shipmentId } = await sandbox.create({ destination: dammam });
    await merchant.cancel(shipmentId);
    const { lines, sums } = await chargesOf(shipmentId);
    expect(lines).toEqual([
      ['BASE', 12],
      ['DISTANCE', 637.5],
      ['CITY', 5],
      ['BASE', -12],
      ['DISTANCE', -637.5],
      ['CITY', -5],
    ]);
    expect(sums).toEqual([0, 0, 0]);
  });

  it('changes no charge when it is refused', async () => {
    const { shipmentId } = await sandbox.create();
    const before = await chargesOf(shipmentId);
    await forceState(environment, sandbox.company, shipmentId, 'PICKED_UP');
    expect((await merchant.cancel(shipmentId)).status).toBe(409);
    expect((await merchant.cancel(shipmentId, '"99"')).status).toBe(412);
    expect(await chargesOf(shipmentId)).toEqual(before);
  });
});

describe('the charges of another company', () => {
  it.each(['shard-1', 'shard-2'] as const)(
    'are answered to a company of %s exactly like those of an unknown shipment',
    async (shard) => {
      const stranger = await merchantOf(environment, await addCompany(environment, shard));
      const { shipmentId } = await sandbox.create();
      const [foreign, unknown] = await Promise.all(
        [shipmentId, randomUUID()].map((id) => stranger.get(`${SHIPMENTS}/${id}/charges`)),
      );
      const text = (await foreign?.clone().text()) ?? '';
      expect(timelessText(text)).toBe(timelessText((await unknown?.text()) ?? ''));
      await expectProblem(foreign ?? new Response(), { status: 403, code: 'ACCESS_DENIED' });
    },
  );
});
