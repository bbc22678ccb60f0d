import { importJWK, type JWK, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { AUTHENTICATION, addPerson, addSession, newContacts } from '../../scripts/shared/people.ts';
import { recipientPath, signInRecipient } from '../../scripts/shared/recipients.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { timelessText } from '../support/problem.ts';
import { draftOf } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { type Mutation, mutationsOf } from '../support/token-mutations.ts';

/** A token has exactly one valid spelling. Every mutation of it is refused, always with the same response. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);
const { shipmentId } = await merchant.createApproved();
await merchant.createApproved();

const accessToken = await environment.token(company);
const sessionToken = await addSession(environment, await addPerson(environment, company), { assurance: 'AAL2' });
const driverToken = (await (await newSandbox(environment)).signIn()).token;
const trackingToken = (await createLink(merchant, shipmentId)).token;
const { mobile: phone } = newContacts();
const parcel = await merchant.create({ recipient: { name: 'Huda Al-Otaibi', phone } });
const recipientLink = (await createLink(merchant, parcel.shipmentId, { permissions: ['ADDRESS'] })).token;
const { recipientToken } = await signInRecipient(environment, recipientLink, phone);
const delivery = recipientPath(recipientLink, 'delivery');
const { body: draft } = await draftOf(environment);
const firstPage = (await (await merchant.get(`${SHIPMENTS}?limit=1`)).json()) as { page: { nextCursor: string } };
const cursor = firstPage.page.nextCursor;

const bearer = (path: string) => (token: string) =>
  environment.fetch(path, { headers: { authorization: `Bearer ${token}` } });

interface Kind {
  readonly token: string;
  readonly status: number;
  readonly code: string;
  readonly ask: (token: string) => Promise<Response>;
  /** Mutations that are left out: they give the same URL, another path, or a refusal for length. */
  readonly but?: readonly string[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  'access token': { token: accessToken, status: 401, code: 'AUTHENTICATION_REQUIRED', ask: bearer(SHIPMENTS) },
  session: {
    token: sessionToken,
    status: 401,
    code: 'AUTHENTICATION_REQUIRED',
    ask: bearer(`${AUTHENTICATION}/sessions/current`),
  },
  'session in its cookie': {
    token: sessionToken,
    status: 401,
    code: 'AUTHENTICATION_REQUIRED',
    ask: (token) =>
      environment.fetch(`${AUTHENTICATION}/sessions/current`, { headers: { cookie: `__Host-session=${token}` } }),
  },
  driver: { token: driverToken, status: 401, code: 'AUTHENTICATION_REQUIRED', ask: bearer('/v2/driver/offers') },
  recipient: { token: recipientToken, status: 401, code: 'AUTHENTICATION_REQUIRED', ask: bearer(delivery) },
  'recipient in its cookie': {
    token: recipientToken,
    status: 401,
    code: 'AUTHENTICATION_REQUIRED',
    ask: (token) => environment.fetch(delivery, { headers: { cookie: `__Host-recipient=${token}` } }),
  },
  'upload capability': {
    token: draft.uploadCapability,
    status: 401,
    code: 'AUTHENTICATION_REQUIRED',
    // An unknown document type: a valid capability is answered 400, and nothing is uploaded.
    ask: (token) =>
      environment.fetch(`/v2/account-registrations/${draft.registrationId}/documents/PASSPORT`, {
        method: 'PUT',
        headers: { 'registration-upload-capability': token, 'content-type': 'application/pdf' },
        body: '%PDF-',
      }),
    // Two lines of a header of one value, which runtimes join so, are 400.
    but: ['twice with a comma'],
  },
  'tracking token': {
    token: trackingToken,
    status: 404,
    code: 'TRACKING_LINK_UNAVAILABLE',
    ask: (token) => environment.fetch(`/v2/public/tracking/${token}`),
    but: ['percent-encoded', 'in the other alphabet'],
  },
  cursor: {
    token: cursor,
    status: 400,
    code: 'INVALID_CURSOR',
    ask: (token) => merchant.get(`${SHIPMENTS}?limit=1&cursor=${encodeURIComponent(token)}`),
    but: ['access token'],
  },
};

describe.each(Object.entries(KINDS))('the %s', (name, { token, status, code, ask, but = [] }) => {
  const isTried = ([how]: Mutation) => !but.includes(how);

  it('is accepted unchanged', async () => {
    expect((await ask(token)).status).toBe(name === 'upload capability' ? 400 : 200);
  });

  it('is refused alike for every mutation', async () => {
    await expectAlike(ask, mutationsOf(token).filter(isTried), { status, code });
  }, 120_000);

  it('cannot be replaced by a token of another kind', async () => {
    const others = Object.entries(KINDS)
      .filter(([, other]) => other.token !== token)
      .map(([kind, other]): Mutation => [kind, other.token])
      .filter(isTried);
    await expectAlike(ask, others, { status, code });
  });
});

describe('a forged access token', () => {
  const [signingKey] = JSON.parse(environment.signingKeys) as [JWK & { kid: string; x: string }];
  const [headerPart = '', claimsPart = '', signature = ''] = accessToken.split('.');
  const header = JSON.parse(Buffer.from(headerPart, 'base64url').toString()) as Record<string, unknown>;
  const claims = JSON.parse(Buffer.from(claimsPart, 'base64url').toString()) as Record<string, unknown>;
  const encoded = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const refused = { status: 401, code: 'AUTHENTICATION_REQUIRED' };

  it('is refused with any other algorithm, signed or not', async () => {
    const algorithms = ['none', 'None', 'NONE', 'nOnE', '', null, 0, 'EdDSA ', 'eddsa', 'Ed448', 'HS256', 'RS256'];
    const forged = algorithms.flatMap((alg): Mutation[] => {
      const start = `${encoded({ ...header, alg })}.${claimsPart}`;
      return [
        [`${alg} without a signature`, `${start}.`],
        [`${alg} with the signature of EdDSA`, `${start}.${signature}`],
      ];
    });
    await expectAlike(bearer(SHIPMENTS), forged, refused);
  });

  it('is refused if the public key is used as a secret, in any format', async () => {
    const { d: _, ...publicHalf } = signingKey as JWK & { d: string };
    const raw = Buffer.from(signingKey.x, 'base64url');
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
    const pem = `-----BEGIN PUBLIC KEY-----\n${spki.toString('base64')}\n-----END PUBLIC KEY-----\n`;
    const published = await (await environment.fetch('/.well-known/jwks.json')).text();
    const secrets = [raw, spki, pem, JSON.stringify(publicHalf), signingKey.x, published, Buffer.alloc(32)];
    const forged = await Promise.all(
      secrets.flatMap((secret, index) =>
        (['HS256', 'HS512'] as const).map(async (alg): Promise<Mutation> => {
          const jwt = new SignJWT(claims).setProtectedHeader({ ...header, alg });
          // Node requires long secrets for HMAC; a short one is padded with zeros, which HMAC does itself.
          const bytes = Buffer.from(secret);
          const long = bytes.length < 64 ? Buffer.concat([bytes, Buffer.alloc(64 - bytes.length)]) : bytes;
          return [`${alg} by secret ${index}`, await jwt.sign(long)];
        }),
      ),
    );
    await expectAlike(bearer(SHIPMENTS), forged, refused);
  });

  it('is refused if its key id is a path, a URL or malformed', async () => {
    const key = await importJWK(signingKey, 'EdDSA');
    const kids = ['', '../../../dev/null', '/proc/self/environ', "' or '1'='1", '__proto__', 'constructor'];
    const names = [
      ...kids,
      'https://attacker.example/key',
      `${signingKey.kid}\0`,
      `${signingKey.kid} `,
      0,
      null,
      ['x'],
    ];
    const forged = names.map(async (kid): Promise<Mutation> => {
      const start = `${encoded({ ...header, kid })}.${claimsPart}`;
      const bytes = await crypto.subtle.sign('Ed25519', key as CryptoKey, new TextEncoder().encode(start));
      return [`kid ${JSON.stringify(kid)}`, `${start}.${Buffer.from(bytes).toString('base64url')}`];
    });
    await expectAlike(bearer(SHIPMENTS), await Promise.all(forged), refused);
  });

  it('is refused if it contains its own key', async () => {
    const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    const jwk = (await crypto.subtle.exportKey('jwk', pair.publicKey)) as JWK;
    const address = { jku: 'https://attacker.example/jwks.json', x5u: 'https://attacker.example/cert.pem' };
    const more = [
      { jwk },
      { ...address },
      { jwk, kid: 'own' },
      { crit: ['exp'], exp: 1 },
      { b64: false, crit: ['b64'] },
    ];
    const forged = more.map(async (extra): Promise<Mutation> => {
      const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: signingKey.kid });
      const [, , own = ''] = (await jwt.sign(pair.privateKey)).split('.');
      return [JSON.stringify(Object.keys(extra)), `${encoded({ ...header, ...extra })}.${claimsPart}.${own}`];
    });
    await expectAlike(bearer(SHIPMENTS), await Promise.all(forged), refused);
  });

  it('is refused if its claims are duplicated, escaped or malformed', async () => {
    const text = JSON.stringify(claims);
    const forged: Mutation[] = [
      ['scope twice', encoded(`${text.slice(0, -1)},"scope":"operations"}`)],
      ['a space more', encoded(`${text} `)],
      ['escaped', encoded(text.replace('"sid"', '"s\\u0069d"'))],
      ['a list', encoded(`[${text}]`)],
      ['text', encoded(JSON.stringify(text))],
      ['nothing', ''],
      ['null', encoded('null')],
    ].map(([name = '', part]) => [name, `${headerPart}.${part}.${signature}`]);
    const [parts, five]: [string, string] = [`${headerPart}.${claimsPart}`, `${headerPart}....`];
    await expectAlike(
      bearer(SHIPMENTS),
      [...forged, ['two parts', parts], ['five parts', five], ['four', `${accessToken}.${signature}`]],
      refused,
    );
  });
});

interface Expected {
  readonly status: number;
  readonly code: string;
}

/** Fails unless all mutations get this refusal, with identical bytes and headers. */
async function expectAlike(ask: Kind['ask'], mutations: readonly Mutation[], expected: Expected): Promise<void> {
  expect(mutations.length).toBeGreaterThan(3);
  const answers = new Map<string, string[]>();
  const waiting = [...mutations];
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [name, token] = next;
      const response = await ask(token);
      const told = `${response.status} ${headersOf(response)} ${timelessText(await response.text())}`;
      answers.set(told, [...(answers.get(told) ?? []), name]);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  const [[answer] = ['']] = answers;
  const examples = [...answers].map(([told, names]) => `${names.slice(0, 5).join(' | ')} => ${told}`);
  expect(examples).toEqual([examples[0]]);
  expect(answer.startsWith(`${expected.status} `)).toBe(true);
  expect(answer).toContain(`"code":"${expected.code}"`);
}

function headersOf({ headers }: Response): string {
  // RateLimit counts the caller's own requests, and the clock of a sandbox goes on.
  const own = ['date', 'x-request-id', 'x-correlation-id', 'ratelimit', 'mirsal-sandbox-now'];
  return JSON.stringify([...headers].filter(([name]) => !own.includes(name)));
}
