import { newSandbox, readChallenge, SANDBOX, sendJson } from '../../../scripts/shared/sandbox.ts';
import { addChallenge, forgetCodes } from '../driver-sign-in.ts';
import { authorizationOfClient } from './callers.ts';
import { type Exercise, newMerchant, type Scene } from './scene.ts';

const SCENARIO = { name: 'HAPPY_PATH', stepSeconds: 60 };

/** Operations of a merchant's system in its sandbox. */
export const SANDBOX_EXERCISES: Readonly<Record<string, Exercise>> = {
  'sandbox.bootstrap': {
    good: async () => ({ path: `${SANDBOX}/bootstrap`, headers: {} }),
    own: ({ environment, sandbox }) => [
      [201, async () => (await newMerchant(environment)).post(`${SANDBOX}/bootstrap`)],
      [200, () => sandbox.merchant.post(`${SANDBOX}/bootstrap`)],
    ],
  },
  'sandbox.readiness': { good: async () => ({ path: `${SANDBOX}/readiness`, headers: {} }) },
  'sandbox.setDispatchHold': {
    good: async () => ({ path: `${SANDBOX}/dispatch-hold`, headers: {}, body: JSON.stringify({ held: false }) }),
    own: ({ environment }) => [
      [
        409,
        async () => {
          const { company } = await newMerchant(environment);
          const authorization = await authorizationOfClient(environment, company);
          return sendJson(environment, 'PUT', `${SANDBOX}/dispatch-hold`, { held: true }, authorization);
        },
      ],
    ],
  },
  'sandbox.setDispatchSettings': {
    good: async () => ({
      path: `${SANDBOX}/dispatch-settings`,
      headers: {},
      body: JSON.stringify({ leadSeconds: null }),
    }),
    own: ({ environment }) => [
      [
        409,
        async () => {
          const { company } = await newMerchant(environment);
          const authorization = await authorizationOfClient(environment, company);
          return sendJson(environment, 'PUT', `${SANDBOX}/dispatch-settings`, { leadSeconds: 3600 }, authorization);
        },
      ],
    ],
  },
  'sandbox.reset': {
    good: async () => ({ path: `${SANDBOX}/resets`, headers: {} }),
    own: ({ environment }) => [[409, async () => (await newMerchant(environment)).post(`${SANDBOX}/resets`)]],
  },
  'sandbox.releaseDispatch': { good: (scene) => ofNewShipment(scene, 'dispatch-releases') },
  'sandbox.readClock': { good: async () => ({ path: `${SANDBOX}/clock`, headers: {} }) },
  'sandbox.advanceClock': {
    // Of a company of its own: the answers of the others name instants.
    async good({ environment }) {
      const { company } = await newSandbox(environment);
      const authorization = await authorizationOfClient(environment, company);
      return { path: `${SANDBOX}/clock/advances`, headers: {}, body: JSON.stringify({ seconds: 1 }), ...authorization };
    },
    own: ({ environment }) => [
      [409, async () => (await newMerchant(environment)).post(`${SANDBOX}/clock/advances`, { seconds: 1 })],
    ],
  },
  'sandbox.startDriverSession': {
    async good({ environment, sandbox: { phone } }) {
      await forgetCodes(environment, phone);
      return { path: `${SANDBOX}/driver-sessions`, headers: {}, body: JSON.stringify({ phone }) };
    },
    own: ({ environment, sandbox: { phone } }) => [
      [409, async () => (await newMerchant(environment)).post(`${SANDBOX}/driver-sessions`, { phone })],
    ],
  },
  'sandbox.verifyDriverSession': {
    // A new code of the same driver would end this one.
    async good({ environment }) {
      const { company, merchant, phone } = await newSandbox(environment);
      const asked = await merchant.post(`${SANDBOX}/driver-sessions`, { phone });
      const { challengeId, sandboxOtp } = await readChallenge(asked);
      const body = JSON.stringify({ otp: sandboxOtp });
      return {
        path: verificationsOf(challengeId),
        headers: {},
        body,
        ...(await authorizationOfClient(environment, company)),
      };
    },
    own: ({ failing }) => [
      [
        503,
        async () => {
          const [company] = failing.companies;
          const authorization = await authorizationOfClient(failing, company);
          const { challengeId, otp } = await addChallenge(failing, company);
          return sendJson(failing, 'POST', verificationsOf(challengeId), { otp }, authorization);
        },
      ],
    ],
  },
  'sandbox.startScenario': {
    good: async (scene) => ({ ...(await ofNewShipment(scene, 'scenarios')), body: JSON.stringify(SCENARIO) }),
    own: (scene) => [
      [
        409,
        async () => {
          const { merchant } = scene.sandbox;
          const { shipmentId } = await merchant.create();
          await merchant.cancel(shipmentId);
          return merchant.post(`${SANDBOX}/shipments/${shipmentId}/scenarios`, SCENARIO);
        },
      ],
    ],
  },
  'sandbox.setFault': {
    good: async () => ({
      path: `${SANDBOX}/faults`,
      headers: {},
      body: JSON.stringify({ target: 'WEBHOOK_DELIVERY', count: 1 }),
    }),
  },
  'sandbox.clearFaults': { good: async () => ({ path: `${SANDBOX}/faults`, headers: {} }) },
};

function verificationsOf(challengeId: string): string {
  return `${SANDBOX}/driver-sessions/${challengeId}/verifications`;
}

async function ofNewShipment({ sandbox }: Scene, path: string) {
  const { shipmentId } = await sandbox.merchant.create();
  return { path: `${SANDBOX}/shipments/${shipmentId}/${path}`, headers: {} };
}
