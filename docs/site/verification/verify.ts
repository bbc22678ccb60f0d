import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** body: the text exactly as it came; secrets: two during a rotation. null is absent, an empty one is an error. */
export function verify(headers: Headers, body: string, secrets: (string | null)[]): unknown {
  const keys = secrets.filter((secret) => secret !== null).map(keyOf);
  if (keys.length === 0) throw new Error('There is no signing secret');
  const id = only(headers, 'webhook-id');
  const timestamp = only(headers, 'webhook-timestamp');
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > TOLERANCE_SECONDS) {
    throw new Error('The timestamp is too old or too new');
  }
  const signatures = only(headers, 'webhook-signature').split(' ');
  for (const key of keys) {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    const expected = Buffer.from('v1,' + mac.digest('base64'));
    for (const signature of signatures) {
      const given = Buffer.from(signature);
      if (given.length === expected.length && timingSafeEqual(given, expected)) {
        return JSON.parse(body);
      }
    }
  }
  throw new Error('No signature matches');
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  if (key.length < 24 || secret !== 'whsec_' + key.toString('base64')) {
    throw new Error('A signing secret starts with whsec_ and has at least 24 bytes in base64');
  }
  return key;
}

/** A header that came twice is joined with a comma and a space. */
function only(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value === null || value.includes(', ')) throw new Error('The request does not have one ' + name);
  return value;
}
