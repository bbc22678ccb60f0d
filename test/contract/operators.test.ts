import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createProgram, inviteOperator, listOperators, removeOperator } from '../../scripts/shared/operators.ts';
import {
  acceptInvitation,
  addOperator,
  addSession,
  codesTo,
  elevate,
  newContacts,
  signIn,
} from '../../scripts/shared/people.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* Operators: people who run the deployment, from the command that invites them to what they may do. */

const environment = sharedEnvironment();
const directory = { url: environment.databaseUrls.directory };

async function dataOf(response: Response): Promise<unknown> {
  return z.object({ result: z.object({ data: z.unknown() }) }).parse(await response.json()).result.data;
}

async function invite() {
  const contacts = newContacts();
  return { ...contacts, invitationId: await inviteOperator(directory, { ...contacts, fullName: 'Reem Al-Harbi' }) };
}

describe('an invited operator', () => {
  it('accepts by e-mail, proves the second factor, and may then use the procedures of operators', async () => {
    const { email, mobile, invitationId } = await invite();
    const token = await acceptInvitation(environment, invitationId, email);
    const session = { person: { fullName: 'Reem Al-Harbi', email, role: 'OPERATOR' }, company: null };
    const first = trpcClient(environment, token);
    expect(await first.sessions.current.query({})).toMatchObject({ ...session, assuranceLevel: 'AAL1' });
    expect(await problemOfCall(first.operations.tariffs.list.query({}))).toMatchObject({ code: 'ASSURANCE_REQUIRED' });
    const proved = trpcClient(environment, await elevate(environment, token, mobile));
    expect(await proved.sessions.current.query({})).toMatchObject({ ...session, assuranceLevel: 'AAL2' });
    expect((await proved.operations.tariffs.list.query({})).length).toBeGreaterThan(0);
    expect(await signIn(environment, mobile)).toMatch(/^ses_/);
  });

  it('is signed in in the browser by the acceptance', async () => {
    const { email, invitationId } = await invite();
    const call = (name: string, body: JsonObject) => sendJson(environment, 'POST', `/trpc/sessions.${name}`, body);
    const asked = await call('startAcceptance', { invitationId, deviceReference: randomUUID() });
    const { challengeId } = z.object({ challengeId: z.string() }).parse(await dataOf(asked));
    const [otp = ''] = await codesTo(environment, email);
    const answered = await call('verifyAcceptance', { challengeId, otp });
    const { sessionToken } = z.object({ sessionToken: z.string() }).parse(await dataOf(answered));
    expect(answered.headers.get('set-cookie')).toContain(`__Host-session=${sessionToken}; Path=/;`);
  });

  it('cannot sign in by an unproved identifier', async () => {
    const { email, mobile } = await invite();
    for (const identifier of [email, mobile])
      await expect(signIn(environment, identifier)).rejects.toThrow('sessionToken');
  });

  it('keeps the same invitation when invited again, and is listed until removed', async () => {
    const { email, mobile, invitationId } = await invite();
    expect(await inviteOperator(directory, { email, mobile, fullName: 'Reem' })).toBe(invitationId);
    const listed = async () => (await listOperators(directory)).filter((one) => one.email === email);
    expect(await listed()).toEqual([
      expect.objectContaining({ fullName: 'Reem Al-Harbi', mobile: `********${mobile.slice(-4)}`, hasAccepted: false }),
    ]);
    const token = await acceptInvitation(environment, invitationId, email);
    expect(await listed()).toEqual([expect.objectContaining({ hasAccepted: true })]);
    await expect(inviteOperator(directory, { email, mobile, fullName: 'Reem' })).rejects.toThrow(/signs in somebody/);
    await removeOperator(directory, email);
    expect(await listed()).toEqual([]);
    const call = trpcClient(environment, token).sessions.current.query({});
    expect(await problemOfCall(call)).toMatchObject({ code: 'AUTHENTICATION_REQUIRED' });
  });
});

describe('an operator', () => {
  it('is named as a person in the audit', async () => {
    const operator = await addOperator(environment);
    const call = trpcClient(environment, await addSession(environment, operator, { assurance: 'AAL2' }));
    const [company] = environment.companies;
    const { companyId } = company;
    await call.operations.companies.setApprovalPolicy.mutate({ companyId, approvalPolicy: 'AUTOMATIC' });
    const { personId } = operator;
    const { data } = await call.operations.audit.list.query({ personId });
    expect(data).toEqual([
      expect.objectContaining({ clientId: 'operations', action: 'company.approval_policy_set', companyId }),
    ]);
  });

  it('can sign out, which is audited', async () => {
    const operator = await addOperator(environment);
    const call = trpcClient(environment, await signIn(environment, operator.email));
    await call.sessions.signOut.mutate({});
    expect(await problemOfCall(call.sessions.current.query({}))).toMatchObject({ code: 'AUTHENTICATION_REQUIRED' });
    const select = 'select company_id, client_id, action from audit_entries where person_id = ? order by at';
    const entry = { company_id: '00000000-0000-0000-0000-000000000000', client_id: 'operations' };
    expect(await environment.sql('directory', select, [operator.personId])).toEqual([
      { ...entry, action: 'session.signed_in' },
      { ...entry, action: 'session.signed_out' },
    ]);
  });
});

describe('the client of an operator’s program', () => {
  it('gets tokens for operator procedures, and must have a unique name', async () => {
    const { credentialKey } = environment;
    const options = { name: `export-${Date.now()}`, deployment: 'local', credentialKey } as const;
    const client = await createProgram(directory, options);
    expect(client).toMatchObject({
      clientId: `operator-${options.name}`,
      clientSecret: expect.stringMatching(/^msk_test_/),
    });
    const call = trpcClient(environment, await environment.token(client));
    expect((await call.operations.tariffs.list.query({})).length).toBeGreaterThan(0);
    await expect(createProgram(directory, options)).rejects.toThrow(/Choose another name/);
  });
});
