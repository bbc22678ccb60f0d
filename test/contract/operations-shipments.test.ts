import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { addOperator, addPerson, addSession } from '../../scripts/shared/people.ts';
import { DESTINATION, RECIPIENT } from '../../scripts/shared/shipments.ts';
import type { OperatorQueue } from '../../src/contract/operator-shipment.ts';
import { newPhone } from '../support/driver-sign-in.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* What operators read of shipments, over all companies and shards. */

const environment = sharedEnvironment();
const { shipments } = trpcClient(environment, await environment.token(environment.operator)).operations;

async function newMerchant(shard: 'shard-1' | 'shard-2' = 'shard-1') {
  const company = await addCompany(environment, shard);
  await setApprovalPolicy(environment, company, 'MANUAL');
  return { company, merchant: await merchantOf(environment, company) };
}
const shard1 = await newMerchant();
const shard2 = await newMerchant('shard-2');

/** The shipments of these companies in a queue, page by page. */
async function idsIn(queue: OperatorQueue, limit = 100): Promise<string[]> {
  const found: string[] = [];
  const ours = new Set([shard1, shard2].map(({ company }) => company.companyId));
  let cursor: string | undefined;
  do {
    const { data, page } = await shipments.listQueue.query({
      queue,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...data.filter(({ companyId }) => ours.has(companyId)).map(({ shipmentId }) => shipmentId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}
async function inState(state: Parameters<typeof forceState>[3], { company, merchant } = shard1) {
  const { shipmentId } = await merchant.create();
  await forceState(environment, company, shipmentId, state);
  return shipmentId;
}
const setDriverOf = (shipmentId: string, change: string) =>
  environment.sql('shard-1', `update drivers set ${change} where id = (select driver_id from shipments where id = ?)`, [
    shipmentId,
  ]);
const entryOf = async (queue: OperatorQueue, shipmentId: string) =>
  (await shipments.listQueue.query({ queue, limit: 100 })).data.find((one) => one.shipmentId === shipmentId);

describe('a queue', () => {
  it('has the shipments of all shards, the longest waiting first, in pages of any size', async () => {
    const first = (await shard2.merchant.create()).shipmentId;
    const second = (await shard1.merchant.create()).shipmentId;
    const third = (await shard2.merchant.create()).shipmentId;
    expect((await idsIn('pendingApproval')).slice(-3)).toEqual([first, second, third]);
    expect(await idsIn('pendingApproval', 2)).toEqual(await idsIn('pendingApproval'));
    await shipments.approve.mutate({ companyId: shard1.company.companyId, shipmentId: second });
    expect(await idsIn('pendingApproval')).not.toContain(second);
  });

  it('of unresolved shipments says why, and has no data of the recipient', async () => {
    const { shipmentId, shipmentNumber, externalReference } = await shard1.merchant.create();
    await forceState(environment, shard1.company, shipmentId, 'DISPATCH_UNRESOLVED');
    const reason = "update events set reason_code = 'NO_DRIVER' where shipment_id = ? and step = 2";
    await environment.sql('shard-1', reason, [shipmentId]);
    const entry = await entryOf('unresolved', shipmentId);
    const { companyId, name } = shard1.company;
    expect(entry).toMatchObject({ companyId, companyName: name, shipmentNumber, externalReference, version: 1 });
    expect(entry).toMatchObject({ state: 'DISPATCH_UNRESOLVED', reasonCode: 'NO_DRIVER', driver: null });
    expect(JSON.stringify(entry)).not.toMatch(/recipient|phone|addressLine/i);
  });

  it('has a shipment that was accepted and not picked up an hour after its window', async () => {
    const [late, inTime] = [await inState('ACCEPTED'), await inState('ACCEPTED')];
    const endAgo = (shipmentId: string, seconds: number) =>
      environment.sql('shard-1', 'update shipments set pickup_window_end = ? where id = ?', [
        (Date.now() - seconds * 1000) * 1000,
        shipmentId,
      ]);
    await endAgo(late, 3601);
    await endAgo(inTime, 3540);
    for (const shipmentId of [late, inTime]) await setDriverOf(shipmentId, 'on_duty = 1');
    const ids = await idsIn('acceptedTooLong');
    expect([ids.includes(late), ids.includes(inTime)]).toEqual([true, false]);
    for (const change of ['on_duty = 0', "on_duty = 1, status = 'INACTIVE'"]) {
      // Then it is among the stranded goods, and nowhere else.
      await setDriverOf(late, change);
      expect(await idsIn('acceptedTooLong')).not.toContain(late);
      expect(await idsIn('strandedGoods')).toContain(late);
    }
  });

  it.each(['ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY'] as const)(
    'has a shipment that is %s with a driver who is off duty or blocked',
    async (state) => {
      const shipmentId = await inState(state);
      const set = (change: string) => setDriverOf(shipmentId, change);
      await set("on_duty = 0, status = 'ACTIVE'");
      expect((await entryOf('strandedGoods', shipmentId))?.driver).toMatchObject({ onDuty: false, status: 'ACTIVE' });
      await set("on_duty = 1, status = 'INACTIVE'");
      expect((await entryOf('strandedGoods', shipmentId))?.driver).toMatchObject({ onDuty: true, status: 'INACTIVE' });
      await set("on_duty = 1, status = 'ACTIVE'");
      expect(await idsIn('strandedGoods')).not.toContain(shipmentId);
    },
  );

  it('refuses the cursor of another queue', async () => {
    await shard1.merchant.create();
    await shard1.merchant.create();
    const { page } = await shipments.listQueue.query({ queue: 'pendingApproval', limit: 1 });
    const foreign = shipments.listQueue.query({ queue: 'unresolved', cursor: page.nextCursor ?? '' });
    expect(await problemOfCall(foreign)).toMatchObject({ code: 'INVALID_CURSOR' });
  });
});

describe('a search', () => {
  it('finds a shipment by number or reference, of any company or of one', async () => {
    const { shipmentId, shipmentNumber, externalReference } = await shard2.merchant.create({
      externalReference: `ORDER-${Date.now()}`,
    });
    const typed = [
      shipmentNumber.toLowerCase(),
      shipmentNumber.slice(4),
      `\u2066${shipmentNumber.toLowerCase()}\u2069`,
    ];
    const numbers = [shipmentNumber, ...typed].map((text) => ({ shipmentNumber: text }));
    const arabic = String(externalReference).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));
    const references = [externalReference, arabic.toLowerCase(), `\u200f ${externalReference} `];
    for (const by of [...numbers, ...references.map((text) => ({ externalReference: String(text) }))]) {
      expect((await shipments.search.query(by)).data.map((one) => one.shipmentId)).toEqual([shipmentId]);
      const [own, other] = [shard2, shard1].map(({ company }) => company.companyId);
      expect((await shipments.search.query({ ...by, companyId: own })).data).toHaveLength(1);
      expect((await shipments.search.query({ ...by, companyId: other })).data).toEqual([]);
    }
  });

  it('finds shipments by the end of the recipient’s phone within the time', async () => {
    const { company, merchant } = await newMerchant();
    const { companyId } = company;
    const recipient = { ...RECIPIENT, phone: newPhone() };
    const { shipmentId } = await merchant.create({ recipient });
    const phoneTail = recipient.phone.slice(-4);
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const search = { phoneTail, createdFrom: at(-3600), createdTo: at(60) };
    const found = async (one: Parameters<typeof shipments.search.query>[0]) =>
      (await shipments.search.query({ ...one, limit: 100 })).data.map((entry) => entry.shipmentId);
    expect(await found(search)).toContain(shipmentId);
    expect(await found({ ...search, companyId })).toEqual([shipmentId]);
    expect(await found({ ...search, companyId, createdTo: at(-60) })).toEqual([]);
    expect(await found({ ...search, companyId, phoneTail: phoneTail === '0000' ? '1111' : '0000' })).toEqual([]);
  });

  it.each([
    [{}, 'shipmentNumber REQUIRED'],
    [{ shipmentNumber: 'SHP-1', phoneTail: '0009' }, 'phoneTail FORBIDDEN_FIELD'],
    [{ phoneTail: '0009' }, 'createdFrom REQUIRED'],
    [{ phoneTail: '0009', createdFrom: '2026-11-01T00:00:00Z' }, 'createdTo REQUIRED'],
    [
      { phoneTail: '0009', createdFrom: '2026-11-01T00:00:00Z', createdTo: '2026-11-02T00:00:00.000001Z' },
      'createdTo OUT_OF_RANGE',
    ],
    [{ phoneTail: '009' }, 'phoneTail PATTERN_MISMATCH'],
  ])('refuses %j by rule', async (query, text) => {
    const [field, code] = text.split(' ');
    expect(await problemOfCall(shipments.search.query(query))).toMatchObject({
      status: 400,
      code: 'INVALID_QUERY_PARAMETER',
      violations: [{ field, code }],
    });
  });
});

interface Case {
  readonly companyId: string;
  readonly shipmentId: string;
  readonly shipmentNumber: string;
  readonly seen: { readonly companyId: string; readonly shipmentId: string; readonly version: number };
}

describe('the recipient', () => {
  /** A name, an address or any phone, masked or not. */
  const SHOWN = new RegExp(`${RECIPIENT.name}|${DESTINATION.addressLine}|[*]{8}|[+]9665`);
  const search = ({ shipmentNumber }: Case) => shipments.search.query({ shipmentNumber });
  const searchByPhone = ({ companyId }: Case) => {
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const phoneTail = RECIPIENT.phone.slice(-4);
    return shipments.search.query({ phoneTail, createdFrom: at(-3600), createdTo: at(60), companyId });
  };
  const approve = ({ companyId, shipmentId }: Case) => shipments.approve.mutate({ companyId, shipmentId });
  const reassign = ({ seen }: Case) => shipments.reassign.mutate({ ...seen, reasonCode: 'PHONE_LOST' });
  const retry = ({ seen }: Case) => shipments.retryDispatch.mutate(seen);
  const cancel = ({ seen }: Case) => shipments.cancel.mutate({ ...seen, reasonCode: 'OTHER' });
  const fail = ({ seen }: Case) => shipments.fail.mutate({ ...seen, reasonCode: 'LOST' });

  it.each([
    ['a search by number', undefined, search],
    ['a search by phone', undefined, searchByPhone],
    ['an approval', undefined, approve],
    ['a reassignment', 'ACCEPTED', reassign],
    ['another search for a driver', 'DISPATCH_UNRESOLVED', retry],
    ['a cancellation', 'DISPATCH_UNRESOLVED', cancel],
    ['a cancellation that changes nothing', 'CANCELLED', cancel],
    ['the end of a lost parcel', 'PICKED_UP', fail],
  ] as const)('is not in the answer of %s', async (_name, state, call) => {
    const { company, merchant } = await newMerchant();
    const { companyId } = company;
    const { shipmentId, shipmentNumber } = await merchant.create();
    const version = state === undefined ? 0 : await forceState(environment, company, shipmentId, state);
    const answer = JSON.stringify(
      await call({ companyId, shipmentId, shipmentNumber, seen: { companyId, shipmentId, version } }),
    );
    expect(answer).toContain(shipmentNumber);
    expect(answer).not.toMatch(SHOWN);
  });

  it('is shown to an operator whose name is then in the audit, once an hour for each shipment', async () => {
    const { company, merchant } = await newMerchant();
    const { companyId } = company;
    const [{ shipmentId }, other] = [await merchant.create(), await merchant.create()];
    const operator = await addOperator(environment);
    const person = trpcClient(environment, await addSession(environment, operator, { assurance: 'AAL2' }));
    const read = (id = shipmentId) => person.operations.shipments.get.query({ companyId, shipmentId: id });
    const [detail] = await Promise.all([read(), read(), read(other.shipmentId)]);
    await read();
    await shipments.get.query({ companyId, shipmentId });
    expect(detail.recipient).toMatchObject({ name: RECIPIENT.name, phone: expect.stringMatching(/^\+9665\d{8}$/) });
    expect(detail.shipment).toMatchObject({ shipmentId, recipientName: RECIPIENT.name });
    const owner = trpcClient(environment, await addSession(environment, await addPerson(environment, company)));
    const looks = (await owner.audit.list.query({})).data.filter(
      ({ action }) => action === 'shipment.recipient_viewed',
    );
    expect(looks.map(({ subject, clientId, personId }) => ({ subject, clientId, personId }))).toEqual(
      expect.arrayContaining([
        { subject: shipmentId, clientId: 'operations', personId: null },
        { subject: other.shipmentId, clientId: 'operations', personId: null },
      ]),
    );
    expect(looks).toHaveLength(3);
    const { data } = await person.operations.audit.list.query({ personId: operator.personId });
    expect(data.map(({ subject }) => subject).toSorted()).toEqual([shipmentId, other.shipmentId].toSorted());
  });

  it('is not shown for another company’s shipment', async () => {
    const { shipmentId } = await shard1.merchant.create();
    for (const call of [shipments.get, shipments.timeline]) {
      const foreign = call.query({ companyId: shard2.company.companyId, shipmentId });
      expect(await problemOfCall(foreign)).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
    }
  });
});
