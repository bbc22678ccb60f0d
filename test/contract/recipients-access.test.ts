import { describe, expect, it } from 'vitest';
import { addClient, addCompany } from '../../scripts/shared/companies.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession, codesTo, newContacts } from '../../scripts/shared/people.ts';
import {
  answerRecipientSignIn,
  recipientPath,
  signInRecipient,
  startRecipientSignIn,
} from '../../scripts/shared/recipients.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { answerOf } from '../support/access-answers.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** Only the recipient of a link's shipment opens it: every other valid token is refused like a malformed one. */

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const company = await addCompany(environment);
const client = await addClient(environment, { companyId: company.companyId, scopes: 'shipments:read shipments:write' });

async function newLink() {
  const { mobile: phone } = newContacts();
  const { shipmentId } = await sandbox.merchant.create({ recipient: { name: 'Huda Al-Otaibi', phone } });
  const { token } = await createLink(sandbox.merchant, shipmentId, { permissions: ['INSTRUCTIONS', 'REFUSE'] });
  return { token, phone, shipmentId };
}
async function signedIn({ token, phone }: Awaited<ReturnType<typeof newLink>>): Promise<string> {
  return (await signInRecipient(environment, token, phone)).recipientToken;
}

const TOKENS: Readonly<Record<string, string>> = {
  'a malformed token': 'a.b.c',
  'the recipient of another shipment': await signedIn(await newLink()),
  'a client of the merchant': await environment.token(sandbox.company),
  'a client of another company': await environment.token(client),
  'an operator': await environment.token(environment.operator),
  'a driver': (await sandbox.signIn()).token,
  'an owner': await addSession(environment, await addPerson(environment, company), { assurance: 'AAL2' }),
};

interface Procedure {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: JsonObject;
}
const PROCEDURES: readonly Procedure[] = [
  { name: 'recipients.getDelivery', method: 'GET', path: 'delivery', body: {} },
  { name: 'recipients.changeDelivery', method: 'PATCH', path: 'delivery', body: { instructions: 'Ring twice.' } },
  { name: 'recipients.refuse', method: 'POST', path: 'refusals', body: { reasonCode: 'OTHER' } },
  {
    name: 'cases.createAsRecipient',
    method: 'POST',
    path: 'cases',
    body: { kind: 'LATE', description: 'It is late.' },
  },
  { name: 'cases.listAsRecipient', method: 'GET', path: 'cases', body: {} },
];
const FACES = { REST: onRest, tRPC: overTrpc };

describe.each(Object.entries(FACES))('over %s', (_face, send) => {
  it.each(PROCEDURES.map((procedure) => [procedure.name, procedure] as const))(
    '%s admits only the recipient of the link',
    async (_name, procedure) => {
      const link = await newLink();
      const refused = Object.entries(TOKENS).map(async ([who, token]) => [
        who,
        await answerOf(await send(procedure, link.token, token)),
      ]);
      expect(await Promise.all(refused)).toEqual(
        Object.keys(TOKENS).map((who) => [who, '401 AUTHENTICATION_REQUIRED invalid_token']),
      );
      expect(await answerOf(await send(procedure, link.token))).toBe('401 AUTHENTICATION_REQUIRED');
      expect((await send(procedure, link.token, await signedIn(link))).ok).toBe(true);
    },
  );

  it.each(PROCEDURES.map((procedure) => [procedure.name, procedure] as const))(
    '%s finds no unknown link, whatever the token',
    async (_name, procedure) => {
      const nobodys = `shard-1_${'0'.repeat(32)}`;
      for (const token of [undefined, ...Object.values(TOKENS)])
        expect(await answerOf(await send(procedure, nobodys, token))).toBe('404 TRACKING_LINK_UNAVAILABLE');
    },
  );
});

it('a code is over when the shipment gets another phone, although it was sent before', async () => {
  const { token, phone, shipmentId } = await newLink();
  const { challengeId } = await startRecipientSignIn(environment, token);
  const [otp = ''] = await codesTo(environment, phone);
  const body = { recipient: { phone: '0511111111' } };
  const amended = await sandbox.merchant.post(`${SHIPMENTS}/${shipmentId}/amendments`, body, { 'if-match': '*' });
  expect(amended.status).toBe(200);
  const answer = await answerRecipientSignIn(environment, token, challengeId, otp);
  await expectProblem(answer, { status: 422, code: 'OTP_EXPIRED' });
});

function headersOf(token: string | undefined) {
  return {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

function onRest({ method, path, body }: Procedure, link: string, token?: string): Promise<Response> {
  const headers = { ...headersOf(token), ...(method === 'PATCH' ? { 'if-match': '*' } : {}) };
  const sent = method === 'GET' ? {} : { body: JSON.stringify(body) };
  return environment.fetch(recipientPath(link, path), { method, headers, ...sent });
}

function overTrpc({ name, method, body }: Procedure, link: string, token?: string): Promise<Response> {
  const input = JSON.stringify({ token: link, ...body, ...(method === 'PATCH' ? { ifMatch: '*' } : {}) });
  const headers = headersOf(token);
  if (method === 'GET') return environment.fetch(`/trpc/${name}?input=${encodeURIComponent(input)}`, { headers });
  return environment.fetch(`/trpc/${name}`, { method: 'POST', headers, body: input });
}
