import { describe, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { type Headers, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newKey, newReference, shipmentBody } from '../../scripts/shared/shipments.ts';
import { JPEG, PNG, pngOf } from '../support/files.ts';
import { MEDIA } from '../support/media.ts';
import { type ExpectedProblem, expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const [reader, writer] = [
  await environment.token(company, 'shipments:read'),
  await environment.token(company, 'shipments:write'),
];
const taken = newReference();
await (await merchantOf(environment, company)).create({ externalReference: taken });

/** A request that passes all steps up to one is refused for the next one only. */
interface Attempt {
  readonly path: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer>;
}
interface Step {
  readonly name: string;
  readonly refusal: ExpectedProblem;
  readonly mend: (attempt: Attempt) => Attempt;
}
const header = (name: string, value: string) => (attempt: Attempt) => ({
  ...attempt,
  headers: { ...attempt.headers, [name]: value },
});
const body = (value: unknown) => (attempt: Attempt) => ({ ...attempt, body: JSON.stringify(value) });
const refusal = (status: number, code: string, violations?: readonly string[]) => ({
  status,
  code,
  ...(violations === undefined ? {} : { violations }),
});

const TOO_LARGE_AND_BROKEN = `{"externalReference": ${'x'.repeat(300_000)}`;
const LONG_LANGUAGE = 'x'.repeat(65);
/** Two lines of a header, as runtimes join them. */
const TWO_KEYS = 'the-key-of-an-upload, the-key-of-an-upload';

/** From all wrong to all right; each step repairs what the step before was refused for. */
const CREATION: readonly Step[] = [
  {
    name: 'path',
    refusal: refusal(404, 'ROUTE_NOT_FOUND'),
    mend: (attempt) => ({ ...attempt, path: `${SHIPMENTS}?x=1` }),
  },
  { name: 'method', refusal: refusal(405, 'METHOD_NOT_ALLOWED'), mend: (attempt) => ({ ...attempt, method: 'POST' }) },
  {
    name: 'authentication',
    refusal: refusal(401, 'AUTHENTICATION_REQUIRED'),
    mend: header('authorization', `Bearer ${reader}`),
  },
  { name: 'scope', refusal: refusal(403, 'ACCESS_DENIED'), mend: header('authorization', `Bearer ${writer}`) },
  {
    name: 'headers',
    refusal: refusal(400, 'INVALID_HEADER', ['Accept-Language TOO_LONG']),
    mend: header('accept-language', 'en'),
  },
  {
    name: 'query',
    refusal: refusal(400, 'UNKNOWN_QUERY_PARAMETER', ['x UNKNOWN_PROPERTY']),
    mend: (attempt) => ({ ...attempt, path: SHIPMENTS }),
  },
  {
    name: 'key',
    refusal: refusal(400, 'IDEMPOTENCY_KEY_REQUIRED', ['Idempotency-Key REQUIRED']),
    mend: header('idempotency-key', newKey()),
  },
  {
    name: 'media type',
    refusal: refusal(415, 'UNSUPPORTED_MEDIA_TYPE'),
    mend: header('content-type', 'application/json'),
  },
  {
    name: 'size',
    refusal: refusal(413, 'PAYLOAD_TOO_LARGE'),
    mend: (attempt) => ({ ...attempt, body: '{"externalReference": ' }),
  },
  {
    name: 'syntax',
    refusal: refusal(400, 'MALFORMED_JSON'),
    mend: body(shipmentBody(company, { externalReference: taken, branchCode: 'NOWHERE', requirements: ['x'] })),
  },
  {
    name: 'schema',
    refusal: refusal(422, 'VALIDATION_FAILED', ['requirements[0] PATTERN_MISMATCH']),
    mend: body(shipmentBody(company, { externalReference: taken, branchCode: 'NOWHERE' })),
  },
  {
    name: 'business rules',
    refusal: refusal(422, 'VALIDATION_FAILED', ['branchCode BRANCH_UNKNOWN']),
    mend: body(shipmentBody(company, { externalReference: taken })),
  },
  { name: 'conflict', refusal: refusal(409, 'EXTERNAL_REFERENCE_CONFLICT'), mend: (attempt) => attempt },
];

describe('a creation that fails this check and all later ones is refused for the', () => {
  let attempt: Attempt = {
    path: '/v2/external/shipmentz?x=1',
    method: 'PUT',
    headers: { 'accept-language': LONG_LANGUAGE, 'content-type': 'text/plain' },
    body: TOO_LARGE_AND_BROKEN,
  };
  for (const { name, refusal: expected, mend } of CREATION) {
    const current = attempt;
    it(name, async () => {
      await expectProblem(await send(current), expected);
    });
    attempt = mend(attempt);
  }
});

const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';
const CANCELLATION: readonly Step[] = [
  {
    name: 'authentication',
    refusal: refusal(401, 'AUTHENTICATION_REQUIRED'),
    mend: header('authorization', `Bearer ${reader}`),
  },
  { name: 'scope', refusal: refusal(403, 'ACCESS_DENIED'), mend: header('authorization', `Bearer ${writer}`) },
  {
    name: 'precondition',
    refusal: refusal(428, 'PRECONDITION_REQUIRED', ['If-Match REQUIRED']),
    mend: header('if-match', '0'),
  },
  {
    name: 'header',
    refusal: refusal(400, 'INVALID_HEADER', ['If-Match PATTERN_MISMATCH']),
    mend: header('if-match', '"0"'),
  },
  {
    name: 'path',
    refusal: refusal(400, 'INVALID_PATH_PARAMETER', ['shipmentId PATTERN_MISMATCH']),
    mend: (attempt) => ({ ...attempt, path: `${SHIPMENTS}/${UNKNOWN}/cancellations` }),
  },
  {
    name: 'media type',
    refusal: refusal(415, 'UNSUPPORTED_MEDIA_TYPE'),
    mend: header('content-type', 'application/json'),
  },
  { name: 'size', refusal: refusal(413, 'PAYLOAD_TOO_LARGE'), mend: (attempt) => ({ ...attempt, body: '[' }) },
  { name: 'syntax', refusal: refusal(400, 'MALFORMED_JSON'), mend: body({}) },
  {
    name: 'schema',
    refusal: refusal(422, 'VALIDATION_FAILED', ['reasonCode REQUIRED']),
    mend: body({ reasonCode: 'OTHER' }),
  },
  { name: 'shipment', refusal: refusal(403, 'ACCESS_DENIED'), mend: (attempt) => attempt },
];

describe('a cancellation that fails this check and all later ones is refused for the', () => {
  let attempt: Attempt = {
    path: `${SHIPMENTS}/not-an-id/cancellations`,
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: TOO_LARGE_AND_BROKEN,
  };
  for (const { name, refusal: expected, mend } of CANCELLATION) {
    const current = attempt;
    it(name, async () => {
      await expectProblem(await send(current), expected);
    });
    attempt = mend(attempt);
  }
});

const UPLOAD: readonly Step[] = [
  {
    name: 'authentication',
    refusal: refusal(401, 'AUTHENTICATION_REQUIRED'),
    mend: header('authorization', `Bearer ${reader}`),
  },
  { name: 'scope', refusal: refusal(403, 'ACCESS_DENIED'), mend: header('authorization', `Bearer ${writer}`) },
  {
    name: 'headers',
    refusal: refusal(400, 'INVALID_HEADER', ['Idempotency-Key DUPLICATE_ITEM']),
    mend: header('idempotency-key', 'the-key-of-an-upload'),
  },
  {
    name: 'unknown query',
    refusal: refusal(400, 'UNKNOWN_QUERY_PARAMETER', ['x UNKNOWN_PROPERTY']),
    mend: (attempt) => ({ ...attempt, path: MEDIA }),
  },
  {
    name: 'query',
    refusal: refusal(400, 'INVALID_QUERY_PARAMETER', ['externalReference REQUIRED']),
    mend: (attempt) => ({ ...attempt, path: `${MEDIA}?externalReference=${taken}` }),
  },
  {
    name: 'media type',
    refusal: refusal(415, 'UNSUPPORTED_DOCUMENT_TYPE'),
    mend: header('content-type', 'image/png'),
  },
  { name: 'size', refusal: refusal(413, 'DOCUMENT_TOO_LARGE'), mend: (attempt) => ({ ...attempt, body: JPEG }) },
  {
    name: 'content',
    refusal: refusal(422, 'DOCUMENT_CONTENT_MISMATCH'),
    mend: (attempt) => ({ ...attempt, body: PNG }),
  },
  { name: 'conflict', refusal: refusal(409, 'EXTERNAL_REFERENCE_CONFLICT'), mend: (attempt) => attempt },
];

describe('an upload that fails this check and all later ones is refused for the', () => {
  let attempt: Attempt = {
    path: `${MEDIA}?x=1`,
    method: 'POST',
    headers: { 'idempotency-key': TWO_KEYS, 'content-type': 'text/plain' },
    body: pngOf(1024 * 1024 + 1),
  };
  for (const { name, refusal: expected, mend } of UPLOAD) {
    const current = attempt;
    it(name, async () => {
      await expectProblem(await send(current), expected);
    });
    attempt = mend(attempt);
  }
});

function send({ path, method, headers, body: text }: Attempt): Promise<Response> {
  return environment.fetch(path, { method, headers, body: text });
}
