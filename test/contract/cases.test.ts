import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { forceState } from '../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addOperator, addSession } from '../../scripts/shared/people.ts';
import { recipientPath } from '../../scripts/shared/recipients.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { newKey } from '../../scripts/shared/shipments.ts';
import { addMedia } from '../support/media.ts';
import { expectProblem } from '../support/problem.ts';
import { recipientScene } from '../support/recipients.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* Complaints, as merchants, recipients and operators send them. */

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const { merchant, company } = sandbox;
const { newRecipient } = recipientScene(environment, sandbox);
const LIST = '/v2/external/cases';
const COMPLAINT = { kind: 'DAMAGED', description: 'The box is torn.' };
const opened = z.looseObject({ caseId: z.uuid(), number: z.string(), state: z.string(), version: z.int() });
const list = z.looseObject({ data: z.array(opened), page: z.looseObject({ nextCursor: z.nullable(z.string()) }) });

async function complain(body: object = COMPLAINT) {
  const { shipmentId } = await merchant.create();
  const path = `${SHIPMENTS}/${shipmentId}/cases`;
  const response = await merchant.post(path, { ...COMPLAINT, ...body });
  expect(response.status).toBe(201);
  const made = opened.parse(await response.json());
  return { ...made, response, shipmentId, path, own: `${LIST}/${made.caseId}` };
}
const operator = async () =>
  trpcClient(environment, await addSession(environment, await addOperator(environment), { assurance: 'AAL2' }))
    .operations.cases;
const desk = await operator();
const { companyId } = company;
const reply = (caseId: string, version: number, { text = 'We are sorry.', by = desk } = {}) =>
  by.answer.mutate({ companyId, caseId, version, text, outcome: 'EXPLAINED' });
const decide = (path: string, decision: string, ifMatch = '*') =>
  merchant.post(`${path}/decisions`, { decision }, { 'if-match': ifMatch });

const pictureOf = async (reference: string) =>
  String((await addMedia(environment, company, reference, 0))['mediaAssetId']);

describe('pictures', () => {
  it('of the shipment are shown in a case and in messages, to the company and to operators', async () => {
    const externalReference = `torn-${randomUUID()}`;
    const uploaded = await pictureOf(externalReference);
    const { shipmentId } = await merchant.create({ externalReference });
    const path = `${SHIPMENTS}/${shipmentId}/cases`;
    const otherReference = `other-${randomUUID()}`;
    const stranger = await pictureOf(otherReference);
    await merchant.create({ externalReference: otherReference });
    for (const wrong of [randomUUID(), stranger]) {
      await expectProblem(await merchant.post(path, { ...COMPLAINT, mediaAssetIds: [uploaded, wrong] }), {
        ...{ status: 422, code: 'VALIDATION_FAILED', violations: ['mediaAssetIds[1] NOT_IN_ENUM'] },
      });
    }
    const made = await merchant.post(path, { ...COMPLAINT, mediaAssetIds: [uploaded] });
    const { caseId } = opened.parse(await made.json());
    // Nobody has a picture of the damage before the shipment exists.
    const later = await pictureOf(`damage-${randomUUID()}`);
    const said = { text: 'From the side, too.', mediaAssetIds: [later] };
    expect((await merchant.post(`${LIST}/${caseId}/messages`, said)).status).toBe(201);
    expect(
      await (await merchant.get(`/v2/external/media-assets?externalReference=${externalReference}`)).json(),
    ).toMatchObject({
      data: [
        { mediaAssetId: later, shipmentId },
        { mediaAssetId: uploaded, shipmentId },
      ],
    });
    // The complaint may be answered when the shipment's event, with which pictures go otherwise, is deleted.
    const due = 'select (due_at - created_at) / 86400000000 as days from media_assets where id in (?, ?)';
    const kept = await environment.sql(company.shard, due, [uploaded, later]);
    expect(kept.map(({ days }) => days)).toEqual([180, 180]);
    const { messages } = await desk.get.query({ companyId, caseId });
    expect(messages).toMatchObject([{ mediaAssetIds: [uploaded] }, { mediaAssetIds: [later] }]);
    const shown = await desk.picture.query({ companyId, caseId, mediaAssetId: later });
    expect(shown).toMatchObject({ contentType: 'image/png' });
    const hidden = desk.picture.query({ companyId, caseId, mediaAssetId: stranger });
    expect(await problemOfCall(hidden)).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});

describe('a merchant', () => {
  it('opens a case, which has a tag and a place', async () => {
    const { response, caseId, own } = await complain();
    expect([response.headers.get('etag'), response.headers.get('location')]).toEqual(['"0"', own]);
    const read = await merchant.get(own);
    expect(await read.json()).toMatchObject({ caseId, state: 'OPEN', messages: [{ text: 'The box is torn.' }] });
    const again = await merchant.get(own, { 'if-none-match': read.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  it('opens it once for each key, and one of a kind without', async () => {
    const { shipmentId } = await merchant.create();
    const path = `${SHIPMENTS}/${shipmentId}/cases`;
    const key = { 'idempotency-key': newKey() };
    const [first, second] = [await merchant.post(path, COMPLAINT, key), await merchant.post(path, COMPLAINT, key)];
    expect([first.status, second.status]).toEqual([201, 200]);
    const { caseId, number } = opened.parse(await first.json());
    expect(await second.json()).toMatchObject({ caseId });
    const existing = { caseId, number, href: `${LIST}/${caseId}` };
    const refused = await expectProblem(await merchant.post(path, COMPLAINT), {
      status: 409,
      code: 'CASE_ALREADY_OPEN',
    });
    expect(refused).toMatchObject({ existing });
    const other = { ...COMPLAINT, description: 'Another text' };
    await expectProblem(await merchant.post(path, other, key), { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it.each([
    [{ kind: 'REFUND' }, 'kind NOT_IN_ENUM'],
    [{ description: '' }, 'description TOO_SHORT'],
    [{ description: 'x'.repeat(1001) }, 'description TOO_LONG'],
    [{ claimedAmount: 1 }, 'claimedAmount UNKNOWN_PROPERTY'],
  ])('cannot open one with %j', async (wrong, violation) => {
    const { shipmentId } = await merchant.create();
    const response = await merchant.post(`${SHIPMENTS}/${shipmentId}/cases`, { ...COMPLAINT, ...wrong });
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: [violation] });
  });

  it('reads neither cases nor shipments of others', async () => {
    const { own, path } = await complain();
    const { merchant: other } = await newSandbox(environment);
    await expectProblem(await other.get(own), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    await expectProblem(await other.post(path, COMPLAINT), { status: 403, code: 'ACCESS_DENIED' });
    expect(list.parse(await (await other.get(LIST)).json()).data).toEqual([]);
  });

  it('decides with the tag, and gets three events in the order of the shipment', async () => {
    const { own, caseId, shipmentId } = await complain();
    await expectProblem(await merchant.post(`${own}/decisions`, { decision: 'ACCEPT' }), {
      status: 428,
      code: 'PRECONDITION_REQUIRED',
      violations: ['If-Match REQUIRED'],
    });
    await reply(caseId, 0);
    await expectProblem(await decide(own, 'ACCEPT', '"0"'), { status: 412, code: 'PRECONDITION_FAILED' });
    const closed = await decide(own, 'ACCEPT', '"1"');
    expect([closed.status, closed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(await closed.json()).toMatchObject({ state: 'CLOSED', outcome: 'EXPLAINED' });
    const { data } = await readEventPage(await merchant.get(`${EVENTS}?shipmentId=${shipmentId}`));
    const told = data.filter(({ type }) => type.startsWith('case.'));
    expect(told.map(({ type, data: shown }) => [type, opened.parse(shown['case']).state])).toEqual([
      ['case.opened', 'OPEN'],
      ['case.answered', 'ANSWERED'],
      ['case.closed', 'CLOSED'],
    ]);
    expect(data.map(({ sequence }) => sequence)).toEqual(data.map((_event, index) => index + 1));
    expect(JSON.stringify(told)).not.toMatch(/torn|sorry/);
  });

  it('lists by state, kind and time', async () => {
    const own = await newSandbox(environment);
    const { shipmentId } = await own.merchant.create();
    for (const kind of ['LATE', 'OTHER', 'DAMAGED'])
      await own.merchant.post(`${SHIPMENTS}/${shipmentId}/cases`, { ...COMPLAINT, kind });
    const read = async (query: string) => list.parse(await (await own.merchant.get(`${LIST}?${query}`)).json());
    expect((await read('')).data.map(({ kind }) => kind)).toEqual(['DAMAGED', 'OTHER', 'LATE']);
    expect((await read('kind=OTHER&state=OPEN')).data).toHaveLength(1);
    expect((await read('state=CLOSED')).data).toEqual([]);
    expect((await read(`from=${new Date(Date.now() + 1000).toISOString()}`)).data).toEqual([]);
    expect((await read(`shipmentId=${randomUUID()}`)).data).toEqual([]);
    const { data, page } = await read('limit=2');
    const rest = await read(`limit=2&cursor=${page.nextCursor}`);
    expect([...data, ...rest.data].map(({ kind }) => kind)).toEqual(['DAMAGED', 'OTHER', 'LATE']);
    const elsewhere = await own.merchant.get(`${LIST}?limit=2&kind=OTHER&cursor=${page.nextCursor}`);
    await expectProblem(elsewhere, { status: 400, code: 'INVALID_CURSOR' });
  });
});

describe('a recipient', () => {
  it('complains and sees the answer, never what the merchant wrote', async () => {
    const { shipmentId, token, complain: send, complaints } = await newRecipient();
    await forceState(environment, company, shipmentId, 'DELIVERED');
    const response = await send({ kind: 'MISSING_ITEMS', description: 'One bag is missing.' });
    expect(response.status).toBe(201);
    const { caseId } = opened.omit({ version: true }).parse(await response.json());
    await merchant.post(`${LIST}/${caseId}/messages`, { text: 'It cost us 34.50 SAR.' });
    await reply(caseId, 1, { text: 'The shop sends it again.' });
    const text = await (await complaints()).text();
    expect(JSON.parse(text)).toMatchObject({
      data: [{ caseId, state: 'ANSWERED', messages: [{ author: 'RECIPIENT' }, { author: 'OPERATOR' }] }],
    });
    expect(text).not.toMatch(/34\.50|evidence|SAR/);
    await expectProblem(await send({ kind: 'WRONG_CHARGE', description: 'Too much.' }), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['kind NOT_IN_ENUM'],
    });
    await expectProblem(await environment.fetch(recipientPath(token, 'cases')), {
      status: 401,
      code: 'AUTHENTICATION_REQUIRED',
    });
  });

  it('withdraws what they opened, and nothing else', async () => {
    const { shipmentId, complain: send, complaints, withdraw } = await newRecipient();
    const { caseId } = z.looseObject({ caseId: z.uuid() }).parse(await (await send(COMPLAINT)).json());
    const other = await merchant.post(`${SHIPMENTS}/${shipmentId}/cases`, { ...COMPLAINT, kind: 'LATE' });
    const { caseId: merchants } = opened.parse(await other.json());
    await expectProblem(await withdraw(merchants), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    expect((await decide(`${LIST}/${caseId}`, 'WITHDRAW')).status).toBe(403);
    for (const _time of ['first', 'second'])
      expect(await (await withdraw(caseId)).json()).toMatchObject({ state: 'CLOSED', outcome: 'WITHDRAWN' });
    expect(await (await complaints()).json()).toMatchObject({ data: [{ caseId, state: 'CLOSED' }] });
  });
});

describe('an operator', () => {
  it('finds what is owed, reads it with a note in the audit, and answers a version', async () => {
    const { caseId, shipmentId } = await complain();
    const { data } = await desk.list.query({ limit: 100 });
    const found = data.filter((one) => one.caseId === caseId);
    expect(found).toMatchObject([{ caseId, companyId, shipmentId, overdue: false }]);
    expect(JSON.stringify(found)).not.toContain('torn');
    expect(await desk.get.query({ companyId, caseId })).toMatchObject({
      messages: [{ text: 'The box is torn.' }],
    });
    const looks = await environment.sql(
      company.shard,
      "select count(*) as looks from audit_entries where action = 'shipment.recipient_viewed' and subject = ?",
      [shipmentId],
    );
    expect(looks).toEqual([{ looks: 1 }]);
    expect(await problemOfCall(reply(caseId, 7))).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    expect(await reply(caseId, 0)).toMatchObject({ state: 'ANSWERED' });
    expect((await decide(`${LIST}/${caseId}`, 'DISPUTE')).status).toBe(200);
    expect(await problemOfCall(reply(caseId, 2))).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
    const decided = await reply(caseId, 2, { by: await operator() });
    expect([decided.state, decided.messages.at(-1)?.text]).toEqual(['CLOSED', expect.stringContaining('19929')]);
  });
});
