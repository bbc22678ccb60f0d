import { randomUUID } from 'node:crypto';
import { forceState } from '../../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../../scripts/shared/merchant.ts';
import { codesTo, newContacts } from '../../../scripts/shared/people.ts';
import { recipientPath, signInRecipient, startRecipientSignIn } from '../../../scripts/shared/recipients.ts';
import { RIYADH, SANDBOX } from '../../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../../scripts/shared/shipments.ts';
import { createLink } from '../../../scripts/shared/tracking.ts';
import { sendWith } from './callers.ts';
import type { Exercise, FailingScene, Sample, Scene, Way } from './scene.ts';
import { NOBODY, newAddress } from './tracking.ts';

const PERMISSIONS = ['ADDRESS', 'INSTRUCTIONS', 'REFUSE', 'RETURN'];
/** About 6 km farther, so that the merchant has to agree. */
const FAR = { location: { latitude: 24.85, longitude: RIYADH.longitude } };
const CURRENT = { 'if-match': '*' };
const RING = { instructions: 'Ring twice.' };
const REFUSAL = { reasonCode: 'NOT_ORDERED' };
const WISH = { reasonCode: 'DAMAGED', partOfDay: 'MORNING' };

/** What the recipient does with a link, and what the merchant then does. */
export const RECIPIENT_EXERCISES: Readonly<Record<string, Exercise>> = {
  'recipients.startSignIn': {
    good: async (scene) => ofLink(await newLink(scene), 'sign-ins', {}),
    own: (scene) => [
      ...waysOfLink(scene, 'POST', 'sign-ins', {}),
      [403, async () => post(scene, await newLink(scene, []), 'sign-ins', {})],
      [
        409,
        async () => {
          const link = await newLink(scene);
          await forceState(scene.environment, scene.sandbox.company, link.shipmentId, 'DELIVERED');
          await endedLongAgo(scene, link.shipmentId);
          return post(scene, link, 'sign-ins', {});
        },
      ],
    ],
  },
  'recipients.verifySignIn': {
    async good(scene) {
      const link = await newLink(scene);
      const { challengeId } = await startRecipientSignIn(scene.environment, link.token);
      const [otp = ''] = await codesTo(scene.environment, link.phone);
      return ofLink(link, verificationOf(challengeId), { otp });
    },
    own: (scene) => {
      const path = verificationOf(randomUUID());
      const body = { otp: '000000' };
      return [
        ...waysOfLink(scene, 'POST', path, body),
        [403, async () => post(scene, await newLink(scene, []), path, body)],
      ];
    },
  },
  'recipients.getDelivery': {
    good: (scene) => ofRecipient(scene, 'delivery'),
    own: (scene) => [
      ...waysOfLink(scene, 'GET', 'delivery'),
      [401, async () => scene.environment.fetch(recipientPath((await newLink(scene)).token, 'delivery'))],
    ],
  },
  'recipients.changeDelivery': {
    good: async (scene) => ({ ...(await ofRecipient(scene, 'delivery', RING)), headers: CURRENT }),
    own: (scene) => [
      ...waysOfLink(scene, 'PATCH', 'delivery', RING, CURRENT),
      ...waysOfSession(scene, 'PATCH', 'delivery', RING, CURRENT),
      [
        409,
        async () => {
          const { shipmentId, change } = await newRecipient(scene);
          await forceState(scene.environment, scene.sandbox.company, shipmentId, 'OUT_FOR_DELIVERY');
          return change({ addressLine: 'Next door' });
        },
      ],
      [
        503,
        async () => {
          const { change } = await newRecipient(scene);
          await scene.sandbox.merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count: 1 });
          return change(FAR);
        },
      ],
    ],
  },
  'recipients.refuse': {
    good: (scene) => ofRecipient(scene, 'refusals', REFUSAL),
    own: (scene) => [
      ...waysOfLink(scene, 'POST', 'refusals', REFUSAL),
      ...waysOfSession(scene, 'POST', 'refusals', REFUSAL),
      [
        409,
        async () => {
          const { refuse } = await newRecipient(scene);
          await refuse();
          return refuse();
        },
      ],
    ],
  },
  'recipients.askReturn': {
    good: async (scene) => {
      const { token, recipientToken } = await deliveredTo(scene);
      const path = recipientPath(token, 'return-requests');
      return { path, headers: {}, authorization: `Bearer ${recipientToken}`, body: JSON.stringify(WISH) };
    },
    own: (scene) => [
      ...waysOfLink(scene, 'POST', 'return-requests', WISH),
      ...waysOfSession(scene, 'POST', 'return-requests', WISH),
      [
        200,
        async () => {
          const { askReturn } = await deliveredTo(scene);
          await askReturn(WISH);
          return askReturn(WISH);
        },
      ],
      [409, async () => (await newRecipient(scene)).askReturn(WISH)],
    ],
  },
  'recipients.rejectReturn': {
    async good(scene) {
      const { shipmentId, askReturn } = await deliveredTo(scene);
      await askReturn(WISH);
      return { path: rejectionsOf(shipmentId), headers: {}, body: '{}' };
    },
    own: (scene) => {
      const { merchant } = scene.sandbox;
      return [
        [404, async () => merchant.post(rejectionsOf((await merchant.create()).shipmentId), {})],
        [
          409,
          async () => {
            const { environment, sandbox } = scene;
            const { shipmentId, askReturn } = await deliveredTo(scene);
            await askReturn(WISH);
            const late = 'update recipient_replies set return_decide_by = return_asked_at where shipment_id = ?';
            await environment.sql(sandbox.company.shard, late, [shipmentId]);
            return merchant.post(rejectionsOf(shipmentId), {});
          },
        ],
      ];
    },
  },
  'recipients.getReply': {
    async good(scene) {
      const { shipmentId, refuse } = await newRecipient(scene);
      await refuse();
      return { path: `${SHIPMENTS}/${shipmentId}/recipient-reply`, headers: {} };
    },
  },
  'shipmentAmendments.decide': {
    async good(scene) {
      const path = await waitingOf(scene);
      return { path, headers: CURRENT, body: JSON.stringify({ decision: 'ACCEPT' }) };
    },
    own: (scene) => {
      const { merchant } = scene.sandbox;
      const decide = (path: string, decision: string) => merchant.post(path, { decision }, CURRENT);
      return [
        [
          404,
          async () => {
            const { shipmentId } = await merchant.create();
            return decide(`${SHIPMENTS}/${shipmentId}/amendments/${randomUUID()}/decisions`, 'ACCEPT');
          },
        ],
        [
          409,
          async () => {
            const path = await waitingOf(scene);
            await decide(path, 'REJECT');
            return decide(path, 'ACCEPT');
          },
        ],
        [
          503,
          async () => {
            const path = await waitingOf(scene);
            await merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count: 1 });
            return decide(path, 'ACCEPT');
          },
        ],
      ];
    },
  },
};

async function newLink({ sandbox: { merchant } }: Pick<Scene, 'sandbox'>, permissions: string[] = PERMISSIONS) {
  const { mobile: phone } = newContacts();
  const { shipmentId } = await merchant.create({
    recipient: { name: 'Huda Al-Otaibi', phone },
    destination: RIYADH,
  });
  const { token } = await createLink(merchant, shipmentId, { permissions });
  return { shipmentId, phone, token };
}
type Link = Awaited<ReturnType<typeof newLink>>;

export async function newRecipient(scene: Scene) {
  const link = await newLink(scene);
  return { ...link, ...(await signInRecipient(scene.environment, link.token, link.phone)) };
}

/** A request of anybody with the link. */
function ofLink({ token }: Link, path: string, body: JsonObject) {
  return { path: recipientPath(token, path), headers: {}, body: JSON.stringify(body) };
}

/** A request of the recipient. */
export async function ofRecipient(scene: Scene, path: string, body?: JsonObject): Promise<Omit<Sample, 'method'>> {
  const { token, recipientToken } = await newRecipient(scene);
  return {
    path: recipientPath(token, path),
    headers: {},
    authorization: `Bearer ${recipientToken}`,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** A recipient who has got the shipment. */
async function deliveredTo(scene: Scene) {
  const { environment, sandbox } = scene;
  const recipient = await newRecipient(scene);
  await forceState(environment, sandbox.company, recipient.shipmentId, 'DELIVERED');
  const ended = 'update shipments set ended_at = created_at where id = ?';
  await environment.sql(sandbox.company.shard, ended, [recipient.shipmentId]);
  return recipient;
}
const rejectionsOf = (shipmentId: string) => `${SHIPMENTS}/${shipmentId}/return-request/rejections`;

/** The path of the decision on a change that waits. */
async function waitingOf(scene: Scene): Promise<string> {
  const { shipmentId, change } = await newRecipient(scene);
  const answer = (await (await change(FAR)).json()) as { awaitingMerchant: { amendmentId: string }[] };
  const [waiting] = answer.awaitingMerchant;
  if (waiting === undefined) throw new Error('The change did not wait for the merchant');
  return `${SHIPMENTS}/${shipmentId}/amendments/${waiting.amendmentId}/decisions`;
}

function verificationOf(challengeId: string): string {
  return `sign-ins/${challengeId}/verifications`;
}

function post({ environment }: Pick<Scene, 'environment'>, link: Link, path: string, body: JsonObject) {
  return sendWith(environment, { method: 'POST', ...ofLink(link, path, body) }, {});
}

/** The ways to the statuses of every request with a link. */
export function waysOfLink(
  { environment, failing }: FailingScene,
  method: string,
  path: string,
  body?: JsonObject,
  headers: Sample['headers'] = {},
): Way[] {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const sample = { method, path: recipientPath(NOBODY, path), headers, ...sent };
  return [
    [404, () => sendWith(environment, sample, {})],
    [
      429,
      async () => {
        const address = newAddress();
        await sendWith(failing, sample, address);
        return sendWith(failing, sample, address);
      },
    ],
    [503, () => sendWith(failing, sample, newAddress())],
  ];
}

/** The ways to the statuses of every change by a recipient. */
export function waysOfSession(
  scene: FailingScene,
  method: string,
  path: string,
  body: JsonObject,
  headers: Sample['headers'] = {},
): Way[] {
  const sent = { method, headers, body: JSON.stringify(body) };
  const send = (token: string, proof: Sample['headers']) =>
    sendWith(scene.environment, { ...sent, path: recipientPath(token, path) }, proof);
  return [
    [401, async () => send((await newLink(scene)).token, {})],
    [
      403,
      async () => {
        const { token, recipientToken } = await newRecipient(scene);
        return send(token, { cookie: `__Host-recipient=${recipientToken}`, origin: 'https://elsewhere.example' });
      },
    ],
  ];
}

/** Nobody can complain about the shipment any more. */
async function endedLongAgo({ environment, sandbox }: Pick<Scene, 'environment' | 'sandbox'>, shipmentId: string) {
  await environment.sql(
    sandbox.company.shard,
    'update shipments set ended_at = created_at - 31 * 86400000000 where id = ?',
    [shipmentId],
  );
}
