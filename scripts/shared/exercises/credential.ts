import { CREDENTIAL, newOwner } from '../credentials.ts';
import { addPerson, addSession } from '../people.ts';
import type { Exercise, Scene, Stage, Way } from './stage.ts';

const ROTATIONS = `${CREDENTIAL}/rotations`;
const ROTATION = JSON.stringify({ overlapSeconds: 60 });

/** What an owner can do with the company's credential. */
export const CREDENTIAL_EXERCISES: Readonly<Record<string, Exercise>> = {
  'merchantApiCredential.create': {
    good: async (stage) => ({ path: CREDENTIAL, headers: {}, authorization: await ownerOf(stage) }),
    own: (stage) => [
      byMember(stage, 'POST', CREDENTIAL),
      [409, async () => sendTwice(stage, CREDENTIAL, await ownerOf(stage))],
    ],
  },
  'merchantApiCredential.get': {
    good: async (stage) => ({ path: CREDENTIAL, headers: {}, authorization: await ownerOf(stage, true) }),
    own: (stage) => [byMember(stage, 'GET', CREDENTIAL), withoutCredential(stage, 'GET', CREDENTIAL)],
  },
  'merchantApiCredential.rotate': {
    good: async (stage) => ({
      path: ROTATIONS,
      headers: {},
      body: ROTATION,
      authorization: await ownerOf(stage, true),
    }),
    own: (stage) => [
      byMember(stage, 'POST', ROTATIONS),
      withoutCredential(stage, 'POST', ROTATIONS),
      [409, async () => sendTwice(stage, ROTATIONS, await ownerOf(stage, true))],
    ],
  },
  'merchantApiCredential.delete': {
    good: async (stage) => ({ path: CREDENTIAL, headers: {}, authorization: await ownerOf(stage, true) }),
    own: (stage) => [byMember(stage, 'DELETE', CREDENTIAL), withoutCredential(stage, 'DELETE', CREDENTIAL)],
  },
};

/** The authorization of a new owner, whose company has a credential or none. */
async function ownerOf({ environment }: Scene, hasCredential = false): Promise<string> {
  const owner = await newOwner(environment);
  if (hasCredential) await owner.send('POST', CREDENTIAL);
  return `Bearer ${owner.token}`;
}

function byMember({ environment, sandbox }: Stage, method: string, path: string): Way {
  const go = async () => {
    const member = await addPerson(environment, sandbox.company, 'MEMBER');
    const authorization = `Bearer ${await addSession(environment, member, { assurance: 'AAL2' })}`;
    return environment.fetch(path, { method, headers: { authorization } });
  };
  return [403, go];
}

function withoutCredential(stage: Stage, method: string, path: string): Way {
  const go = async () => {
    const authorization = await ownerOf(stage);
    return stage.environment.fetch(path, { method, headers: { authorization } });
  };
  return [404, go];
}

async function sendTwice({ environment }: Stage, path: string, authorization: string): Promise<Response> {
  const post = () => environment.fetch(path, { method: 'POST', headers: { authorization } });
  await post();
  return post();
}
