import { describe, expect, it } from 'vitest';
import type { TestCompany } from '../../scripts/shared/connection.ts';
import { BRANCH, LOCATION, newConsole, STORE } from '../support/places.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall } from '../support/trpc.ts';

const environment = sharedEnvironment();
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string;
const auditOf = async ({ companyId, shard }: TestCompany) => {
  const select = 'select action, subject, person_id, detail from audit_entries where company_id = ? order by at';
  return environment.sql(shard, select, [companyId]);
};

describe('a branch', () => {
  it('is created, updated, deactivated and activated, each time with the next version', async () => {
    const { company, person, call } = await newConsole(environment);
    const made = await call.branches.create.mutate(BRANCH);
    expect(made).toEqual({ ...BRANCH, status: 'ACTIVE', createdAt: INSTANT, updatedAt: made.createdAt, version: 0 });
    const changed = await call.branches.update.mutate({
      branchCode: 'JED-1',
      ifMatch: '"0"',
      name: 'Jeddah',
      nameAr: null,
    });
    expect(changed).toEqual({ ...made, name: 'Jeddah', nameAr: null, updatedAt: INSTANT, version: 1 });
    expect(changed.updatedAt > made.updatedAt).toBe(true);
    const off = await call.branches.deactivate.mutate({ branchCode: 'JED-1', ifMatch: '"1"' });
    expect(off).toEqual({ ...changed, status: 'INACTIVE', updatedAt: INSTANT, version: 2 });
    expect(await call.branches.activate.mutate({ branchCode: 'JED-1', ifMatch: '*' })).toMatchObject({
      status: 'ACTIVE',
      version: 3,
    });
    const listed = await call.branches.list.query({ limit: 1 });
    expect(listed.data).toMatchObject([{ branchCode: 'JED-1', name: 'Jeddah', version: 3 }]);
    const audit = await auditOf(company);
    expect(audit.map(({ action, subject }) => `${String(action)} ${String(subject)}`)).toEqual([
      'branch.created JED-1',
      'branch.updated JED-1',
      'branch.deactivated JED-1',
      'branch.activated JED-1',
    ]);
    expect(audit[1]).toMatchObject({
      person_id: person.personId,
      detail: JSON.stringify({ version: 1, members: 'name nameAr' }),
    });
  });

  it('keeps its version when an update changes nothing', async () => {
    const { company, call } = await newConsole(environment);
    const made = await call.branches.create.mutate(BRANCH);
    const same = [
      call.branches.update.mutate({ branchCode: 'JED-1', ifMatch: '"0"', name: BRANCH.name }),
      call.branches.update.mutate({ branchCode: 'JED-1', ifMatch: '"0"' }),
      call.branches.activate.mutate({ branchCode: 'JED-1', ifMatch: '"0"' }),
    ];
    for (const answer of await Promise.all(same)) expect(answer).toEqual(made);
    expect(await auditOf(company)).toHaveLength(1);
  });

  it('has a code that is unique within its company, but not across companies', async () => {
    const [{ call, company }, other] = [await newConsole(environment), await newConsole(environment)];
    await call.branches.create.mutate(BRANCH);
    await other.call.branches.create.mutate(BRANCH);
    expect(await problemOfCall(call.branches.create.mutate(BRANCH))).toMatchObject({
      status: 422,
      violations: [{ field: 'branchCode', code: 'DUPLICATE_ITEM' }],
    });
    expect(await auditOf(company)).toHaveLength(1);
  });

  it('is created once by ten concurrent requests', async () => {
    const { call, company } = await newConsole(environment);
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => call.branches.create.mutate(BRANCH)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await auditOf(company)).toHaveLength(1);
  });

  it('is updated once by ten concurrent requests with the same version', async () => {
    const { call, company } = await newConsole(environment);
    await call.branches.create.mutate(BRANCH);
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        call.branches.update.mutate({ branchCode: 'JED-1', ifMatch: '"0"', name: `Name ${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await auditOf(company)).toHaveLength(2);
  });

  it('is refused when the company already has 200', async () => {
    const { call, company } = await newConsole(environment);
    await environment.sql(
      company.shard,
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 199)
       insert into branches (company_id, branch_code, name, city_code, status, created_at, updated_at, version)
       select ?, 'MANY-' || n, 'Many', 'JED', 'ACTIVE', 1, 1, 0 from numbers`,
      [company.companyId],
    );
    expect(await problemOfCall(call.branches.create.mutate(BRANCH))).toMatchObject({
      code: 'VALIDATION_FAILED',
      violations: [{ field: 'branchCode', code: 'TOO_MANY_ITEMS' }],
    });
  });
});

describe('a pickup location', () => {
  it('is created, updated, deactivated and activated', async () => {
    const { company, call } = await newConsole(environment, 'OWNER');
    await call.branches.create.mutate(BRANCH);
    const made = await call.pickupLocations.create.mutate(STORE);
    const { contactPhone: _phone, ...told } = STORE;
    expect(made).toEqual({
      ...told,
      nameAr: null,
      maskedContactPhone: '********3210',
      status: 'ACTIVE',
      createdAt: INSTANT,
      updatedAt: made.createdAt,
      version: 0,
    });
    const target = { pickupLocationCode: 'JED-STORE' };
    const moved = { ...LOCATION, latitude: '21.6' };
    const changed = await call.pickupLocations.update.mutate({
      ...target,
      ifMatch: '"0"',
      nameAr: 'متجر الحمراء',
      location: moved,
      contactName: null,
      contactPhone: null,
      instructions: null,
    });
    expect(changed).toEqual({
      ...made,
      nameAr: 'متجر الحمراء',
      location: moved,
      contactName: null,
      maskedContactPhone: null,
      instructions: null,
      updatedAt: INSTANT,
      version: 1,
    });
    expect(await call.pickupLocations.deactivate.mutate({ ...target, ifMatch: '"1"' })).toMatchObject({
      status: 'INACTIVE',
      version: 2,
    });
    expect(await call.pickupLocations.activate.mutate({ ...target, ifMatch: '"2"' })).toMatchObject({
      status: 'ACTIVE',
      version: 3,
    });
    const listed = await call.pickupLocations.list.query({ branchCode: 'JED-1' });
    expect(listed.data).toMatchObject([{ pickupLocationCode: 'JED-STORE', version: 3 }]);
    const audit = await auditOf(company);
    expect(audit.map(({ action }) => action)).toEqual([
      'branch.created',
      'pickup_location.created',
      'pickup_location.updated',
      'pickup_location.deactivated',
      'pickup_location.activated',
    ]);
    // The names of the changed members, without personal data.
    expect(audit[2]?.['detail']).toBe(
      JSON.stringify({ version: 1, members: 'latitude nameAr contactName contactPhone instructions' }),
    );
  });

  it('needs a branch of its own company', async () => {
    const [{ call, company }, other] = [await newConsole(environment), await newConsole(environment)];
    await other.call.branches.create.mutate(BRANCH);
    expect(await problemOfCall(call.pickupLocations.create.mutate(STORE))).toMatchObject({
      status: 422,
      violations: [{ field: 'branchCode', code: 'BRANCH_UNKNOWN' }],
    });
    expect(await auditOf(company)).toEqual([]);
  });

  it('has a code that is unique across all branches of its company', async () => {
    const { call, company } = await newConsole(environment);
    const { branchCode, pickupLocationCode } = company;
    await call.branches.create.mutate(BRANCH);
    expect(await problemOfCall(call.pickupLocations.create.mutate({ ...STORE, pickupLocationCode }))).toMatchObject({
      violations: [{ field: 'pickupLocationCode', code: 'DUPLICATE_ITEM' }],
    });
    const sibling = await call.pickupLocations.create.mutate({ ...STORE, branchCode });
    expect(sibling.branchCode).toBe(branchCode);
  });
});

describe('If-Match on a place', () => {
  it('is 412 with the current version when it is stale', async () => {
    const { call } = await newConsole(environment);
    await call.branches.create.mutate(BRANCH);
    await call.pickupLocations.create.mutate(STORE);
    const stale = { ifMatch: '"7"' };
    const calls = [
      call.branches.update.mutate({ branchCode: 'JED-1', ...stale, name: 'X' }),
      call.branches.deactivate.mutate({ branchCode: 'JED-1', ...stale }),
      call.branches.activate.mutate({ branchCode: 'JED-1', ifMatch: 'W/"0"' }),
      call.pickupLocations.update.mutate({ pickupLocationCode: 'JED-STORE', ...stale, name: 'X' }),
      call.pickupLocations.deactivate.mutate({ pickupLocationCode: 'JED-STORE', ...stale }),
    ];
    for (const problem of await Promise.all(calls.map(problemOfCall)))
      expect(problem).toMatchObject({ code: 'PRECONDITION_FAILED', currentVersion: 0 });
  });

  it('is required and must be an entity tag', async () => {
    const { call } = await newConsole(environment);
    await call.branches.create.mutate(BRANCH);
    const update = call.branches.update.mutate as (input: unknown) => Promise<unknown>;
    for (const [ifMatch, code] of [
      [undefined, 'PRECONDITION_REQUIRED'],
      ['0', 'INVALID_HEADER'],
      [0, 'INVALID_HEADER'],
    ] as const)
      expect(await problemOfCall(update({ branchCode: 'JED-1', ifMatch, name: 'X' }))).toMatchObject({ code });
  });
});
