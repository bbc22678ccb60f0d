import { describe, expect, test } from 'vitest';
import { type RecipientBinding, recipientTokenFor, requireRecipient } from '../../../src/access/recipient-token.ts';
import { addSeconds, instantFromMillis } from '../../../src/core/instant.ts';
import { Problem } from '../../../src/core/problem.ts';
import { PROBLEM_STATUSES } from '../../../src/core/problem-code.ts';

const key = 'A'.repeat(43);
const now = instantFromMillis(1_795_224_000_000);
const ownOrigin = 'https://api.example.com';
const binding: RecipientBinding = {
  shipmentId: '01976e2a-0000-7000-8000-000000000001',
  linkId: '01976e2a-0000-7000-8000-000000000002',
  phone: '+966500000001',
};
const REQUEST = { method: 'GET', authorization: null, cookie: null, origin: null, fetchSite: null };
const token = await recipientTokenFor(key, binding, addSeconds(now, 1800));

async function statusOf(
  facts: Partial<Record<keyof typeof REQUEST, string | null>>,
  { bound = binding, at = now, secret = key } = {},
): Promise<number> {
  try {
    await requireRecipient({ key: secret, ownOrigin, now: at }, bound, { ...REQUEST, ...facts } as typeof REQUEST);
    return 200;
  } catch (error) {
    if (error instanceof Problem) return PROBLEM_STATUSES[error.refusal.code];
    throw error;
  }
}
const bearer = { authorization: `Bearer ${token}` };
const cookie = { cookie: `lang=ar; __Host-recipient=${token}` };

test('a token is for its link, its shipment and its phone, until its end', async () => {
  expect(await statusOf(bearer)).toBe(200);
  expect(await statusOf(cookie)).toBe(200);
  for (const other of [{ phone: '+966500000002' }, { linkId: binding.shipmentId }, { shipmentId: binding.linkId }])
    expect(await statusOf(bearer, { bound: { ...binding, ...other } })).toBe(401);
  expect(await statusOf(bearer, { at: addSeconds(now, 1800) })).toBe(401);
  expect(await statusOf(bearer, { secret: 'E'.repeat(43) })).toBe(401);
});

test('a token with a later end in it is not valid', async () => {
  const later = token.replace(/^rcp_\d{13}/, `rcp_${1_795_224_000_000 + 86_400_000}`);
  expect(await statusOf({ authorization: `Bearer ${later}` })).toBe(401);
});

describe('the cookie', () => {
  test.each([
    ['POST', 'same-origin', 'null', 403],
    ['POST', 'same-origin', null, 200],
    ['PATCH', 'same-origin', ownOrigin, 200],
    ['PATCH', null, ownOrigin, 200],
    ['PATCH', null, 'null', 403],
    ['PATCH', null, null, 403],
    ['POST', 'cross-site', 'https://evil.example', 403],
    ['POST', 'same-site', 'https://other.example.com', 403],
    ['GET', 'cross-site', null, 200],
  ])('of a %s from %s with the origin %s gets %i', async (method, fetchSite, origin, status) => {
    expect(await statusOf({ ...cookie, method, fetchSite, origin })).toBe(status);
  });

  test('and a bearer token at once are refused', async () => {
    expect(await statusOf({ ...cookie, ...bearer })).toBe(400);
  });
});
