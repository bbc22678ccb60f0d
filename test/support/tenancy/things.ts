import { addBranch, addPickupLocation, nowMicros } from '../../../scripts/shared/companies.ts';
import type { TestCompany } from '../../../scripts/shared/connection.ts';
import type { Headers } from '../../../scripts/shared/merchant.ts';
import { addPerson, addSession, codesTo, newContacts } from '../../../scripts/shared/people.ts';
import type { JsonObject } from '../../../scripts/shared/shipments.ts';
import { webhooksOf } from '../../../scripts/shared/webhooks.ts';
import { OPERATIONS } from '../../../src/http/rest/routes.ts';
import { authorizationOf, callerOf, strangerOf } from '../exercises/callers.ts';
import { sampleOf } from '../exercises/exercise.ts';
import type { Sample, Scene } from '../exercises/scene.ts';
import { trpcClient } from '../trpc.ts';
import type { Procedure } from './procedures.ts';
import type { RowOwner } from './rows.ts';

/** A valid call of a procedure by its owner, and a stranger with the same rights in another company. */
export interface GoodCall {
  /** The tRPC input. */
  readonly input: JsonObject;
  readonly owner: Headers;
  readonly stranger: Headers;
  readonly rows: RowOwner;
}

export async function goodCallOf(procedure: Procedure, scene: Scene): Promise<GoodCall> {
  const operation = OPERATIONS.find(({ name }) => name === procedure.name);
  if (operation === undefined) return consoleCallOf(procedure, scene);
  const { authorization, path, headers, body } = await sampleOf(operation, scene);
  const owner = authorization === undefined ? await authorizationOf(operation, scene) : { authorization };
  const [place = '', query] = path.split('?');
  const segments = place.split('/');
  const parameters = operation.path
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), segments[index]]] : []));
  const ifMatch = headers['if-match'] === undefined ? {} : { ifMatch: headers['if-match'] };
  const asked = Object.fromEntries(new URLSearchParams(query));
  const input = { ...Object.fromEntries(parameters), ...asked, ...ifMatch, ...asTrpc(body) };
  const stranger =
    callerOf(operation) === 'session'
      ? await sessionOf(scene, await strangersCompany(scene))
      : await strangerOf(operation, scene);
  return { input, owner, stranger, rows: await ownerOfRows(scene, owner, input) };
}

/** Members that are numbers over REST and strings over tRPC. */
export const DECIMALS = ['latitude', 'longitude', 'declaredValue', 'codAmount', 'weightKilograms'];

/** A body that is not JSON, such as a picture, contains no ids. */
function asTrpc(body: Sample['body']): JsonObject {
  return JSON.parse(typeof body === 'string' ? body : '{}', (name, value: unknown) =>
    DECIMALS.includes(name) ? String(value) : value,
  ) as JsonObject;
}

/** The company of a token; for a driver's token, the company of the driver's shipment. */
async function ownerOfRows(
  { environment, sandbox, driver }: Scene,
  { authorization = '' }: Headers,
  input: JsonObject,
) {
  const claims = authorization.split('.')[1];
  if (claims !== undefined) {
    const { company, shard } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string>;
    return { companyId: company ?? '', shard: shard === 'shard-2' ? 'shard-2' : 'shard-1' } as const;
  }
  if (!authorization.includes(driver.token)) return sandbox.company;
  const [row] = await environment.sql('shard-1', 'select company_id from shipments where id = ?', [
    String(input['shipmentId']),
  ]);
  return { companyId: String(row?.['company_id']), shard: 'shard-1' } as const;
}

type Make = (scene: Scene, company: TestCompany) => Promise<JsonObject>;
const PRECONDITION = { ifMatch: '*' };
const newBranch: Make = async ({ environment }, company) => {
  const branchCode = codeOfOne();
  await addBranch(environment, company, { branchCode });
  return { branchCode };
};
const newPickupLocation: Make = async ({ environment }, company) => {
  const pickupLocationCode = codeOfOne();
  await addPickupLocation(environment, company, { branchCode: company.branchCode, pickupLocationCode });
  return { pickupLocationCode };
};
const newMember: Make = async ({ environment }, company) => ({
  personId: (await addPerson(environment, company, 'MEMBER')).personId,
});

/** Valid inputs of procedures without a REST operation. A new one must be added here, or its test fails. */
const CONSOLE: Readonly<Record<string, Make>> = {
  'branches.update': async (...world) => ({ ...(await newBranch(...world)), ...PRECONDITION, name: 'Mine' }),
  'branches.deactivate': async (...world) => ({ ...(await newBranch(...world)), ...PRECONDITION }),
  'branches.activate': async (...world) => ({ ...(await newBranch(...world)), ...PRECONDITION }),
  'pickupLocations.create': async (...world) => ({
    ...(await newBranch(...world)),
    pickupLocationCode: codeOfOne(),
    name: 'Mine',
    location: { addressLine: '1 Airport Road', cityCode: 'AHB', latitude: '18.2', longitude: '42.5' },
  }),
  'pickupLocations.update': async (...world) => ({
    ...(await newPickupLocation(...world)),
    ...PRECONDITION,
    name: 'Mine',
  }),
  'pickupLocations.deactivate': async (...world) => ({ ...(await newPickupLocation(...world)), ...PRECONDITION }),
  'pickupLocations.activate': async (...world) => ({ ...(await newPickupLocation(...world)), ...PRECONDITION }),
  'people.changeRole': async (...world) => ({ ...(await newMember(...world)), role: 'OWNER' }),
  'people.remove': newMember,
  'people.invite': newMember,
  'people.endSession': async ({ environment }, company) => ({
    sessionId: await newSession(environment, await addPerson(environment, company)),
  }),
  'sessions.end': async ({ environment }, company) => {
    const person = await addPerson(environment, company);
    return { sessionId: await newSession(environment, person), token: await addSession(environment, person) };
  },
  'people.changeIdentifier': async ({ environment }, company) => {
    const { personId } = await addPerson(environment, company);
    const token = await addSession(environment, { personId });
    const { mobile: identifier } = newContacts();
    const call = trpcClient(environment, token);
    const { challengeId } = await call.people.startIdentifierChange.mutate({ identifier });
    const [otp = ''] = await codesTo(environment, identifier);
    return { identifier, challengeId, otp, token };
  },
  'webhookEndpoints.recovery': async ({ environment, sandbox }) => {
    const webhooks = await webhooksOf(environment, sandbox.merchant);
    return { endpointId: (await webhooks.add('https://example.com/recovery', { enabled: false })).endpointId };
  },
  'audit.list': () => Promise.resolve({}),
  'streets.read': () => Promise.resolve({ bounds: { west: 46.6, south: 24.6, east: 46.8, north: 24.8 } }),
  // Today in Riyadh.
  'activity.list': () =>
    Promise.resolve({ day: new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10), figure: 'created' }),
  'activity.shipments': () => Promise.resolve({}),
};

async function newSession(environment: Scene['environment'], person: { readonly personId: string }): Promise<string> {
  await addSession(environment, person);
  const [row] = await environment.sql('directory', 'select id from sessions where person_id = ?', [person.personId]);
  return String(row?.['id']);
}

async function consoleCallOf({ name }: Procedure, scene: Scene): Promise<GoodCall> {
  const { company } = scene.sandbox;
  const made = await CONSOLE[name]?.(scene, company);
  if (made === undefined) throw new Error(`${name} has no good input in test/support/tenancy/things.ts`);
  // What is a person's own, only this person's session may call.
  const { token, ...input } = made;
  return {
    input,
    owner:
      token === undefined
        ? await sessionOf(scene, company)
        : { authorization: `Bearer ${typeof token === 'string' ? token : ''}` },
    stranger: await sessionOf(scene, await strangersCompany(scene)),
    rows: company,
  };
}

/** A company without any data, not even places. */
async function strangersCompany({ environment, sandbox }: Scene): Promise<{ readonly companyId: string }> {
  const companyId = crypto.randomUUID();
  await environment.sql('directory', "insert into companies (id, name, shard, created_at) values (?, 'X', ?, ?)", [
    companyId,
    sandbox.company.shard,
    nowMicros(),
  ]);
  return { companyId };
}

async function sessionOf({ environment }: Scene, company: { readonly companyId: string }): Promise<Headers> {
  const token = await addSession(environment, await addPerson(environment, company), { assurance: 'AAL2' });
  return { authorization: `Bearer ${token}` };
}

function codeOfOne(): string {
  return `ONE-${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
}
