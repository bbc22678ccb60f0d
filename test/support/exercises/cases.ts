import { randomUUID } from 'node:crypto';
import { forceState } from '../../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../../scripts/shared/merchant.ts';
import { recipientPath } from '../../../scripts/shared/recipients.ts';
import type { JsonObject } from '../../../scripts/shared/shipments.ts';
import { sendWith } from './callers.ts';
import { newRecipient, ofRecipient, waysOfLink, waysOfSession } from './recipients.ts';
import type { Exercise, Scene } from './scene.ts';

/* Complaints of merchants and of recipients. */

const CASES = '/v2/external/cases';
const COMPLAINT = { kind: 'DAMAGED', description: 'The box is torn.' };
const CURRENT = { 'if-match': '*' };
const MESSAGE = { text: 'Please hurry.' };
const WITHDRAWAL = { decision: 'WITHDRAW' };

export const CASE_EXERCISES: Readonly<Record<string, Exercise>> = {
  'cases.create': {
    async good({ sandbox: { merchant } }) {
      const { shipmentId } = await merchant.create();
      return { path: `${SHIPMENTS}/${shipmentId}/cases`, headers: {}, body: JSON.stringify(COMPLAINT) };
    },
    own: ({ sandbox: { merchant } }) => [
      [
        409,
        async () => {
          const { shipmentId } = await merchant.create();
          const path = `${SHIPMENTS}/${shipmentId}/cases`;
          await merchant.post(path, COMPLAINT);
          return merchant.post(path, COMPLAINT);
        },
      ],
    ],
  },
  'cases.list': {
    async good(scene) {
      await newCase(scene);
      return { path: CASES, headers: {} };
    },
  },
  'cases.get': {
    good: async (scene) => ({ path: await newCase(scene), headers: {} }),
    own: ({ sandbox: { merchant } }) => [[404, () => merchant.get(`${CASES}/${randomUUID()}`)]],
  },
  'cases.addMessage': {
    good: async (scene) => ofCase(await newCase(scene), 'messages', MESSAGE),
    own: (scene) => {
      const { merchant } = scene.sandbox;
      return [
        [404, () => merchant.post(`${CASES}/${randomUUID()}/messages`, MESSAGE)],
        [
          409,
          async () => {
            const path = await newCase(scene);
            await merchant.post(`${path}/decisions`, WITHDRAWAL, CURRENT);
            return merchant.post(`${path}/messages`, MESSAGE);
          },
        ],
      ];
    },
  },
  'cases.decide': {
    good: async (scene) => ({ ...ofCase(await newCase(scene), 'decisions', WITHDRAWAL), headers: CURRENT }),
    own: (scene) => {
      const { merchant } = scene.sandbox;
      return [
        [404, () => merchant.post(`${CASES}/${randomUUID()}/decisions`, WITHDRAWAL, CURRENT)],
        [409, async () => merchant.post(`${await newCase(scene)}/decisions`, { decision: 'ACCEPT' }, CURRENT)],
      ];
    },
  },
  'cases.createAsRecipient': {
    good: (scene) => ofRecipient(scene, 'cases', COMPLAINT),
    own: (scene) => [
      ...waysOfLink(scene, 'POST', 'cases', COMPLAINT),
      ...waysOfSession(scene, 'POST', 'cases', COMPLAINT),
      [
        409,
        async () => {
          const { complain } = await newRecipient(scene);
          await complain(COMPLAINT);
          return complain(COMPLAINT);
        },
      ],
    ],
  },
  'cases.listAsRecipient': {
    good: (scene) => ofRecipient(scene, 'cases'),
    own: (scene) => [
      ...waysOfLink(scene, 'GET', 'cases'),
      [401, async () => scene.environment.fetch(recipientPath((await newRecipient(scene)).token, 'cases'))],
    ],
  },
  'cases.withdrawAsRecipient': {
    async good(scene) {
      const { token, recipientToken, complain } = await newRecipient(scene);
      const { caseId } = (await (await complain(COMPLAINT)).json()) as { caseId: string };
      return {
        path: recipientPath(token, `cases/${caseId}/withdrawals`),
        headers: {},
        authorization: `Bearer ${recipientToken}`,
        body: '{}',
      };
    },
    own: (scene) => {
      const path = `cases/${randomUUID()}/withdrawals`;
      return [
        ...waysOfLink(scene, 'POST', path, {}),
        ...waysOfSession(scene, 'POST', path, {}),
        [
          409,
          async () => {
            const { token, recipientToken, shipmentId, complain } = await newRecipient(scene);
            const { caseId } = (await (await complain(COMPLAINT)).json()) as { caseId: string };
            const { environment, sandbox } = scene;
            await forceState(environment, sandbox.company, shipmentId, 'DELIVERED');
            await environment.sql(
              sandbox.company.shard,
              "update cases set state = 'CLOSED', outcome = 'EXPLAINED' where id = ?",
              [caseId],
            );
            const sent = { method: 'POST', path: recipientPath(token, `cases/${caseId}/withdrawals`), headers: {} };
            return sendWith(environment, { ...sent, body: '{}' }, { authorization: `Bearer ${recipientToken}` });
          },
        ],
      ];
    },
  },
};

/** The path of a new case. */
async function newCase({ sandbox: { merchant } }: Pick<Scene, 'sandbox'>): Promise<string> {
  const { shipmentId } = await merchant.create();
  const made = (await (await merchant.post(`${SHIPMENTS}/${shipmentId}/cases`, COMPLAINT)).json()) as {
    caseId: string;
  };
  return `${CASES}/${made.caseId}`;
}

function ofCase(path: string, part: string, body: JsonObject) {
  return { path: `${path}/${part}`, headers: {}, body: JSON.stringify(body) };
}
