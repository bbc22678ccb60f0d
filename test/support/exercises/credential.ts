import { addPerson, addSession } from '../../../scripts/shared/people.ts';
import { CREDENTIAL, newOwner } from '../credentials.ts';
import type { Exercise, FailingScene, Scene, Way } from './scene.ts';

const ROTATIONS = `${CREDENTIAL}/rotations`;
const SCOPES = `${CREDENTIAL}/scopes`;
const GRANT = JSON.stringify({ scopes: ['shipments:read', 'logs:read'] });
const ROTATION = JSON.stringify({ overlapSeconds: 60 });

/** What an owner can do with the company's credential. */
export const CREDENTIAL_EXERCISES: Readonly<Record<string, Exercise>> = {
  'merchantApiCredential.create': {
    good: async (scene) => ({ path: CREDENTIAL, headers: {}, authorization: await ownerOf(scene) }),
    own: (scene) => [
      byMember(scene, 'POST', CREDENTIAL),
      [409, async () => sendTwice(scene, CREDENTIAL, await ownerOf(scene))],
    ],
  },
  'merchantApiCredential.get': {
    good: async (scene) => ({ path: CREDENTIAL, headers: {}, authorization: await ownerOf(scene, true) }),
    own: (scene) => [byMember(scene, 'GET', CREDENTIAL), withoutCredential(scene, 'GET', CREDENTIAL)],
  },
  'merchantApiCredential.rotate': {
    good: async (scene) => ({
      path: ROTATIONS,
      headers: {},
      body: ROTATION,
      authorization: await ownerOf(scene, true),
    }),
    own: (scene) => [
      byMember(scene, 'POST', ROTATIONS),
      withoutCredential(scene, 'POST', ROTATIONS),
      [409, async () => sendTwice(scene, ROTATIONS, await ownerOf(scene, true))],
    ],
  },
  'merchantApiCredential.setScopes': {
    good: async (scene) => ({ path: SCOPES, headers: {}, body: GRANT, authorization: await ownerOf(scene, true) }),
    own: (scene) => [byMember(scene, 'PUT', SCOPES), withoutCredential(scene, 'PUT', SCOPES, GRANT)],
  },
  'merchantApiCredential.delete': {
    good: async (scene) => ({ path: CREDENTIAL, headers: {}, authorization: await ownerOf(scene, true) }),
    own: (scene) => [byMember(scene, 'DELETE', CREDENTIAL), withoutCredential(scene, 'DELETE', CREDENTIAL)],
  },
};

/** The authorization of a new owner, whose company has a credential or none. */
async function ownerOf({ environment }: Scene, hasCredential = false): Promise<string> {
  const owner = await newOwner(environment);
  if (hasCredential) await owner.send('POST', CREDENTIAL);
  return `Bearer ${owner.token}`;
}

function byMember({ environment, sandbox }: FailingScene, method: string, path: string): Way {
  const go = async () => {
    const member = await addPerson(environment, sandbox.company, 'MEMBER');
    const authorization = `Bearer ${await addSession(environment, member, { assurance: 'AAL2' })}`;
    return environment.fetch(path, { method, headers: { authorization } });
  };
  return [403, go];
}

function withoutCredential(scene: FailingScene, method: string, path: string, body?: string): Way {
  const go = async () => {
    const authorization = await ownerOf(scene);
    const headers = { authorization, 'content-type': 'application/json' };
    return scene.environment.fetch(
      path,
      body === undefined ? { method, headers: { authorization } } : { method, headers, body },
    );
  };
  return [404, go];
}

async function sendTwice({ environment }: FailingScene, path: string, authorization: string): Promise<Response> {
  const post = () => environment.fetch(path, { method: 'POST', headers: { authorization } });
  await post();
  return post();
}
