import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { TestCompany } from '../../scripts/shared/connection.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addOperator, addPerson, addSession } from '../../scripts/shared/people.ts';
import { startReceiver } from '../../scripts/shared/receiver.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { readShipment } from '../../scripts/shared/shipments.ts';
import { createLink, follow } from '../../scripts/shared/tracking.ts';
import { webhooksOf } from '../../scripts/shared/webhooks.ts';
import { foldedOf } from '../../src/core/typed/folded.ts';
import { basic, expectOAuthError, postForm } from '../support/oauth.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* Operators find companies, suspend them and resume them. Each test has its own company. */

const environment = sharedEnvironment();
const [first, second] = [await addOperator(environment), await addOperator(environment)];
const clientOf = async (person: { personId: string }) =>
  trpcClient(environment, await addSession(environment, person, { assurance: 'AAL2' })).operations;
const { companies, audit } = await clientOf(first);
const other = await clientOf(second);
const REASON = 'The invoices of two months are open';
const DENIED = { status: 403, code: 'ACCESS_DENIED' } as const;

const suspend = ({ companyId }: Pick<TestCompany, 'companyId'>, version = 0) =>
  companies.suspend.mutate({ companyId, version, reason: REASON });
const resume = ({ companyId }: Pick<TestCompany, 'companyId'>, version = 1) =>
  companies.resume.mutate({ companyId, version, reason: 'They have paid' });

describe('a suspended company', () => {
  it('is refused with tokens from before, new tokens and sessions, and works again once it is resumed', async () => {
    const company = await addCompany(environment);
    const form = { grant_type: 'client_credentials' };
    const ask = () => postForm(environment, '/oauth/token', form, basic(company));
    const newToken = async () => z.object({ access_token: z.string() }).parse(await (await ask()).json()).access_token;
    // No process has seen these tokens, so none has cached that they are valid.
    const [before, later] = [await newToken(), await newToken()];
    const person = await addPerson(environment, company);
    const session = trpcClient(environment, await addSession(environment, person));
    const list = (token: string) => environment.fetch(SHIPMENTS, { headers: { authorization: `Bearer ${token}` } });
    expect(await session.sessions.current.query({})).toMatchObject({ company: { companyId: company.companyId } });

    expect(await suspend(company)).toEqual({ companyId: company.companyId, state: 'SUSPENDED', version: 1 });
    expect(await expectProblem(await list(before), DENIED)).toMatchObject({ companyState: 'SUSPENDED' });
    // The refusal is cached, too.
    await expectProblem(await list(before), DENIED);
    const refused = { ...DENIED, companyState: 'SUSPENDED' };
    expect(await problemOfCall(session.sessions.current.query({}))).toMatchObject(refused);
    expect(await problemOfCall(session.shipments.list.query({}))).toMatchObject(refused);
    const unissued = await expectOAuthError(await ask(), { status: 403, error: 'unauthorized_client' });
    expect(unissued).toMatchObject({ code: 'ACCESS_DENIED', companyState: 'SUSPENDED' });
    // A client may still end a token that somebody has stolen.
    const revoked = await postForm(environment, '/oauth/revoke', { token: before }, basic(company));
    expect(revoked.status).toBe(200);

    expect(await resume(company)).toMatchObject({ state: 'ACTIVE', version: 2 });
    expect((await list(later)).status).toBe(200);
    expect((await list(await newToken())).status).toBe(200);
    expect(await session.sessions.current.query({})).toMatchObject({ company: { companyId: company.companyId } });
  });

  it('lets its people sign out and end their sessions, which stay ended once it is resumed', async () => {
    const company = await addCompany(environment);
    const person = await addPerson(environment, company);
    const CURRENT = '/v2/company-authentication/sessions/current';
    const [left, ended, kept] = await Promise.all([0, 1, 2].map(() => addSession(environment, person)));
    const ask = (token = '', method = 'GET') =>
      environment.fetch(CURRENT, { method, headers: { authorization: `Bearer ${token}` } });
    const { sessionId } = await trpcClient(environment, String(ended)).sessions.current.query({});
    await suspend(company);
    const gone = await ask(left, 'DELETE');
    expect([gone.status, gone.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    await trpcClient(environment, String(ended)).sessions.end.mutate({ sessionId });
    await expectProblem(await ask(kept), DENIED);
    await resume(company);
    expect([(await ask(left)).status, (await ask(ended)).status, (await ask(kept)).status]).toEqual([401, 401, 200]);
  });

  it('keeps its shipments: its links are followed, its driver delivers, its webhooks are sent', async () => {
    const sandbox = await newSandbox(environment);
    const { company, merchant } = sandbox;
    const driver = await sandbox.signIn();
    const { shipmentId } = await sandbox.create();
    await sandbox.untilState(shipmentId, 'OFFERED');
    const link = await createLink(merchant, shipmentId);
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    await (await webhooksOf(environment, merchant)).add(receiver.url, { eventTypes: ['shipment.delivered'] });
    await suspend(company);
    expect((await follow(environment, link.token)).status).toBe(200);
    const states = [];
    for (const action of ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER']) {
      const answered = await driver.act(shipmentId, { action });
      expect(answered.status).toBe(200);
      states.push(Reflect.get(Object(await answered.json()), 'state'));
    }
    expect(states).toEqual(['ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY', 'DELIVERED']);
    expect((await follow(environment, link.token)).status).toBe(200);
    const [sent] = await receiver.waitFor(1);
    expect(sent?.text).toContain(shipmentId);
    const seen = await companies.get.query({ companyId: company.companyId });
    expect(seen).toMatchObject({ state: 'SUSPENDED', version: 1 });
    await resume(company);
    const again = await merchantOf(environment, company);
    expect((await readShipment(await again.get(`${SHIPMENTS}/${shipmentId}`))).state).toBe('DELIVERED');
  });

  it('does not touch other companies', async () => {
    const [company, neighbour] = [await addCompany(environment), await addCompany(environment)];
    const merchant = await merchantOf(environment, neighbour);
    await suspend(company);
    expect((await merchant.get(SHIPMENTS)).status).toBe(200);
  });
});

describe('suspending', () => {
  it('is won by one of two operators; the other reads the state and who was faster', async () => {
    const company = await addCompany(environment);
    const { companyId } = company;
    const attempts = await Promise.allSettled([
      companies.suspend.mutate({ companyId, version: 0, reason: REASON }),
      other.companies.suspend.mutate({ companyId, version: 0, reason: REASON }),
    ]);
    expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const winner = attempts[0].status === 'fulfilled' ? first : second;
    const now = { currentState: 'SUSPENDED', currentVersion: 1, changedBy: winner.personId };
    const late = companies.suspend.mutate({ companyId, version: 0, reason: REASON });
    expect(await problemOfCall(late)).toMatchObject({ code: 'INVALID_STATE_TRANSITION', status: 409, ...now });
    const { suspensions } = await companies.get.query({ companyId });
    expect(suspensions).toEqual([
      {
        suspended: {
          operator: winner.personId,
          fullName: 'Noura Al-Qahtani',
          reason: REASON,
          at: expect.any(String),
        },
        resumed: null,
      },
    ]);
  });

  it('is refused if the company was suspended and resumed since the operator looked', async () => {
    const company = await addCompany(environment);
    const { companyId } = company;
    await suspend(company);
    const early = companies.resume.mutate({ companyId, version: 0, reason: 'They have paid' });
    expect(await problemOfCall(early)).toMatchObject({ status: 412, currentState: 'SUSPENDED', currentVersion: 1 });
    await other.companies.resume.mutate({ companyId, version: 1, reason: 'They have paid' });
    const late = { code: 'PRECONDITION_FAILED', currentState: 'ACTIVE', currentVersion: 2, changedBy: second.personId };
    expect(await problemOfCall(suspend(company))).toMatchObject(late);
    expect(await problemOfCall(resume(company))).toMatchObject({ ...late, code: 'INVALID_STATE_TRANSITION' });
    expect(await suspend(company, 2)).toMatchObject({ state: 'SUSPENDED', version: 3 });
    expect((await companies.get.query({ companyId })).suspensions.map(({ resumed }) => resumed?.operator)).toEqual([
      undefined,
      second.personId,
    ]);
  });

  it('needs a reason, a company, an operator, and a recent second factor', async () => {
    const company = await addCompany(environment);
    const { companyId } = company;
    const short = companies.suspend.mutate({ companyId, version: 0, reason: 'No' });
    expect(await problemOfCall(short)).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
    const without = environment.fetch('/trpc/operations.companies.suspend', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await addSession(environment, first, { assurance: 'AAL2' })}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ companyId, version: 0 }),
    });
    expect((await without).status).toBe(422);
    const unknown = companies.suspend.mutate({ companyId: first.personId, version: 0, reason: REASON });
    expect(await problemOfCall(unknown)).toMatchObject(DENIED);
    const owner = await addPerson(environment, company);
    const own = trpcClient(environment, await addSession(environment, owner, { assurance: 'AAL2' })).operations;
    expect(await problemOfCall(own.companies.suspend.mutate({ companyId, version: 0, reason: REASON }))).toMatchObject(
      DENIED,
    );
    const stale = trpcClient(
      environment,
      await addSession(environment, first, { assurance: 'AAL2', provedSecondsAgo: 700 }),
    ).operations;
    expect(
      await problemOfCall(stale.companies.suspend.mutate({ companyId, version: 0, reason: REASON })),
    ).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    expect(await companies.get.query({ companyId })).toMatchObject({ state: 'ACTIVE', version: 0, suspensions: [] });
  });

  it('is in the audit, which operators filter by company, subject and person', async () => {
    const company = await addCompany(environment);
    const { companyId } = company;
    await suspend(company);
    await other.companies.resume.mutate({ companyId, version: 1, reason: 'They have paid' });
    const resumed = { action: 'company.resumed', companyId, personId: second.personId, detail: { version: 2 } };
    const suspended = { action: 'company.suspended', companyId, personId: first.personId, detail: { version: 1 } };
    const entries = async (filter: Parameters<typeof audit.list.query>[0]) => (await audit.list.query(filter)).data;
    const both = [expect.objectContaining(resumed), expect.objectContaining(suspended)];
    expect(await entries({ companyId })).toEqual(both);
    expect(await entries({ subject: companyId })).toEqual(both);
    expect(await entries({ companyId, personId: first.personId })).toEqual([both[1]]);
    const mine = await entries({ personId: first.personId, limit: 100 });
    expect(new Set(mine.map(({ personId }) => personId))).toEqual(new Set([first.personId]));
    const one = await audit.list.query({ companyId, limit: 1 });
    const foreign = audit.list.query({ limit: 1, cursor: String(one.page.nextCursor) });
    expect(await problemOfCall(foreign)).toMatchObject({ code: 'INVALID_CURSOR' });
    const rest = await audit.list.query({ companyId, limit: 1, cursor: String(one.page.nextCursor) });
    expect([...one.data, ...rest.data]).toEqual(both);
  });
});

describe('companies', () => {
  it('are found by a part of the name, by id and by registration number, and listed by state', async () => {
    const company = await addCompany(environment);
    const { companyId } = company;
    const name = `عسل أبها\u00A0Asir Honey ${companyId.slice(-8)}`;
    const number = `77${String(Date.now()).slice(-8)}`;
    await environment.sql('directory', 'update companies set name = ?, folded_name = ? where id = ?', [
      name,
      foldedOf(name),
      companyId,
    ]);
    await environment.sql(
      'directory',
      `insert into registrations (id, state, store_name, legal_basis, commercial_registration_number, full_name, email,
         mobile, device_reference, company_id, owner_id, shard, upload_capability_hash, upload_capability_expires_at,
         created_at, expires_at, review)
       values (?, 'COMPLETED', ?, 'COMMERCIAL_ENTITY', ?, 'Huda', 'huda@asir.example', '+966500000000', ?, ?, ?, ?, '', 0,
         0, 0, 'APPROVED')`,
      [companyId, name, number, companyId, companyId, companyId, company.shard],
    );
    const found = { companyId, name, state: 'ACTIVE', commercialRegistrationNumber: number, shard: company.shard };
    const spellings = [name.slice(2).toUpperCase(), `عَسل  ابـها asir Honey ${companyId.slice(-8)}`];
    for (const search of [
      ...spellings,
      companyId,
      `\u200F${companyId} `,
      number,
      ` ${number} `,
      number.replaceAll('7', '٧'),
    ])
      expect((await companies.list.query({ search })).data).toEqual([expect.objectContaining(found)]);
    expect((await companies.list.query({ search: 'no company has 100% of this_name' })).data).toEqual([]);
    const among = async (state: 'ACTIVE' | 'SUSPENDED') =>
      (await companies.list.query({ search: name, state })).data.map(({ state: now }) => now);
    expect([await among('ACTIVE'), await among('SUSPENDED')]).toEqual([['ACTIVE'], []]);
    await suspend(company);
    expect([await among('ACTIVE'), await among('SUSPENDED')]).toEqual([[], ['SUSPENDED']]);
  });

  it('are listed newest first, in pages', async () => {
    const [older, newer] = [await addCompany(environment), await addCompany(environment)];
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { data, page } = await companies.list.query({ search: older.name, limit: 50, cursor });
      ids.push(...data.map(({ companyId }) => companyId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && !ids.includes(older.companyId));
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(ids.indexOf(older.companyId)).toBeGreaterThan(ids.indexOf(newer.companyId));
  });

  it('show operators their policy, people, clients, shard and last move', async () => {
    const company = await addCompany(environment);
    const { companyId, clientId, shard } = company;
    await addPerson(environment, company);
    await addPerson(environment, company, 'MEMBER');
    await companies.setApprovalPolicy.mutate({ companyId, approvalPolicy: 'MANUAL' });
    const seen = await companies.get.query({ companyId });
    expect(seen).toMatchObject({ approvalPolicy: 'MANUAL', peopleCount: 2, shard, registration: null, move: null });
    expect(seen.credentials).toEqual([{ clientId, lastUsedAt: null }]);
    expect(seen.otherShards).not.toContain(shard);
    expect(seen.otherShards.length).toBeGreaterThan(0);
    await environment.sql(
      shard,
      `insert into company_moves (company_id, state, other_shard, run, changed_at) values (?, 'DRAINING', 'shard-2', ?, 0)`,
      [companyId, companyId],
    );
    const move = { state: 'DRAINING', otherShard: 'shard-2', changedAt: '1970-01-01T00:00:00.000000Z' };
    expect((await companies.get.query({ companyId })).move).toEqual(move);
  });
});
