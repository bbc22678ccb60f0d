import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  AUTHENTICATION,
  addPerson,
  addSession,
  codesTo,
  newContacts,
  otherThan,
} from '../../../scripts/shared/people.ts';
import { sendJson } from '../../../scripts/shared/sandbox.ts';
import { ACTING_AS, actingAsText } from '../../../src/core/acting-as.ts';
import { addDocuments, draftOf, registrationBody } from '../registrations.ts';
import type { Exercise, FailingScene, Scene } from './scene.ts';

const REGISTRATIONS = '/v2/merchant-registrations';
const SIGN_INS = `${AUTHENTICATION}/sign-ins`;
const ELEVATIONS = `${AUTHENTICATION}/assurance-elevations`;
const CURRENT = `${AUTHENTICATION}/sessions/current`;
const CODES_MAX = 5;
const challenge = z.looseObject({ challengeId: z.string() });
const elevation = z.looseObject({ elevationId: z.string() });

/** Registration and sign-in of merchants and their people. */
export const PEOPLE_EXERCISES: Readonly<Record<string, Exercise>> = {
  'registrations.create': {
    good: async () => ({ path: REGISTRATIONS, headers: {}, body: JSON.stringify(registrationBody()) }),
    own: ({ environment, production }) => [
      [
        429,
        () => {
          const { mobile } = newContacts();
          const ask = () =>
            sendJson(environment, 'POST', REGISTRATIONS, registrationBody({ mobileNumber: mobile.slice(4) }));
          return lastOf(CODES_MAX + 1, ask);
        },
      ],
      [503, () => sendJson(production, 'POST', REGISTRATIONS, registrationBody())],
    ],
  },
  'registrations.requestVerification': {
    good: async () => ({ path: resendOf(randomUUID()), headers: {} }),
    own: ({ environment, production }) => [
      [
        429,
        () => {
          const path = resendOf(randomUUID());
          return lastOf(2, () => environment.fetch(path, { method: 'POST' }));
        },
      ],
      [503, () => production.fetch(resendOf(randomUUID()), { method: 'POST' })],
    ],
  },
  'registrations.verify': {
    async good({ environment }) {
      const draft = await draftOf(environment);
      await draft.addDocuments();
      return { path: completionOf(draft.body.registrationId), headers: {}, body: JSON.stringify({ otp: draft.code }) };
    },
    own: ({ environment, headless }) => [
      [
        409,
        async () => {
          const draft = await draftOf(environment);
          await addDocuments(environment, draft.body.registrationId, 'NATIONAL_ADDRESS');
          return draft.verify(draft.code);
        },
      ],
      [503, () => sendJson(headless, 'POST', completionOf(randomUUID()), { otp: '123456' })],
    ],
  },
  'sessions.startSignIn': {
    good: async () => ({ path: SIGN_INS, headers: {}, body: JSON.stringify(signIn(newContacts().email)) }),
    own: ({ environment, production }) => [
      [
        429,
        () => {
          const { email } = newContacts();
          return lastOf(CODES_MAX + 1, () => sendJson(environment, 'POST', SIGN_INS, signIn(email)));
        },
      ],
      [503, () => sendJson(production, 'POST', SIGN_INS, signIn(newContacts().email))],
    ],
  },
  'sessions.verifySignIn': {
    good: async (scene) => {
      const { path, otp } = await askedCode(scene);
      return { path, headers: {}, body: JSON.stringify({ otp }) };
    },
    own: (scene) => [
      [
        409,
        async () => {
          const { path, otp } = await askedCode(scene);
          // A dialog signs in only the person its page shows.
          const shown = { [ACTING_AS]: actingAsText({ id: randomUUID(), companyId: null }) };
          return sendJson(scene.environment, 'POST', path, { otp }, shown);
        },
      ],
      [503, () => sendJson(scene.headless, 'POST', `${SIGN_INS}/${randomUUID()}/verifications`, { otp: '123456' })],
    ],
  },
  'sessions.current': { good: async () => ({ path: CURRENT, headers: {} }) },
  'sessions.signOut': {
    good: async () => ({ path: CURRENT, headers: {} }),
    own: (scene) => [
      [403, () => fromElsewhere(scene, 'DELETE', CURRENT)],
      [
        429,
        async () => {
          const person = await addPerson(scene.failing, scene.failing.companies[1]);
          const leave = async () =>
            scene.failing.fetch(CURRENT, {
              method: 'DELETE',
              headers: { authorization: `Bearer ${await addSession(scene.failing, person)}` },
            });
          return lastOf(2, leave);
        },
      ],
    ],
  },
  'sessions.startElevation': {
    good: async () => ({ path: ELEVATIONS, headers: {}, body: '{}' }),
    own: (scene) => [[403, () => fromElsewhere(scene, 'POST', ELEVATIONS)]],
  },
  'sessions.verifyElevation': {
    async good({ environment, sandbox }) {
      const person = await addPerson(environment, sandbox.company);
      const authorization = `Bearer ${await addSession(environment, person)}`;
      const asked = await sendJson(environment, 'POST', ELEVATIONS, {}, { authorization });
      const { elevationId } = elevation.parse(await asked.json());
      const [otp = otherThan('')] = await codesTo(environment, person.mobile);
      const path = `${ELEVATIONS}/${elevationId}/verifications`;
      // The code belongs to that session.
      return { path, headers: {}, authorization, body: JSON.stringify({ otp }) };
    },
    own: (scene) => [[403, () => fromElsewhere(scene, 'POST', `${ELEVATIONS}/${randomUUID()}/verifications`)]],
  },
};

function signIn(identifier: string) {
  return { identifier, deviceReference: randomUUID() };
}

function resendOf(registrationId: string): string {
  return `/v2/account-registrations/${registrationId}/verification-requests`;
}

function completionOf(registrationId: string): string {
  return `/v2/account-registrations/${registrationId}/verifications`;
}

/** A change with a cookie, sent from a page of another site. */
async function fromElsewhere({ environment, sandbox }: FailingScene, method: string, path: string): Promise<Response> {
  const token = await addSession(environment, await addPerson(environment, sandbox.company));
  const headers = { cookie: `__Host-session=${token}`, origin: 'https://elsewhere.example' };
  return environment.fetch(path, { method, headers });
}

/** The last of several answers. */
async function lastOf(times: number, ask: () => Promise<Response>): Promise<Response> {
  for (let count = 1; count < times; count += 1) await ask();
  return ask();
}

/** Where a new person answers a code of a sign-in, and the code. */
async function askedCode({ environment, sandbox }: Scene): Promise<{ readonly path: string; readonly otp: string }> {
  const { email } = await addPerson(environment, sandbox.company);
  const asked = await sendJson(environment, 'POST', SIGN_INS, signIn(email));
  const { challengeId } = challenge.parse(await asked.json());
  const [otp = ''] = await codesTo(environment, email);
  return { path: `${SIGN_INS}/${challengeId}/verifications`, otp };
}
