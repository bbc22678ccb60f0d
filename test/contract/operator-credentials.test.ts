import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issueToken } from '../../scripts/shared/connection.ts';
import { createProgram } from '../../scripts/shared/operators.ts';
import { addOperator, addSession } from '../../scripts/shared/people.ts';
import { basic, postForm } from '../support/oauth.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* Credentials of operators' programs. The access table says who may call the procedures. */

const environment = sharedEnvironment();
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const newName = () => `program-${randomBytes(6).toString('hex')}`;

async function newOperator() {
  const { personId } = await addOperator(environment);
  const { operations } = trpcClient(environment, await addSession(environment, { personId }, { assurance: 'AAL2' }));
  const { audit, credentials } = operations;
  return { personId, audit, credentials };
}
type Operator = Awaited<ReturnType<typeof newOperator>>;

const callWith = async (token: string) =>
  (await environment.fetch('/trpc/operations.tariffs.list', { headers: { authorization: `Bearer ${token}` } })).status;
const grant = async (client: { clientId: string; clientSecret: string }) =>
  (await postForm(environment, '/oauth/token', { grant_type: 'client_credentials' }, basic(client))).status;

/** The credential as the list shows it, found page by page. */
async function listed({ credentials }: Pick<Operator, 'credentials'>, credentialId: string) {
  let cursor: string | undefined;
  do {
    const { data, page } = await credentials.list.query({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    const found = data.find((one) => one.credentialId === credentialId);
    if (found !== undefined) return found;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return undefined;
}

describe('create', () => {
  it('answers the secret once, with which the program uses the procedures of operators', async () => {
    const operator = await newOperator();
    const name = newName();
    const issued = await operator.credentials.create.mutate({ name });
    const { credentialId, clientSecret, secretHint } = issued;
    expect(issued).toEqual({
      credentialId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientId: `operator-${name}`,
      clientSecret: expect.stringMatching(/^msk_test_[A-Za-z0-9_-]{43}$/),
      secretHint: clientSecret.slice(-4),
      createdAt: expect.stringMatching(INSTANT),
      deployment: 'local',
    });
    const { clientSecret: _secret, deployment: _deployment, ...facts } = issued;
    expect(await listed(operator, credentialId)).toEqual({ ...facts, lastUsedAt: null });
    const kept = await environment.sql('directory', 'select * from credential_secrets where credential_id = ?', [
      credentialId,
    ]);
    expect(kept).toEqual([expect.objectContaining({ secret_hint: secretHint, expires_at: null })]);
    expect(JSON.stringify(kept)).not.toContain(clientSecret);
    expect(await callWith(await issueToken(environment, issued))).toBe(200);
    await expect.poll(async () => (await listed(operator, credentialId))?.lastUsedAt).toMatch(INSTANT);
  });

  it('refuses a name that a program has or had, also one of the command', async () => {
    const { credentials } = await newOperator();
    const duplicate = {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: [{ field: 'name', code: 'DUPLICATE_ITEM' }],
    };
    const name = newName();
    const results = await Promise.allSettled([1, 2, 3].map(() => credentials.create.mutate({ name })));
    const [made, ...others] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(others).toEqual([]);
    expect(await problemOfCall(credentials.create.mutate({ name }))).toMatchObject(duplicate);
    await credentials.revoke.mutate({ credentialId: made?.credentialId ?? '' });
    expect(await problemOfCall(credentials.create.mutate({ name }))).toMatchObject(duplicate);
    const { credentialKey, databaseUrls } = environment;
    const commanded = newName();
    const client = await createProgram(
      { url: databaseUrls.directory },
      { name: commanded, deployment: 'local', credentialKey },
    );
    expect(await problemOfCall(credentials.create.mutate({ name: commanded }))).toMatchObject(duplicate);
    expect(await grant(client)).toBe(200);
  });

  it('allows an operator twenty secrets an hour', async () => {
    const { credentials } = await newOperator();
    for (let count = 0; count < 20; count += 1) await credentials.create.mutate({ name: newName() });
    expect(await problemOfCall(credentials.create.mutate({ name: newName() }))).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
    });
    const other = await newOperator();
    expect(await other.credentials.create.mutate({ name: newName() })).toMatchObject({ deployment: 'local' });
  });

  it.each([
    [{}, 'name REQUIRED'],
    [{ name: '' }, 'name PATTERN_MISMATCH'],
    [{ name: 'Export' }, 'name PATTERN_MISMATCH'],
    [{ name: '-export' }, 'name PATTERN_MISMATCH'],
    [{ name: 'x'.repeat(33) }, 'name PATTERN_MISMATCH'],
    [{ name: 7 }, 'name TYPE_MISMATCH'],
    [{ name: 'export', scopes: ['operations'] }, 'scopes UNKNOWN_PROPERTY'],
  ])('refuses %j', async (input, violation) => {
    const [field, code] = violation.split(' ');
    const { credentials } = await newOperator();
    expect(await problemOfCall(credentials.create.mutate(input as never))).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: [{ field, code }],
    });
  });
});

describe('revoke', () => {
  it('ends the secret and its tokens, once', async () => {
    const operator = await newOperator();
    const client = await operator.credentials.create.mutate({ name: newName() });
    const { credentialId, clientId } = client;
    const token = await issueToken(environment, client);
    expect(await callWith(token)).toBe(200);
    const results = await Promise.allSettled([1, 2, 3].map(() => operator.credentials.revoke.mutate({ credentialId })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([await callWith(token), await grant(client)]).toEqual([401, 401]);
    expect(await listed(operator, credentialId)).toBeUndefined();
    expect(await problemOfCall(operator.credentials.revoke.mutate({ credentialId }))).toMatchObject({ status: 404 });
    const { data } = await operator.audit.list.query({ subject: credentialId });
    const entry = { personId: operator.personId, clientId: 'operations', companyId: null, detail: { clientId } };
    expect(data).toEqual([
      expect.objectContaining({ ...entry, action: 'credential.deleted' }),
      expect.objectContaining({ ...entry, action: 'credential.created' }),
    ]);
    expect(JSON.stringify(data)).not.toContain(client.clientSecret);
  });

  it('does not reach the credential of a company', async () => {
    const [company] = environment.companies;
    const [row] = await environment.sql('directory', 'select id from credentials where client_id = ?', [
      company.clientId,
    ]);
    const { credentials } = await newOperator();
    const call = credentials.revoke.mutate({ credentialId: String(row?.['id']) });
    expect(await problemOfCall(call)).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
    expect(await listed({ credentials }, String(row?.['id']))).toBeUndefined();
    expect(await grant(company)).toBe(200);
  });
});
