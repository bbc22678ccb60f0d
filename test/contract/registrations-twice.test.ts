import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { codesTo, newContacts } from '../../scripts/shared/people.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import { type JsonObject, newKey } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { addDocuments, registrationBody, upload, verify } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const PDF = new TextEncoder().encode('%PDF-1.4\n%%EOF\n');

/** A request of its own, and what it made so far. */
function newApplicant() {
  const { email, mobile } = newContacts();
  const body = registrationBody({ email, mobileNumber: mobile.slice(4) });
  const send = (key?: string, changes: JsonObject = {}) =>
    sendJson(
      environment,
      'POST',
      '/v2/merchant-registrations',
      { ...body, ...changes },
      key === undefined ? {} : { 'idempotency-key': key },
    );
  const drafts = () => environment.sql('directory', 'select id from registrations where mobile = ?', [mobile]);
  /** Makes everything of the drafts older. */
  const passSeconds = (seconds: number) =>
    environment.sql(
      'directory',
      `update registrations set created_at = created_at - ?, upload_capability_expires_at = upload_capability_expires_at - ?
       where mobile = ?`,
      [seconds * 1e6, seconds * 1e6, mobile],
    );
  return { mobile, send, drafts, passSeconds };
}

const textOf = async (response: Promise<Response>) => (await response).text();
const idOf = (text: string) => z.object({ registrationId: z.string() }).parse(JSON.parse(text)).registrationId;

describe('a registration with an idempotency key', () => {
  it('is answered again with the first draft and a capability that works', async () => {
    const { mobile, send, drafts, passSeconds } = newApplicant();
    const key = newKey();
    const first = await send(key);
    const answer = await first.text();
    await passSeconds(600);
    const again = await send(key);
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 200, 'true']);
    expect(await again.text()).toBe(answer);
    expect([await drafts(), await codesTo(environment, mobile)]).toEqual([
      [{ id: idOf(answer) }],
      [expect.any(String)],
    ]);
    const { uploadCapability } = z.object({ uploadCapability: z.string() }).parse(JSON.parse(answer));
    const owner = { registrationId: idOf(answer), uploadCapability };
    expect((await upload(environment, owner, { type: 'NATIONAL_ADDRESS', bytes: PDF })).status).toBe(200);
  });

  it('begins anew with another body, which another stranger may have sent with the same key', async () => {
    const { send } = newApplicant();
    const stranger = newApplicant();
    const key = newKey();
    const ids = [await textOf(send(key)), await textOf(stranger.send(key))].map(idOf);
    expect(new Set(ids).size).toBe(2);
  });

  it('begins anew once the capability or the draft is gone', async () => {
    const { mobile, send, passSeconds } = newApplicant();
    const key = newKey();
    const first = idOf(await textOf(send(key)));
    await passSeconds(1801);
    const second = idOf(await textOf(send(key)));
    expect(second).not.toBe(first);
    await addDocuments(environment, second, 'NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION');
    const [otp = ''] = await codesTo(environment, mobile);
    expect((await verify(environment, second, otp)).status).toBe(200);
    const [sealed] = await environment.sql('directory', 'select sealed_answer from registrations where id = ?', [
      second,
    ]);
    expect(sealed).toEqual({ sealed_answer: '' });
    expect(idOf(await textOf(send(key)))).not.toBe(second);
  });

  it('is refused with a malformed key', async () => {
    await expectProblem(await newApplicant().send('short'), {
      status: 400,
      code: 'INVALID_IDEMPOTENCY_KEY',
      violations: ['Idempotency-Key TOO_SHORT'],
    });
  });
});

describe('a registration without a key', () => {
  it('is one for two clicks, even at once: one draft and one code', async () => {
    const { mobile, send, drafts } = newApplicant();
    const [first, second] = await Promise.all([textOf(send()), textOf(send())]);
    expect(second).toBe(first);
    expect(await textOf(send())).toBe(first);
    expect([await drafts(), await codesTo(environment, mobile)]).toEqual([[{ id: idOf(first) }], [expect.any(String)]]);
  });

  it('is a new one later, from another device, and with a correction', async () => {
    const { send, passSeconds } = newApplicant();
    const ids = [idOf(await textOf(send()))];
    await passSeconds(11);
    ids.push(idOf(await textOf(send())));
    ids.push(idOf(await textOf(send(undefined, { deviceReference: crypto.randomUUID() }))));
    ids.push(idOf(await textOf(send(undefined, { storeName: 'Taif Rose' }))));
    expect(new Set(ids).size).toBe(4);
  });

  it('holds no capability in clear', async () => {
    const { mobile, send } = newApplicant();
    const answer = await textOf(send());
    const rows = await environment.sql('directory', 'select * from registrations where mobile = ?', [mobile]);
    const { uploadCapability } = z.object({ uploadCapability: z.string() }).parse(JSON.parse(answer));
    expect(JSON.stringify(rows)).not.toContain(uploadCapability);
  });
});
