import { describe, expect, it } from 'vitest';
import { AUTHENTICATION, addPerson, askSignIn, codesTo, signIn } from '../../scripts/shared/people.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import { allRoutes } from '../../src/http/routes/all-routes.ts';
import { send } from '../support/exercises/callers.ts';
import { sampleOf } from '../support/exercises/exercise.ts';
import { newScene } from '../support/exercises/scene.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** The security and cache headers that every response must have. */

const environment = sharedEnvironment();
const scene = await newScene(environment);
const { shipmentId } = await scene.sandbox.merchant.create();
const { token } = await createLink(scene.sandbox.merchant, shipmentId);

/** Responses that are the same for everybody, which shared caches may store. */
const PUBLIC = /^\/(?:$|openapi\.json$|llms\.txt$|changes$|docs|problems|assets\/|\.well-known\/)/;
/** Values of route parameters for a successful response. */
const PARAMETERS: Readonly<Record<string, string>> = {
  part: 'shipments',
  area: 'shipments',
  id: shipmentId,
  token,
  procedures: 'shipments.list',
};

/** Fails unless the response has the headers of every response. */
function expectGuarded(what: string, path: string, { headers, status }: Response): void {
  const told = Object.fromEntries(headers);
  expect({ what, ...told }).toMatchObject({
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=63072000',
    'cross-origin-resource-policy': isOpen(path) ? 'cross-origin' : 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  });
  const forbidden = isOpen(path) ? SERVER_SOFTWARE : FORBIDDEN;
  for (const name of Object.keys(told)) expect([what, name]).not.toEqual([what, expect.stringMatching(forbidden)]);
  expect([what, told['vary']]).toEqual([what, expect.stringMatching(/accept-language/i)]);
  expectKept(what, path, told['cache-control'] ?? '');
  if (status !== 304) expectPolicy(what, told);
  for (const cookie of headers.getSetCookie()) expectCookie(what, cookie);
}

/** Only tracking and public documents may be read by scripts of other sites. */
const isOpen = (path: string) =>
  /^\/(?:v2\/public\/tracking|clients|problems)\/|^\/(?:problems|openapi\.json|llms\.txt)$/.test(path);
const SERVER_SOFTWARE = /^(?:server|x-powered-by|via|x-aspnet.*)$/;
/** Headers that reveal the server software or allow scripts of other sites to read responses. */
const FORBIDDEN = /^(?:server|x-powered-by|via|x-aspnet.*|access-control-.*)$/;

function expectKept(what: string, path: string, cacheControl: string): void {
  if (/\bpublic\b/.test(cacheControl)) expect([what, PUBLIC.test(path)]).toEqual([what, true]);
  // What may be a minute old, for the caller alone.
  else if (/^\/v2\/external\/(?:cities|capabilities)$/.test(path))
    expect([what, cacheControl]).toEqual([
      what,
      expect.stringMatching(/^no-store|^private, max-age=60, no-transform$/),
    ]);
  // The pages that a script fills are the same for everybody, and revalidated each time.
  else
    expect([what, cacheControl]).toEqual([
      what,
      expect.stringMatching(/^(?:private, )?no-store(?:, no-transform)?$|^no-cache$/),
    ]);
  if (cacheControl === 'no-cache') expect(path).toMatch(/^\/(?:console|operations|driver)/);
}

function expectPolicy(what: string, told: Record<string, string>): void {
  const parts = (told['content-security-policy'] ?? '').split('; ');
  // It has no sources.
  const policy = new Map(parts.filter((part) => part !== 'sandbox').map((part) => splitOnce(part)));
  expect([what, policy.get('default-src'), policy.get('frame-ancestors')]).toEqual([what, "'none'", "'none'"]);
  for (const [directive, sources] of policy)
    expect([what, directive, sources]).toEqual([
      what,
      directive,
      expect.stringMatching(/^'none'$|^'self'(?: data:(?: blob:)?)?$/),
    ]);
  // Only pictures, and only on pages with scripts.
  if (policy.get('img-src')?.includes('data:') !== true) expect(told['content-security-policy']).not.toContain('data:');
  else expect([what, policy.get('script-src')]).toEqual([what, "'self'"]);
  if (told['content-type']?.startsWith('text/html') === true) {
    expect([what, policy.get('base-uri')]).toEqual([what, "'none'"]);
    expect([what, policy.get('form-action')]).toEqual([what, expect.stringMatching(/^'(?:none|self)'$/)]);
  }
  expect([what, told['referrer-policy']]).toEqual([what, expect.stringMatching(/^no-referrer$|^same-origin$/)]);
}

function splitOnce(part: string): [string, string] {
  const space = part.indexOf(' ');
  return [part.slice(0, space), part.slice(space + 1)];
}

/** The cookie of a person's or a recipient's session, or the language cookie, which has no other effect. */
function expectCookie(what: string, cookie: string): void {
  const session = /^__Host-session=(?:ses_[\w-]{43})?; Path=\/; Max-Age=(?:0|43200); HttpOnly; Secure; SameSite=Lax$/;
  const recipient = /^__Host-recipient=rcp_[\w-]{57}; Path=\/; Max-Age=1800; HttpOnly; Secure; SameSite=Lax$/;
  const language = /^lang=(?:en|ar); Path=\/; Max-Age=31536000; SameSite=Lax; Secure$/;
  const isKnown = [session, recipient, language].some((known) => known.test(cookie));
  expect([what, isKnown, cookie]).toEqual([what, true, cookie]);
}

function filled(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? 'x');
}

describe('security headers of a route', () => {
  it.each([...new Set(allRoutes.map(({ path }) => path))])('%s, for every method and kind of request', async (path) => {
    const address = path === '/problems/{name}' ? '/problems/access-denied' : filled(path);
    const asked = [
      ...['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].map((method) => ({ method })),
      ...[{ origin: 'https://other.example' }, { accept: 'text/html' }, { 'if-none-match': '*' }].map((headers) => ({
        method: 'GET',
        headers,
      })),
      {
        method: 'OPTIONS',
        headers: { origin: 'https://other.example', 'access-control-request-method': 'POST' },
      },
    ];
    const answers = await Promise.all(asked.map((init) => environment.fetch(address, init)));
    for (const [index, answer] of answers.entries())
      expectGuarded(`${JSON.stringify(asked[index])} ${address}`, address, answer);
  });

  it.each(['/nothing', '/t/', '/v2', '/assets/nothing.js', '/t/unknown', '/console/a/b/c/d', '//', '/%00'])(
    '%s, which does not exist',
    async (path) => expectGuarded(path, path, await environment.fetch(path)),
  );
});

describe('security headers of a successful response', () => {
  it.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('of %s', async (_name, operation) => {
    const sample = await sampleOf(operation, scene);
    const response = await send(scene, operation, sample);
    expect(response.status).toBeLessThan(300);
    expectGuarded(operation.name, sample.path, response);
  });

  it('of sign-in, second factor and sign-out', async () => {
    const person = await addPerson(environment, scene.sandbox.company);
    const { challengeId } = (await (await askSignIn(environment, person.email)).json()) as { challengeId: string };
    const [code = ''] = await codesTo(environment, person.email);
    const begun = await sendJson(environment, 'POST', `${AUTHENTICATION}/sign-ins/${challengeId}/verifications`, {
      otp: code,
    });
    expect(begun.headers.getSetCookie()).toHaveLength(1);
    expectGuarded('sign-in', AUTHENTICATION, begun);
    const authorization = `Bearer ${await signIn(environment, person.mobile)}`;
    const asked = await sendJson(environment, 'POST', `${AUTHENTICATION}/assurance-elevations`, {}, { authorization });
    const { elevationId } = (await asked.json()) as { elevationId: string };
    const [other = ''] = await codesTo(environment, person.email);
    const path = `${AUTHENTICATION}/assurance-elevations/${elevationId}/verifications`;
    const proved = await sendJson(environment, 'POST', path, { otp: other }, { authorization });
    expect([proved.status, proved.headers.getSetCookie().length]).toEqual([200, 1]);
    expectGuarded('elevation', path, proved);
    const { sessionToken } = (await proved.json()) as { sessionToken: string };
    const headers = { authorization: `Bearer ${sessionToken}` };
    const out = await environment.fetch(`${AUTHENTICATION}/sessions/current`, { method: 'DELETE', headers });
    expect([out.status, out.headers.getSetCookie().length]).toEqual([204, 1]);
    expectGuarded('sign-out', AUTHENTICATION, out);
  });

  it('of every file of the pages', async () => {
    const pages = await Promise.all(['/console', `/t/${token}`, '/', '/docs'].map((path) => environment.fetch(path)));
    const texts = await Promise.all(pages.map((page) => page.text()));
    const names = new Set(
      texts.flatMap((text) => [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, name = '']) => name)),
    );
    expect(names.size).toBeGreaterThan(3);
    for (const name of names) expectGuarded(name, name, await environment.fetch(name));
    // Pages have no inline scripts or styles, which their policy would block anyway.
    for (const text of texts) expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+="|javascript:/i);
  });
});
