import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newKey, newReference, shipmentBody } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import type { Started } from '../runtime/service.ts';

/** Many conflicting requests at once. */
export function describeStorms(started: Started): void {
  describe('concurrent requests', () => {
    it('create one shipment from 50 identical creations, and replay its response 49 times', async () => {
      const environment = started();
      const merchant = await merchantOf(environment, await addCompany(environment, 'shard-1'));
      const body = shipmentBody(merchant.company);
      const key = { 'idempotency-key': newKey() };
      const responses = await Promise.all(Array.from({ length: 50 }, () => merchant.postShipment(body, key)));
      expect(countBy(responses.map(({ status }) => status))).toEqual({ 201: 1, 200: 49 });
      expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
      expect(await countShipments(environment, merchant.company)).toBe(1);
    });

    it('create one shipment from 50 creations with one reference, which the conflicts name', async () => {
      const environment = started();
      const merchant = await merchantOf(environment, await addCompany(environment, 'shard-2'));
      const body = shipmentBody(merchant.company);
      const responses = await Promise.all(Array.from({ length: 50 }, () => merchant.postShipment(body)));
      expect(countBy(responses.map(({ status }) => status))).toEqual({ 201: 1, 409: 49 });
      const answers = await Promise.all(
        responses.map(async (response) => (await response.json()) as Record<string, unknown>),
      );
      const { shipmentId, shipmentNumber } = answers.find((answer) => 'shipmentId' in answer) ?? {};
      for (const answer of answers.filter((candidate) => candidate['status'] === 409)) {
        expect(answer).toMatchObject({
          code: 'EXTERNAL_REFERENCE_CONFLICT',
          existing: { shipmentId, shipmentNumber, href: `/v2/external/shipments/${String(shipmentId)}` },
        });
      }
      expect(await countShipments(environment, merchant.company)).toBe(1);
    });

    it('create one shipment from two bodies with one key, and answer 422 for the other body', async () => {
      const environment = started();
      const merchant = await merchantOf(environment, await addCompany(environment, 'shard-1'));
      const bodies = [shipmentBody(merchant.company), shipmentBody(merchant.company)];
      const key = { 'idempotency-key': newKey() };
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, index) => merchant.postShipment(bodies[index % 2], key)),
      );
      expect(countBy(responses.map(({ status }) => status))).toEqual({ 201: 1, 200: 19, 422: 20 });
      expect(await countShipments(environment, merchant.company)).toBe(1);
    });

    it('answer 300 reads with 200, or 503 and Retry-After', async () => {
      const environment = started();
      const merchant = await merchantOf(environment, environment.companies[1]);
      const responses = await Promise.all(Array.from({ length: 300 }, () => merchant.get(SHIPMENTS)));
      expect(responses.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([]);
      for (const response of responses.filter(({ status }) => status === 503)) {
        expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
      expect(responses.some(({ status }) => status === 200)).toBe(true);
    });

    it('keep versions without a gap when cancellations race approvals', async () => {
      const environment = started();
      const merchant = await merchantOf(environment, await addCompany(environment, 'shard-2'));
      const made = await Promise.all(Array.from({ length: 30 }, () => merchant.create()));
      // Staggered, so that some arrive before the approval, some at the same time and some after it.
      for (const { shipmentId } of made) expect((await merchant.cancel(shipmentId)).status).toBe(200);
      for (const { shipmentId } of made) {
        const events = await eventsOf(environment, 'shard-2', shipmentId);
        expect(events.at(-1)?.type).toBe('shipment.cancelled');
        await expectChain(environment, 'shard-2', shipmentId);
      }
    });

    it('give 50 creations 50 different shipment numbers', async () => {
      const environment = started();
      const merchant = await merchantOf(environment, await addCompany(environment, 'shard-1'));
      const made = await Promise.all(
        Array.from({ length: 50 }, () => merchant.create({ externalReference: newReference() })),
      );
      expect(new Set(made.map(({ shipmentNumber }) => shipmentNumber)).size).toBe(50);
      expect(await countShipments(environment, merchant.company)).toBe(50);
    });

    it('give 200 commands on one shipment consecutive versions, with one event each', async () => {
      const environment = started();
      const company = await addCompany(environment, 'shard-1');
      await setApprovalPolicy(environment, company, 'MANUAL');
      const merchant = await merchantOf(environment, company);
      const { shipmentId } = await merchant.create();
      const approve = approvalOf(
        environment,
        company.companyId,
        shipmentId,
        await environment.token(environment.operator),
      );
      const cancels = ['"0"', '"1"', '*'].map((tag) => () => merchant.cancel(shipmentId, tag));
      const commands = [approve, ...cancels].map((command) => () => patiently(command));
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => commands).flatMap((round) => round.map((command) => command())),
      );
      const counts = countBy(responses.map(({ status }) => status));
      expect(Object.keys(counts).filter((status) => !['200', '409', '412'].includes(status))).toEqual([]);
      // At least every cancellation with `*` succeeds or finds the shipment cancelled.
      expect(counts[200]).toBeGreaterThanOrEqual(50);
      const events = await eventsOf(environment, company.shard, shipmentId);
      expect(events.filter(({ type }) => type === 'shipment.cancelled')).toHaveLength(1);
      expect(events.at(-1)?.type).toBe('shipment.cancelled');
      expect(events.length).toBeLessThanOrEqual(3);
      await expectChain(environment, company.shard, shipmentId);
    });

    it('accept one of 200 retries with one version, and answer 412 with the next version to the others', async () => {
      const environment = started();
      const company = await addCompany(environment, 'shard-2');
      await setApprovalPolicy(environment, company, 'MANUAL');
      const merchant = await merchantOf(environment, company);
      const { shipmentId } = await merchant.create();
      await forceState(environment, company, shipmentId, 'READY_FOR_DISPATCH');
      await forceState(environment, company, shipmentId, 'DISPATCH_UNRESOLVED');
      const path = `${SHIPMENTS}/${shipmentId}/dispatch-retries`;
      const responses = await Promise.all(
        Array.from({ length: 200 }, () => patiently(() => merchant.post(path, undefined, { 'if-match': '"2"' }))),
      );
      expect(countBy(responses.map(({ status }) => status))).toEqual({ 200: 1, 412: 199 });
      const losers = responses.filter(({ status }) => status === 412);
      const versions = await Promise.all(
        losers.map(async (response) => Reflect.get(Object(await response.json()), 'currentVersion')),
      );
      expect(new Set(versions)).toEqual(new Set([3]));
      await expectChain(environment, company.shard, shipmentId);
    });
  });
}

/** On a slow machine the last requests of a long queue are answered 503. */
function patiently(command: () => Promise<Response>): Promise<Response> {
  const ask = async () => {
    const response = await command();
    if (response.status !== 503) return response;
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await response.body?.cancel();
    return undefined;
  };
  return until('there is no 503 any more', ask, { withinMs: 45_000, everyMs: 250 });
}

type Shard = OwnEnvironment['companies'][number]['shard'];

function approvalOf(environment: OwnEnvironment, companyId: string, shipmentId: string, token: string) {
  return () =>
    environment.fetch('/trpc/operations.shipments.approve', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ companyId, shipmentId }),
    });
}

async function countShipments(
  environment: OwnEnvironment,
  company: { companyId: string; shard: Shard },
): Promise<number> {
  const count = 'select count(*) as total from shipments where company_id = ?';
  const [row] = await environment.sql(company.shard, count, [company.companyId]);
  return Number(row?.['total']);
}

async function eventsOf(environment: OwnEnvironment, shard: Shard, shipmentId: string) {
  const select =
    'select sequence, type, previous_state, state from shipment_events where shipment_id = ? order by sequence';
  const rows = await environment.sql(shard, select, [shipmentId]);
  return rows.map((row) => ({
    sequence: Number(row['sequence']),
    type: row['type'],
    previousState: row['previous_state'],
    state: row['state'],
  }));
}

/** Sequences from 1 without a gap, each event from the state of the one before, the last with the shipment's state. */
async function expectChain(environment: OwnEnvironment, shard: Shard, shipmentId: string): Promise<void> {
  const events = await eventsOf(environment, shard, shipmentId);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(events.map(({ previousState }) => previousState)).toEqual([
    null,
    ...events.slice(0, -1).map(({ state }) => state),
  ]);
  const [row] = await environment.sql(shard, 'select version, state from shipments where id = ?', [shipmentId]);
  expect(row).toEqual({ version: events.length - 1, state: events.at(-1)?.state });
}

function countBy(values: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
