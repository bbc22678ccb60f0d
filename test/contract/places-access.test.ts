import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClientWith } from '../support/trpc.ts';

/** Which callers may read and change branches and pickup locations, and how all others are refused. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
const { branchCode, pickupLocationCode } = company;
const owner = await addSession(environment, await addPerson(environment, company, 'OWNER'));
const member = await addSession(environment, await addPerson(environment, company, 'MEMBER'));
const stranger = await addSession(environment, await addPerson(environment, await addCompany(environment)));
const LISTS = ['/v2/external/branches', '/v2/external/pickup-locations'];
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (token: string) => ({ cookie: `__Host-session=${token}` });
type Headers = Readonly<Record<string, string>>;

const LOCATION = { addressLine: '1 Airport Road', cityCode: 'AHB', latitude: '18.2', longitude: '42.5' };
const BRANCH = { branchCode: 'AHB-2', name: 'Abha', cityCode: 'AHB' };
const STORE = { pickupLocationCode: 'AHB-STORE-2', branchCode, name: 'Abha', location: LOCATION };
/** A valid input for every procedure that changes a place. */
const CHANGES: readonly (readonly [procedure: string, input: object])[] = [
  ['branches.create', BRANCH],
  ['branches.update', { branchCode, ifMatch: '*', name: 'Mine' }],
  ['branches.deactivate', { branchCode, ifMatch: '*' }],
  ['branches.activate', { branchCode, ifMatch: '*' }],
  ['pickupLocations.create', STORE],
  ['pickupLocations.update', { pickupLocationCode, ifMatch: '*', name: 'Mine' }],
  ['pickupLocations.deactivate', { pickupLocationCode, ifMatch: '*' }],
  ['pickupLocations.activate', { pickupLocationCode, ifMatch: '*' }],
];
type Call = { mutate(input: unknown): Promise<unknown> };
const callOf = (headers: Headers, procedure: string): Call => {
  const [resource = '', action = ''] = procedure.split('.');
  const client = trpcClientWith(environment, headers) as unknown as Record<string, Record<string, Call>>;
  const call = client[resource]?.[action];
  if (call === undefined) throw new Error(`There is no ${procedure}`);
  return call;
};
const placesOf = async () =>
  JSON.stringify([
    await environment.sql(company.shard, 'select * from branches where company_id = ?', [company.companyId]),
    await environment.sql(company.shard, 'select * from pickup_locations where company_id = ?', [company.companyId]),
    await environment.sql(company.shard, 'select * from audit_entries where company_id = ?', [company.companyId]),
  ]);

describe('a list', () => {
  it.each(LISTS)('answers people and client programs of the company alike: %s', async (path) => {
    const read = async (headers: Headers) => {
      const response = await environment.fetch(path, { headers });
      return { status: response.status, body: await response.json() };
    };
    const told = await read(bearer(await environment.token(company, 'shipments:read')));
    expect(told).toMatchObject({ status: 200, body: { data: [{ branchCode }] } });
    for (const headers of [bearer(owner), bearer(member), cookie(member), { ...cookie(owner), origin: 'null' }])
      expect(await read(headers)).toEqual(told);
    expect(await read(bearer(stranger))).not.toEqual(told);
  });

  it.each(LISTS)('refuses all other callers: %s', async (path) => {
    const operator = bearer(await environment.token(environment.operator));
    await expectProblem(await environment.fetch(path, { headers: operator }), { status: 403, code: 'ACCESS_DENIED' });
    for (const headers of [{}, bearer(`ses_${'x'.repeat(43)}`), cookie('x'), cookie(`${owner}x`), bearer('x')])
      await expectProblem(await environment.fetch(path, { headers }), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    for (const token of [owner, await environment.token(company)])
      await expectProblem(await environment.fetch(path, { headers: { ...cookie(owner), ...bearer(token) } }), {
        status: 400,
        code: 'INVALID_HEADER',
        violations: ['Authorization FORBIDDEN_FIELD', 'Cookie FORBIDDEN_FIELD'],
      });
  });
});

describe.each(CHANGES)('%s', (procedure, input) => {
  it.each([
    ['a caller without a token', () => Promise.resolve({})],
    ['a client program of the company', async () => bearer(await environment.token(company))],
    ['an operator', async () => bearer(await environment.token(environment.operator))],
  ])('is 401 for %s', async (_who, headers) => {
    const before = await placesOf();
    expect(await problemOfCall(callOf(await headers(), procedure).mutate(input))).toMatchObject({
      status: 401,
      code: 'AUTHENTICATION_REQUIRED',
    });
    expect(await placesOf()).toBe(before);
  });

  it('is 403 for a cookie sent from a page of another site', async () => {
    const before = await placesOf();
    for (const foreign of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }]) {
      const headers = { ...cookie(owner), ...foreign };
      expect(await problemOfCall(callOf(headers, procedure).mutate(input))).toMatchObject({ code: 'ACCESS_DENIED' });
    }
    expect(await placesOf()).toBe(before);
  });

  it('is 400 with a cookie and a bearer token at once', async () => {
    const headers = { ...cookie(owner), ...bearer(owner), origin: environment.baseUrl };
    expect(await problemOfCall(callOf(headers, procedure).mutate(input))).toMatchObject({ code: 'INVALID_HEADER' });
  });
});

const WRONG: readonly (readonly [procedure: string, change: object, violation: string])[] = [
  ['branches.create', { branchCode: undefined }, 'branchCode REQUIRED'],
  ['branches.create', { branchCode: 7 }, 'branchCode TYPE_MISMATCH'],
  ['branches.create', { branchCode: 'ahb-2' }, 'branchCode PATTERN_MISMATCH'],
  ['branches.create', { branchCode: 'A' }, 'branchCode PATTERN_MISMATCH'],
  ['branches.create', { branchCode: `A${'B'.repeat(64)}` }, 'branchCode PATTERN_MISMATCH'],
  ['branches.create', { branchCode: ['AHB-2'] }, 'branchCode TYPE_MISMATCH'],
  ['branches.create', { name: '' }, 'name TOO_SHORT'],
  ['branches.create', { name: 'x'.repeat(121) }, 'name TOO_LONG'],
  ['branches.create', { name: null }, 'name NULL_NOT_ALLOWED'],
  ['branches.create', { name: { toString: 'x' } }, 'name TYPE_MISMATCH'],
  ['branches.create', { nameAr: 1 }, 'nameAr TYPE_MISMATCH'],
  ['branches.create', { cityCode: 'riyadh' }, 'cityCode PATTERN_MISMATCH'],
  ['branches.create', { status: 'INACTIVE' }, 'status UNKNOWN_PROPERTY'],
  ['branches.create', { companyId: company.companyId }, 'companyId UNKNOWN_PROPERTY'],
  ['branches.create', { version: 9 }, 'version UNKNOWN_PROPERTY'],
  ['branches.update', { name: null }, 'name NULL_NOT_ALLOWED'],
  ['branches.update', { cityCode: null }, 'cityCode NULL_NOT_ALLOWED'],
  ['branches.update', { status: 'INACTIVE' }, 'status UNKNOWN_PROPERTY'],
  ['branches.deactivate', { name: 'x' }, 'name UNKNOWN_PROPERTY'],
  ['pickupLocations.create', { location: { ...LOCATION, latitude: 18.2 } }, 'location.latitude TYPE_MISMATCH'],
  ['pickupLocations.create', { location: { ...LOCATION, latitude: '91' } }, 'location.latitude OUT_OF_RANGE'],
  ['pickupLocations.create', { location: { ...LOCATION, longitude: 'east' } }, 'location.longitude TYPE_MISMATCH'],
  ['pickupLocations.create', { location: { ...LOCATION, city: 'x' } }, 'location.city UNKNOWN_PROPERTY'],
  ['pickupLocations.create', { location: null }, 'location NULL_NOT_ALLOWED'],
  ['pickupLocations.create', { contactPhone: '0512345678' }, 'contactPhone PATTERN_MISMATCH'],
  ['pickupLocations.create', { contactPhone: '+0512345678' }, 'contactPhone PATTERN_MISMATCH'],
  ['pickupLocations.create', { contactPhone: '+9661234567890123' }, 'contactPhone PATTERN_MISMATCH'],
  ['pickupLocations.create', { contactName: 'x'.repeat(121) }, 'contactName TOO_LONG'],
  ['pickupLocations.create', { instructions: 'x'.repeat(501) }, 'instructions TOO_LONG'],
  ['pickupLocations.create', { instructions: 'nul \0' }, 'instructions PATTERN_MISMATCH'],
  ['pickupLocations.update', { branchCode: 'AHB-2' }, 'branchCode UNKNOWN_PROPERTY'],
  ['pickupLocations.update', { location: null }, 'location NULL_NOT_ALLOWED'],
];

it.each(WRONG)('%s is 422 with %j: %s', async (procedure, change, violation) => {
  const good = CHANGES.find(([name]) => name === procedure)?.[1];
  const problem = await problemOfCall(callOf(bearer(owner), procedure).mutate({ ...good, ...change }));
  expect(problem).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
  const { violations } = problem as { violations: { field: string; code: string }[] };
  expect(violations.map(({ field, code }) => `${field} ${code}`)).toEqual([violation]);
});
