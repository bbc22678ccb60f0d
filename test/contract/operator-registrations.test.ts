import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { addOperator, addSession } from '../../scripts/shared/people.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { PDF, PNG, PNG_WITH_PLACE } from '../support/files.ts';
import { expectProblem } from '../support/problem.ts';
import { complete, draftOf, upload } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* Operators review registrations, and companies wait for their approval. */

const environment = sharedEnvironment();
const operator = await addOperator(environment);
const { registrations } = trpcClient(
  environment,
  await addSession(environment, operator, { assurance: 'AAL2' }),
).operations;

/** A completed registration that waits for an operator, as on a deployment that requires approval. */
async function waitingRegistration() {
  const { registrationId, companyId, mobile } = await complete(environment);
  await environment.sql('directory', "update registrations set review = 'PENDING' where id = ?", [registrationId]);
  const [company] = await environment.sql('directory', 'select shard from companies where id = ?', [companyId]);
  const shard = String(company?.['shard']) as 'shard-1';
  await environment.sql(shard, "update company_settings set review = 'PENDING' where company_id = ?", [companyId]);
  const reviewInShard = async () => {
    const [row] = await environment.sql(shard, 'select review from company_settings where company_id = ?', [companyId]);
    return row?.['review'];
  };
  return { registrationId, companyId, mobile, reviewInShard };
}

const purposesTo = async (mobile: string) =>
  (
    await environment.sql('directory', "select purpose from one_time_codes where recipient = ? and code = ''", [mobile])
  ).map(({ purpose }) => purpose);

describe('a company', () => {
  it('can create shipments at once where no approval is required', async () => {
    const { registrationId } = await complete(environment);
    expect(await registrations.get.query({ registrationId })).toMatchObject({ status: 'APPROVED', decision: null });
  });

  it.each(['PENDING', 'REJECTED'])('cannot create a shipment while its review is %s, and reads why', async (review) => {
    const company = await addCompany(environment);
    const merchant = await merchantOf(environment, company);
    const insert = "insert into company_settings (company_id, approval_policy, review) values (?, 'AUTOMATIC', ?)";
    const key = { 'idempotency-key': `before the review ${review}` };
    const body = shipmentBody(company);
    const created = await merchant.postShipment(body, key);
    expect(created.status).toBe(201);
    await environment.sql(company.shard, insert, [company.companyId, review]);
    const refused = await merchant.postShipment(shipmentBody(company));
    const problem = await expectProblem(refused, { status: 409, code: 'REGISTRATION_INCOMPLETE' });
    expect(problem).toMatchObject({ review });
    // The key of a creation before that still gets its answer.
    expect((await merchant.postShipment(body, key)).status).toBe(200);
    await environment.sql(company.shard, "update company_settings set review = 'APPROVED' where company_id = ?", [
      company.companyId,
    ]);
    expect((await merchant.postShipment(shipmentBody(company))).status).toBe(201);
  });
});

describe('a registration in review', () => {
  it('is listed by its status, oldest first, in pages', async () => {
    const [first, second] = [await waitingRegistration(), await waitingRegistration()];
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { data, page } = await registrations.list.query({ status: 'PENDING', limit: 1, cursor });
      found.push(...data.map(({ registrationId }) => registrationId));
      expect(data.every(({ status }) => status === 'PENDING')).toBe(true);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found.filter((id) => id === first.registrationId || id === second.registrationId)).toEqual([
      first.registrationId,
      second.registrationId,
    ]);
    const { body } = await draftOf(environment);
    const pages = await registrations.list.query({ status: 'DRAFT', limit: 100 });
    const draft = pages.data.find(({ registrationId }) => registrationId === body.registrationId);
    expect(draft).toMatchObject({ status: 'DRAFT', companyId: null, completedAt: null });
  });

  it('names the completed registrations with the same number, mobile, e-mail address or file', async () => {
    const number = () => `70${randomInt(1e8).toString().padStart(8, '0')}`;
    const own = await draftOf(environment, { commercialRegistrationNumber: number() });
    const [same] = await environment.sql('directory', 'select * from registrations where id = ?', [
      own.body.registrationId,
    ]);
    const others = [
      await complete(environment, { commercialRegistrationNumber: same?.['commercial_registration_number'] as string }),
      await complete(environment, { commercialRegistrationNumber: number(), email: own.email }),
      await complete(environment, { commercialRegistrationNumber: number() }),
    ];
    // A draft is nobody yet.
    await draftOf(environment, { commercialRegistrationNumber: number(), email: own.email });
    const bytes = new TextEncoder().encode(`%PDF-1.4\n% ${own.email}\ntrailer << /Size 1 /Encrypt 5 0 R >>\n%%EOF\n`);
    const type = 'NATIONAL_ADDRESS';
    expect((await upload(environment, own.body, { type, bytes })).status).toBe(200);
    await environment.sql(
      'directory',
      `update registration_documents set sha256 = (select sha256 from registration_documents where registration_id = ?)
       where registration_id = ? and document_type = ?`,
      [own.body.registrationId, others[2]?.registrationId ?? '', type],
    );
    const shown = await registrations.get.query({ registrationId: own.body.registrationId });
    expect(shown.elsewhere).toEqual([
      { registrationId: others[0]?.registrationId, storeName: 'Taif Roses', same: ['NUMBER'] },
      { registrationId: others[1]?.registrationId, storeName: 'Taif Roses', same: ['EMAIL'] },
      { registrationId: others[2]?.registrationId, storeName: 'Taif Roses', same: ['DOCUMENT'] },
    ]);
    expect(shown.documents).toMatchObject([{ documentType: type, isProtected: true }]);
  });

  it('is approved with a reason: the company may create shipments, is told so, and the audit has it', async () => {
    const { registrationId, companyId, mobile, reviewInShard } = await waitingRegistration();
    const reason = 'The address is right';
    const approved = await registrations.approve.mutate({ registrationId, reason });
    expect(approved).toMatchObject({ status: 'APPROVED', decision: { decidedBy: operator.personId, reason } });
    expect(await reviewInShard()).toBe('APPROVED');
    expect(await purposesTo(mobile)).toEqual(['COMPANY_APPROVED']);
    const entries = await environment.sql(
      'directory',
      "select person_id, client_id, company_id, action, detail from audit_entries where subject = ? and action like 'registration.%'",
      [registrationId],
    );
    const detail = JSON.stringify({ previousReview: 'PENDING' });
    const entry = { person_id: operator.personId, client_id: 'operations', company_id: companyId, detail };
    expect(entries).toEqual([{ ...entry, action: 'registration.approved' }]);
  });

  it('is rejected with a reason, and may be approved after all', async () => {
    const { registrationId, mobile, reviewInShard } = await waitingRegistration();
    const rejected = await registrations.reject.mutate({ registrationId, reason: 'The document cannot be read' });
    expect(rejected).toMatchObject({ status: 'REJECTED', decision: { reason: 'The document cannot be read' } });
    expect(await reviewInShard()).toBe('REJECTED');
    expect(await purposesTo(mobile)).toEqual(['COMPANY_REJECTED']);
    await registrations.approve.mutate({ registrationId, reason: 'They sent a better one' });
    expect(await reviewInShard()).toBe('APPROVED');
    const kept = await environment.sql('directory', 'select documents_until from registrations where id = ?', [
      registrationId,
    ]);
    expect(kept).toEqual([{ documents_until: null }]);
  });

  it('is decided by one of two operators; the other reads what was decided', async () => {
    const { registrationId } = await waitingRegistration();
    const decisions = await Promise.allSettled([
      registrations.approve.mutate({ registrationId, reason: 'Right' }),
      registrations.approve.mutate({ registrationId, reason: 'Right' }),
    ]);
    expect(decisions.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const late = registrations.reject.mutate({ registrationId, reason: 'Wrong' });
    expect(await problemOfCall(late)).toMatchObject({ code: 'INVALID_STATE_TRANSITION', currentState: 'APPROVED' });
  });

  it('needs a reason of three characters, and is a draft no more', async () => {
    const { registrationId } = await waitingRegistration();
    const short = registrations.reject.mutate({ registrationId, reason: 'No' });
    expect(await problemOfCall(short)).toMatchObject({ code: 'VALIDATION_FAILED' });
    const { body } = await draftOf(environment);
    const draft = registrations.approve.mutate({ registrationId: body.registrationId, reason: 'Too early' });
    expect(await problemOfCall(draft)).toMatchObject({ code: 'INVALID_STATE_TRANSITION', currentState: 'DRAFT' });
    const unknown = registrations.get.query({ registrationId: operator.personId });
    expect(await problemOfCall(unknown)).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});

describe('a document', () => {
  it('is read with its bytes and a name of the service, and the audit names the operator', async () => {
    const { body } = await draftOf(environment);
    const { registrationId } = body;
    await upload(environment, body, { type: 'NATIONAL_ADDRESS', bytes: PDF, fileName: '<script>.html' });
    const document = { registrationId, documentType: 'NATIONAL_ADDRESS' } as const;
    const read = await registrations.document.query(document);
    expect(read).toMatchObject({ fileName: 'national-address.pdf', contentType: 'application/pdf' });
    expect(new Uint8Array(Buffer.from(read.base64, 'base64'))).toEqual(PDF);
    const { documents } = await registrations.get.query({ registrationId });
    expect(documents).toEqual([expect.objectContaining({ documentType: 'NATIONAL_ADDRESS', sizeBytes: PDF.length })]);
    const opened = await environment.sql(
      'directory',
      "select person_id, detail from audit_entries where subject = ? and action = 'registration.document_opened'",
      [registrationId],
    );
    expect(opened).toEqual([{ person_id: operator.personId, detail: '{"documentType":"NATIONAL_ADDRESS"}' }]);
  });

  it('that is a picture is read without the metadata of the upload', async () => {
    const { body } = await draftOf(environment);
    const picture = { type: 'NATIONAL_ADDRESS', contentType: 'image/png', bytes: PNG_WITH_PLACE };
    await upload(environment, body, picture);
    const document = { registrationId: body.registrationId, documentType: 'NATIONAL_ADDRESS' } as const;
    const { base64 } = await registrations.document.query(document);
    expect(new Uint8Array(Buffer.from(base64, 'base64'))).toEqual(PNG);
  });

  it('that was not uploaded, or whose bytes are gone, is not found', async () => {
    const { body } = await draftOf(environment);
    const { registrationId } = body;
    const document = { registrationId, documentType: 'NATIONAL_ADDRESS' } as const;
    expect(await problemOfCall(registrations.document.query(document))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    await upload(environment, body, { type: 'NATIONAL_ADDRESS', bytes: PDF });
    await environment.sql(
      'directory',
      "update registration_documents set object_key = 'gone' where registration_id = ?",
      [registrationId],
    );
    expect(await problemOfCall(registrations.document.query(document))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});
