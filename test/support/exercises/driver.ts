import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../scripts/shared/connection.ts';
import { newSandbox, sendJson } from '../../../scripts/shared/sandbox.ts';
import { addChallenge, askForCode, newPhone, signInBySms } from '../driver-sign-in.ts';
import type { Exercise } from './scene.ts';

const SESSIONS = '/v2/driver/sessions';

/** Operations of drivers. */
export const DRIVER_EXERCISES: Readonly<Record<string, Exercise>> = {
  'driver.startSession': {
    good: async () => ({ path: SESSIONS, headers: {}, body: JSON.stringify({ phone: newPhone() }) }),
    own: ({ environment, production }) => [
      [
        429,
        async () => {
          const body = { phone: newPhone() };
          await sendJson(environment, 'POST', SESSIONS, body);
          return sendJson(environment, 'POST', SESSIONS, body);
        },
      ],
      [503, () => sendJson(production, 'POST', SESSIONS, { phone: newPhone() })],
    ],
  },
  'driver.verifySession': {
    // A driver of its own, because a sign-in ends earlier sessions.
    async good({ environment }) {
      const { challengeId, otp } = await askForCode(environment, (await newSandbox(environment)).phone);
      return { path: verificationsOf(challengeId), headers: {}, body: JSON.stringify({ otp }) };
    },
    own: ({ failing }) => [
      [
        503,
        async () => {
          const { challengeId, otp } = await addChallenge(failing, { shard: 'shard-1', companyId: null });
          return sendJson(failing, 'POST', verificationsOf(challengeId), { otp });
        },
      ],
    ],
  },
  'driver.signOut': {
    async good({ environment }) {
      const { token } = await (await newSandbox(environment)).signIn();
      return { path: `${SESSIONS}/current`, headers: {}, authorization: `Bearer ${token}` };
    },
    // Another write uses up the allowance, because after a first sign-out the token would be refused.
    own: ({ failing }) => [
      [
        429,
        async () => {
          const { token, act } = await signInBySms(failing, (await newSandbox(failing, 'shard-2')).phone);
          await act(randomUUID(), { action: 'ACCEPT' });
          const headers = { authorization: `Bearer ${token}` };
          return failing.fetch(`${SESSIONS}/current`, { method: 'DELETE', headers });
        },
      ],
    ],
  },
  'driver.getStanding': { good: async () => ({ path: '/v2/driver/me', headers: {} }) },
  'driver.setDuty': {
    good: async () => ({ path: '/v2/driver/duty', headers: {}, body: JSON.stringify({ onDuty: true }) }),
  },
  'driver.reportPosition': {
    good: async () => ({
      path: '/v2/driver/positions',
      headers: {},
      body: JSON.stringify({ latitude: 24.7, longitude: 46.6 }),
    }),
  },
  'driver.listOffers': { good: async () => ({ path: '/v2/driver/offers', headers: {} }) },
  'driver.listShipments': { good: async () => ({ path: '/v2/driver/shipments', headers: {} }) },
  'driver.act': {
    good: async ({ driver }) => ({
      path: `/v2/driver/shipments/${driver.shipmentId}/actions`,
      headers: {},
      body: JSON.stringify({ action: 'REPORT_POSITION', position: { latitude: 24.7, longitude: 46.6 } }),
    }),
    own: ({ driver }) => [
      [403, () => driver.act(randomUUID(), { action: 'ACCEPT' })],
      [409, () => driver.act(driver.shipmentId, { action: 'ACCEPT' })],
    ],
  },
  'driver.attemptAgain': {
    async good({ environment }) {
      const { path, token } = await failedParcel(environment);
      return { path, headers: {}, body: '{}', authorization: `Bearer ${token}` };
    },
    own: ({ environment, driver }) => [
      [
        200,
        async () => {
          const { path, token } = await failedParcel(environment);
          const body = { actionId: randomUUID() };
          const again = () => sendJson(environment, 'POST', path, body, { authorization: `Bearer ${token}` });
          await again();
          return again();
        },
      ],
      [
        409,
        () =>
          sendJson(
            environment,
            'POST',
            `/v2/driver/shipments/${randomUUID()}/attempts`,
            {},
            {
              authorization: `Bearer ${driver.token}`,
            },
          ),
      ],
    ],
  },
};

/** A parcel whose failure its driver, who has no other one, has just reported. */
async function failedParcel(environment: Environment) {
  const sandbox = await newSandbox(environment);
  const { token, act } = await sandbox.signIn();
  const { shipmentId } = await sandbox.create();
  await sandbox.untilState(shipmentId, 'OFFERED');
  for (const action of ['ACCEPT', 'PICK_UP', 'DEPART']) await act(shipmentId, { action });
  await act(shipmentId, { action: 'FAIL', reasonCode: 'RECIPIENT_REFUSED' });
  return { path: `/v2/driver/shipments/${shipmentId}/attempts`, token };
}

function verificationsOf(challengeId: string): string {
  return `${SESSIONS}/${challengeId}/verifications`;
}
