import { describe, expect, it } from 'vitest';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addOperator, addPerson, addSession } from '../../scripts/shared/people.ts';
import type { TestDriver } from '../../scripts/shared/sandbox.ts';
import { readShipment, readTimelinePage } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { addCompanyIn, addSignedInDriver, newCity } from '../support/fleet.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* What operators do with a shipment whose driver cannot bring it. Each test has its own city, company and drivers. */

const environment = sharedEnvironment();
const operator = trpcClient(environment, await environment.token(environment.operator)).operations;
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

const WAY = ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER'] as const;

/** A shipment that its first driver has led to the last of these actions, and a second driver in the city. */
async function scene(last: (typeof WAY)[number]) {
  const city = newCity();
  const company = await addCompanyIn(environment, city);
  const merchant = await merchantOf(environment, company);
  const first = await addSignedInDriver(environment, city);
  const { shipmentId } = await merchant.create();
  const read = async () => readShipment(await merchant.get(`${SHIPMENTS}/${shipmentId}`));
  const untilState = (state: string) =>
    until(`${shipmentId} is ${state}`, async () => ((await read()).state === state ? read() : undefined));
  await untilState('OFFERED');
  const act = async (driver: TestDriver, action: string) => driver.act(shipmentId, { action });
  for (const action of WAY.slice(0, WAY.indexOf(last) + 1)) expect((await act(first, action)).status).toBe(200);
  const second = await addSignedInDriver(environment, city);
  const { companyId } = company;
  const { version } = await read();
  const seen = { companyId, shipmentId, version };
  const timeline = async () => (await readTimelinePage(await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`))).data;
  return { company, merchant, first, second, shipmentId, version, seen, read, untilState, act, timeline };
}
const LOST_PHONE = { reasonCode: 'PHONE_LOST', comment: 'Left in the shop' } as const;

describe('reassigning', () => {
  it('takes an accepted shipment from its driver and offers it to another one', async () => {
    const { first, second, seen, untilState, act, timeline, version } = await scene('ACCEPT');
    const ready = await operator.shipments.reassign.mutate({ ...seen, ...LOST_PHONE });
    expect(ready).toMatchObject({ state: 'READY_FOR_DISPATCH', version: version + 1 });
    await untilState('OFFERED');
    await expectProblem(await act(first, 'PICK_UP'), { status: 403, code: 'ACCESS_DENIED' });
    expect((await act(second, 'ACCEPT')).status).toBe(200);
    expect((await timeline()).find(({ sequence }) => sequence === version + 2)).toMatchObject({
      type: 'shipment.driver_released',
      actor: 'OPERATOR',
      note: 'PHONE_LOST: Left in the shop',
    });
  });

  it.each(['PICK_UP', 'DELIVER'] as const)('refuses a shipment after %s with the state', async (last) => {
    const { seen, read } = await scene(last);
    const { state, version } = await read();
    const stale = operator.shipments.reassign.mutate({ ...seen, version: version - 1, ...LOST_PHONE });
    expect(await problemOfCall(stale)).toMatchObject({
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
      currentState: state,
    });
    expect((await read()).version).toBe(version);
  });

  it('by two operators succeeds once', async () => {
    const { seen, version } = await scene('ACCEPT');
    const calls = [1, 2].map(() => operator.shipments.reassign.mutate({ ...seen, ...LOST_PHONE }));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const late = problemOfCall(operator.shipments.cancel.mutate({ ...seen, reasonCode: 'OTHER' }));
    expect(await late).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    expect(Number(Reflect.get(Object(await late), 'currentVersion'))).toBeGreaterThan(version);
    expect(Reflect.get(Object(await late), 'currentState')).toMatch(/READY_FOR_DISPATCH|OFFERED/);
  });
});

/** An operator with their own session and this name. */
async function operatorNamed(name: string) {
  const person = await addOperator(environment);
  await environment.sql('directory', 'update people set full_name = ? where id = ?', [name, person.personId]);
  const session = await addSession(environment, person, { assurance: 'AAL2' });
  return { name, operations: trpcClient(environment, session).operations };
}
type NamedOperator = Awaited<ReturnType<typeof operatorNamed>>;
type Seen = Awaited<ReturnType<typeof scene>>['seen'];
const OTHER = { reasonCode: 'OTHER' } as const;
const ACTIONS = {
  approve: ({ operations }: NamedOperator, { companyId, shipmentId }: Seen) =>
    operations.shipments.approve.mutate({ companyId, shipmentId }),
  cancel: ({ operations }: NamedOperator, seen: Seen) => operations.shipments.cancel.mutate({ ...seen, ...OTHER }),
  reassign: ({ operations }: NamedOperator, seen: Seen) =>
    operations.shipments.reassign.mutate({ ...seen, ...LOST_PHONE }),
  fail: ({ operations }: NamedOperator, seen: Seen) =>
    operations.shipments.fail.mutate({ ...seen, reasonCode: 'LOST' }),
  takeOver: ({ operations }: NamedOperator, seen: Seen, driverId: string) =>
    operations.shipments.takeOver.mutate({ ...seen, ...LOST_PHONE, driverId }),
};

/** A shipment that waits for an operator's approval. */
async function pendingScene() {
  const company = await addCompanyIn(environment, newCity());
  await setApprovalPolicy(environment, company, 'MANUAL');
  const merchant = await merchantOf(environment, company);
  const { shipmentId } = await merchant.create();
  return { seen: { companyId: company.companyId, shipmentId, version: 0 }, driverId: UNKNOWN };
}

/** A shipment after this action of its first driver, and another driver who could take it. */
async function drivenScene(last: (typeof WAY)[number]) {
  const { seen, second } = await scene(last);
  return { seen, driverId: second.driverId };
}

describe('two operators at once', () => {
  it.each([
    ['approve', 'approve', pendingScene],
    ['approve', 'cancel', pendingScene],
    ['reassign', 'reassign', () => drivenScene('ACCEPT')],
    ['reassign', 'cancel', () => drivenScene('ACCEPT')],
    ['takeOver', 'takeOver', () => drivenScene('PICK_UP')],
    ['takeOver', 'fail', () => drivenScene('DEPART')],
  ] as const)(
    '%s and %s: one wins, and the other learns the state and who did what',
    async (first, second, sceneOf) => {
      const { seen, driverId } = await sceneOf();
      const [reem, huda] = [await operatorNamed('Reem Al-Harbi'), await operatorNamed('Huda Al-Otaibi')];
      const calls = [ACTIONS[first](reem, seen, driverId), ACTIONS[second](huda, seen, driverId)];
      const outcomes = await Promise.allSettled(calls);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const hasReemWon = outcomes[0]?.status === 'fulfilled';
      const lost = calls[hasReemWon ? 1 : 0];
      const problem = await problemOfCall(lost ?? Promise.reject(new Error('Nobody has lost')));
      expect([409, 412]).toContain(Reflect.get(Object(problem), 'status'));
      const [winner, loser] = hasReemWon ? [reem, huda] : [huda, reem];
      const { data } = await loser.operations.shipments.timeline.query({
        companyId: seen.companyId,
        shipmentId: seen.shipmentId,
      });
      const change = data.find(({ sequence }) => sequence === seen.version + 2);
      expect(change?.actor).toBe('OPERATOR');
      // Offers may have followed, so the state is that of any later entry.
      const states = data.filter(({ sequence }) => sequence >= seen.version + 2).map(({ state }) => state);
      expect(states).toContain(Reflect.get(Object(problem), 'currentState'));
      const entries = (await loser.operations.audit.list.query({ limit: 100 })).data.filter(
        ({ subject }) => subject === seen.shipmentId,
      );
      expect(entries).toMatchObject([{ personName: winner.name, detail: { sequence: change?.sequence } }]);
    },
  );

  it('cancel and cancel: both answers say that it is cancelled, and it happened once', async () => {
    const { seen } = await drivenScene('ACCEPT');
    const [reem, huda] = [await operatorNamed('Reem Al-Harbi'), await operatorNamed('Huda Al-Otaibi')];
    const answers = await Promise.all([reem, huda].map((one) => ACTIONS.cancel(one, seen)));
    expect(answers.map(({ state, version }) => [state, version])).toEqual(
      Array.from({ length: 2 }, () => ['CANCELLED', seen.version + 1]),
    );
    const { data } = await reem.operations.audit.list.query({ limit: 100 });
    expect(data.filter(({ subject }) => subject === seen.shipmentId)).toHaveLength(1);
  });

  it.each(['reassign', 'takeOver', 'cancel', 'fail'] as const)('%s without a reason is 422', async (name) => {
    const body = {
      companyId: UNKNOWN,
      shipmentId: UNKNOWN,
      version: 1,
      ...(name === 'takeOver' ? { driverId: UNKNOWN } : {}),
    };
    const call = operator.shipments[name].mutate(body as never);
    expect(await problemOfCall(call)).toMatchObject({
      status: 422,
      violations: [{ field: 'reasonCode', code: 'REQUIRED' }],
    });
  });
});

describe('taking over', () => {
  it.each([
    ['PICK_UP', 'DEPART'],
    ['DEPART', 'DELIVER'],
  ] as const)('after %s gives the parcel to another driver, who goes on with %s', async (last, next) => {
    const { merchant, first, second, shipmentId, seen, read, act, timeline, version } = await scene(last);
    const before = await read();
    const tracked = async (): Promise<unknown> => (await merchant.get(`${SHIPMENTS}/${shipmentId}/tracking`)).json();
    const { updatedAt, timeline: steps, dispatch } = Object(await tracked());
    const order = { ...seen, ...LOST_PHONE, driverId: second.driverId };
    expect(await operator.shipments.takeOver.mutate(order)).toMatchObject({
      state: before.state,
      version: version + 1,
    });
    expect(await tracked()).toMatchObject({ state: before.state, updatedAt, timeline: steps, dispatch });
    for (const action of [next, 'REPORT_POSITION', 'FAIL']) {
      const body = { action, ...(action === 'FAIL' ? { reasonCode: 'LOST' } : {}) };
      const position = action === 'REPORT_POSITION' ? { position: { latitude: 24.7, longitude: 46.7 } } : {};
      await expectProblem(await first.act(shipmentId, { ...body, ...position }), {
        status: 403,
        code: 'ACCESS_DENIED',
      });
    }
    expect((await act(second, next)).status).toBe(200);
    expect((await timeline()).filter(({ type }) => type !== 'late_report').at(-2)).toMatchObject({
      type: 'shipment.driver_changed',
      state: before.state,
      actor: 'OPERATOR',
      note: 'PHONE_LOST: Left in the shop',
    });
    const events = await environment.sql(
      'shard-1',
      "select body from events where shipment_id = ? and type = 'shipment.driver_changed'",
      [shipmentId],
    );
    expect(events.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
      {
        previousState: before.state,
        sequence: version + 2,
        data: { shipment: { state: before.state }, reason: { code: 'PHONE_LOST', comment: 'Left in the shop' } },
      },
    ]);
  });

  it('refuses drivers who cannot take it, and changes nothing', async () => {
    const { first, second, seen, read, version } = await scene('PICK_UP');
    const refusal = {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: [{ field: 'driverId', code: 'NOT_IN_ENUM' }],
    };
    const by = (driverId: string) =>
      problemOfCall(operator.shipments.takeOver.mutate({ ...seen, ...LOST_PHONE, driverId }));
    for (const driverId of [first.driverId, UNKNOWN]) expect(await by(driverId)).toMatchObject(refusal);
    for (const change of [
      "status = 'INACTIVE'",
      "on_duty = 0, status = 'ACTIVE'",
      'on_duty = 1, active_count = active_max',
    ]) {
      await environment.sql('shard-1', `update drivers set ${change} where id = ?`, [second.driverId]);
      expect(await by(second.driverId)).toMatchObject(refusal);
    }
    await environment.sql('shard-1', 'update drivers set active_count = 0 where id = ?', [second.driverId]);
    expect((await read()).version).toBe(version);
  });

  it.each(['ACCEPT', 'DELIVER'] as const)('is refused after %s with the state', async (last) => {
    const { second, seen, read } = await scene(last);
    const call = operator.shipments.takeOver.mutate({ ...seen, ...LOST_PHONE, driverId: second.driverId });
    const { state } = await read();
    expect(await problemOfCall(call)).toMatchObject({ code: 'INVALID_STATE_TRANSITION', currentState: state });
  });
});

describe('a late report of a former driver', () => {
  const queued = async (shipmentId: string) => {
    const { data } = await operator.shipments.listQueue.query({ queue: 'lateReports', limit: 100 });
    return data.find((one) => one.shipmentId === shipmentId);
  };

  it('is refused as before, and stands in the timeline and in a queue until the shipment ends', async () => {
    const { first, second, seen, read, act, timeline, shipmentId } = await scene('DEPART');
    const { driverId } = second;
    const changed = await operator.shipments.takeOver.mutate({ ...seen, ...LOST_PHONE, driverId });
    const before = await timeline();
    expect(await queued(shipmentId)).toBeUndefined();
    // Every repeat is refused alike, and the first one counts.
    for (const response of [await act(first, 'DELIVER'), await act(first, 'DELIVER')])
      await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
    const entry = { sequence: changed.version + 1, type: 'late_report', state: 'OUT_FOR_DELIVERY', actor: 'DRIVER' };
    const entries = await timeline();
    expect(entries).toEqual([...before, { ...entry, note: 'DELIVER', occurredAt: expect.any(String) }]);
    expect(await read()).toMatchObject({ version: changed.version, state: 'OUT_FOR_DELIVERY' });
    const { companyId } = seen;
    expect((await operator.shipments.timeline.query({ companyId, shipmentId })).data).toEqual(entries);
    const since = entries.at(-1)?.occurredAt;
    expect(await queued(shipmentId)).toMatchObject({ since, reasonCode: 'DELIVER', driver: { driverId } });
    await expectProblem(await first.act(shipmentId, { action: 'FAIL', reasonCode: 'LOST' }), {
      status: 403,
      code: 'ACCESS_DENIED',
    });
    expect((await timeline()).at(-1)).toMatchObject({ ...entry, note: 'FAIL: LOST' });
    expect((await act(second, 'DELIVER')).status).toBe(200);
    expect((await timeline()).map(({ type }) => type).slice(-3)).toEqual([
      ...['late_report', 'late_report', 'shipment.delivered'],
    ]);
    expect(await queued(shipmentId)).toBeUndefined();
  });

  it('is on one of the pages of the timeline', async () => {
    const { merchant, first, second, seen, act, timeline, shipmentId } = await scene('DEPART');
    await operator.shipments.takeOver.mutate({ ...seen, ...LOST_PHONE, driverId: second.driverId });
    for (const action of ['ARRIVE', 'DELIVER']) expect((await act(first, action)).status).toBe(403);
    await act(second, 'DELIVER');
    const paged: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path = `${SHIPMENTS}/${shipmentId}/timeline?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { data, page } = await readTimelinePage(await merchant.get(path));
      paged.push(...data);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(await timeline());
    expect(paged).toHaveLength(10);
  });

  it('is left by a driver whose shipment went back to dispatch, and by nobody else', async () => {
    const { first, second, seen, act, timeline, shipmentId } = await scene('ACCEPT');
    await operator.shipments.reassign.mutate({ ...seen, ...LOST_PHONE });
    for (const [driver, action] of [
      [first, 'RELEASE'],
      [first, 'ACCEPT'],
      [second, 'PICK_UP'],
    ] as const)
      expect([403, 409]).toContain((await act(driver, action)).status);
    expect((await timeline()).some(({ type }) => type === 'late_report')).toBe(false);
    expect((await act(first, 'PICK_UP')).status).toBe(403);
    expect((await timeline()).find(({ type }) => type === 'late_report')).toMatchObject({ note: 'PICK_UP' });
    expect(await queued(shipmentId)).toMatchObject({ reasonCode: 'PICK_UP' });
  });
});

describe('ending', () => {
  it.each([
    ['PICK_UP', 'LOST', 0],
    ['DEPART', 'RECIPIENT_UNREACHABLE', 0],
  ] as const)('after %s as %s frees the driver’s place', async (last, reasonCode, places) => {
    const { first, seen } = await scene(last);
    expect(await operator.shipments.fail.mutate({ ...seen, reasonCode })).toMatchObject({ state: 'DELIVERY_FAILED' });
    const [driver] = await environment.sql('shard-1', 'select active_count from drivers where id = ?', [
      first.driverId,
    ]);
    expect(driver).toEqual({ active_count: places });
  });

  it('is refused before departure for what is not the carrier’s fault', async () => {
    const { seen } = await scene('PICK_UP');
    const call = operator.shipments.fail.mutate({ ...seen, reasonCode: 'WRONG_ADDRESS' });
    expect(await problemOfCall(call)).toMatchObject({ status: 409, code: 'INVALID_STATE_TRANSITION' });
  });

  it('by cancellation costs the company nothing and names the carrier', async () => {
    const { company, merchant, shipmentId, seen, timeline } = await scene('ACCEPT');
    await operator.shipments.cancel.mutate({ ...seen, reasonCode: 'OTHER', comment: 'No driver can come' });
    expect(await (await merchant.get(`${SHIPMENTS}/${shipmentId}/charges`)).json()).toMatchObject({ totalAmount: 0 });
    expect((await timeline()).at(-1)).toMatchObject({ actor: 'OPERATOR', note: 'OTHER: No driver can come' });
    const owner = trpcClient(environment, await addSession(environment, await addPerson(environment, company)));
    const [entry] = (await owner.audit.list.query({})).data;
    expect(entry).toMatchObject({
      ...{ action: 'shipment.cancelled', subject: shipmentId, personId: null, clientId: 'operations', address: null },
      detail: { reasonCode: 'OTHER' },
    });
  });

  it('is in the audit of operators with the person', async () => {
    const { seen, shipmentId } = await scene('DEPART');
    const { personId } = await addOperator(environment);
    const session = await addSession(environment, { personId }, { assurance: 'AAL2' });
    const { operations } = trpcClient(environment, session);
    await operations.shipments.fail.mutate({ ...seen, reasonCode: 'DAMAGED' });
    const { data } = await operations.audit.list.query({ limit: 100 });
    expect(data.filter((entry) => entry.personId === personId)).toMatchObject([
      { action: 'shipment.delivery_failed', subject: shipmentId, companyId: seen.companyId },
    ]);
  });

  it.each([
    [{ reasonCode: undefined }, 'reasonCode REQUIRED'],
    [{ reasonCode: 'BECAUSE' }, 'reasonCode NOT_IN_ENUM'],
    [{ comment: 'x'.repeat(241) }, 'comment TOO_LONG'],
    [{ version: undefined }, 'version REQUIRED'],
  ])('needs a reason and a version: %j', async (changes, text) => {
    const [field, code] = text.split(' ');
    const valid = { companyId: UNKNOWN, shipmentId: UNKNOWN, version: 1, reasonCode: 'LOST' };
    const call = operator.shipments.fail.mutate({ ...valid, ...changes } as never);
    expect(await problemOfCall(call)).toMatchObject({ status: 422, violations: [{ field, code }] });
  });
});
