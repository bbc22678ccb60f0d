import { addCompany } from '../../scripts/shared/companies.ts';
import type { Environment } from '../../scripts/shared/connection.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import { authorizationOf, narrowToken, strangerOf, tokenOfOtherKind } from '../support/exercises/callers.ts';
import { sampleOf } from '../support/exercises/exercise.ts';
import { newScene, type Sample, type Scene } from '../support/exercises/scene.ts';
import { DESCRIBED, type Described } from './document.ts';
import type { Finds } from './spoil-request.ts';

/** Valid requests of every operation, and the values that malformed ones are made of. */
export interface Supply {
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly finds: Finds;
}

const SAMPLES_EACH = 3;

export async function newSupply(environment: Environment, names: readonly string[]): Promise<Supply> {
  // Faults and resets of one sandbox must not affect requests for the other.
  const [scene, playground] = [await newScene(environment), await newScene(environment)];
  const samples = new Map<string, readonly Sample[]>();
  const groups = Map.groupBy(
    DESCRIBED.filter(({ name }) => names.includes(name)),
    ({ name }) => name.split('.')[0],
  );
  const fill = async (group: readonly Described[]) => {
    for (const one of group)
      samples.set(one.name, await samplesOf(one, one.name.startsWith('sandbox.') ? playground : scene));
  };
  await Promise.all([...groups.values()].map(fill));
  return { samples, finds: await findsOf(scene) };
}

async function samplesOf(described: Described, scene: Scene): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let count = 0; count < SAMPLES_EACH; count += 1) samples.push(await authorized(described, scene));
  return samples;
}

/** A valid request with the headers of a caller that may send it. */
async function authorized(described: Described, scene: Scene): Promise<Sample> {
  const operation = OPERATIONS.find(({ name }) => name === described.name);
  if (operation === undefined) return ofNoProcedure(described, scene);
  const { authorization, ...sample } = await sampleOf(operation, scene);
  const own = authorization === undefined ? await authorizationOf(operation, scene) : { authorization };
  const type = sample.body === undefined ? {} : { 'content-type': 'application/json' };
  return { ...sample, headers: { ...type, ...sample.headers, ...own } };
}

function ofNoProcedure({ method, path, name }: Described, { sandbox }: Scene): Sample {
  if (!name.startsWith('oauth.') || method === 'GET') return { method, path, headers: {} };
  const { clientId, clientSecret } = sandbox.company;
  const body = name === 'oauth.token' ? 'grant_type=client_credentials&scope=shipments%3Aread' : 'token=abc';
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  return { method, path, headers: { 'content-type': 'application/x-www-form-urlencoded', authorization }, body };
}

async function findsOf(scene: Scene): Promise<Finds> {
  const { environment, sandbox, driver } = scene;
  const stranger = await merchantOf(environment, await addCompany(environment));
  const session = await addSession(environment, await addPerson(environment, stranger.company), { assurance: 'AAL2' });
  const [operation] = OPERATIONS.filter(({ meta }) => meta.scope === 'shipments:write');
  if (operation === undefined) throw new Error('No operation writes shipments');
  const others = [
    await strangerOf(operation, scene),
    await narrowToken(scene, operation),
    await tokenOfOtherKind(operation, scene),
  ];
  const [one, two] = [await stranger.create(), await stranger.create()];
  return {
    authorizations: [
      ...others.flatMap((headers) => Object.values(headers)),
      `Bearer ${session}`,
      `Bearer ${driver.token}`,
    ],
    cookies: [`__Host-session=${session}`, '__Host-session=', `__Host-session=${session}; __Host-session=x`, 'a', '='],
    ids: [one.shipmentId, two.shipmentId, driver.shipmentId, driver.shipmentId.toUpperCase(), crypto.randomUUID()],
    cursors: [
      ...(await cursorsOf(scene, sandbox.company)),
      ...(await cursorsOf(scene, stranger.company)),
      '',
      'x',
      '__proto__',
      'A'.repeat(150),
      'A'.repeat(513),
      '%ff',
    ],
  };
}

/** Cursors from lists that have more than one page. */
async function cursorsOf({ environment }: Scene, company: Scene['sandbox']['company']): Promise<string[]> {
  const merchant = await merchantOf(environment, company);
  const lists = [`${SHIPMENTS}?limit=1`, `${SHIPMENTS}?limit=1&state=PENDING_APPROVAL`, '/v2/external/events?limit=1'];
  const pages = await Promise.all(lists.map(async (list) => (await merchant.get(list)).json()));
  return pages.flatMap((page) => {
    const { nextCursor } = Object(Object(page).page);
    return typeof nextCursor === 'string' ? [nextCursor] : [];
  });
}
