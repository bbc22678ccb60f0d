import { randomUUID } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import * as z from 'zod';
import openApiDocument from '../../docs/openapi.json' with { type: 'json' };
import { listOperations } from '../../src/pages/reference/operations.ts';
import { newMerchant } from '../support/exercises/scene.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* The collection for Postman, as Postman uses it: variables, the token's settings, and the script after each answer. */

const environment = sharedEnvironment();

const settings = z.array(z.object({ key: z.string(), value: z.string(), type: z.literal('string') }));
const auth = z.looseObject({ type: z.string(), oauth2: settings.optional() });
const item = z.object({
  name: z.string(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    description: z.string(),
    auth: auth.optional(),
    header: z.array(z.object({ key: z.string(), value: z.string() })),
    body: z.looseObject({ mode: z.string(), raw: z.string().optional() }).optional(),
  }),
});
type Item = z.output<typeof item>;
const collectionShape = z.object({
  info: z.object({ name: z.string(), description: z.string(), schema: z.string() }),
  auth,
  event: z.tuple([
    z.object({ listen: z.literal('test'), script: z.object({ type: z.string(), exec: z.array(z.string()) }) }),
  ]),
  variable: z.array(z.object({ key: z.string(), value: z.string() })),
  item: z.array(z.object({ name: z.string(), description: z.string(), item: z.array(item) })),
});

const text = await (await environment.fetch('/clients/mirsal.postman_collection.json')).text();
const collection = collectionShape.parse(JSON.parse(text));
const items = collection.item.flatMap((folder) => folder.item);

it('has every operation of the document once', () => {
  const operations = listOperations(openApiDocument);
  const missing = operations.filter(({ method, path }) => {
    // A parameter is a variable, or the first value of its enumeration.
    const address = new RegExp(
      `^\\{\\{baseUrl\\}\\}${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`,
    );
    return !items.some(({ request }) => request.method === method && address.test(request.url));
  });
  expect([missing, items.length]).toEqual([[], operations.length]);
});

it('declares every variable that it uses, and no secret', () => {
  const declared = collection.variable.map(({ key }) => key);
  const used = [...text.matchAll(/\{\{([A-Za-z]\w*)\}\}/g)].map(([, name]) => name);
  expect(used.filter((name) => !declared.includes(name ?? ''))).toEqual([]);
  const filled = collection.variable.filter(({ value }) => value !== '').map(({ key }) => key);
  expect(filled).toEqual(['baseUrl', 'etag']);
  expect(text).not.toMatch(/m(?:cl|sk|drv)_[A-Za-z]+_?\w{8}|whsec_\w{8}|eyJ/);
});

it('its requests, sent one after the other, lead to a cancelled shipment', async () => {
  const { company } = await newMerchant(environment);
  const postman = new Postman({ clientId: company.clientId, clientSecret: company.clientSecret });
  await postman.pressTokenButton();
  expect((await postman.send('POST', '/v2/external/sandbox/bootstrap')).status).toBeLessThan(300);
  const readiness = async () => (await postman.send('GET', '/v2/external/sandbox/readiness')).json();
  await expect.poll(readiness).toMatchObject({ canCreateShipment: true });
  expect((await postman.send('POST', '/v2/external/shipments')).status).toBe(201);
  const shipment = await postman.send('GET', '/v2/external/shipments/{{shipmentId}}');
  expect(shipment.status).toBe(200);
  postman.variables.set('etag', '*');
  const cancelled = await postman.send('POST', '/v2/external/shipments/{{shipmentId}}/cancellations');
  expect([cancelled.status, await cancelled.json()]).toMatchObject([200, { state: 'CANCELLED' }]);
  // Another creation has another reference and key.
  expect((await postman.send('POST', '/v2/external/shipments')).status).toBe(201);
});

/** What Postman does with a collection, as far as this one needs it. */
class Postman {
  readonly variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  #token = '';

  constructor(filledIn: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(filledIn)) this.variables.set(name, value);
    this.variables.set('baseUrl', environment.address);
  }

  async pressTokenButton(): Promise<void> {
    const options = Object.fromEntries(
      (collection.auth.oauth2 ?? []).map(({ key, value }) => [key, this.#fill(value)]),
    );
    expect(options).toMatchObject({ grant_type: 'client_credentials', client_authentication: 'header' });
    const pair = btoa(`${options['clientId']}:${options['clientSecret']}`);
    const answer = await fetch(options['accessTokenUrl'] ?? '', {
      method: 'POST',
      headers: { authorization: `Basic ${pair}` },
      body: new URLSearchParams({ grant_type: options['grant_type'] ?? '' }),
    });
    this.#token = z.object({ access_token: z.string() }).parse(await answer.json()).access_token;
  }

  async send(method: string, path: string): Promise<Response> {
    const { request } = this.#find(method, path);
    const headers = new Headers(request.header.map(({ key, value }): [string, string] => [key, this.#fill(value)]));
    if (request.auth === undefined) headers.set('authorization', `Bearer ${this.#token}`);
    const body = request.body?.raw === undefined ? {} : { body: this.#fill(request.body.raw) };
    const response = await fetch(this.#fill(request.url), { method, headers, ...body });
    await this.#runScript(response.clone());
    return response;
  }

  #find(method: string, path: string): Item {
    const found = items.find(({ request }) => request.method === method && request.url === `{{baseUrl}}${path}`);
    if (found === undefined) throw new Error(`The collection has no ${method} ${path}`);
    return found;
  }

  #fill(template: string): string {
    return template.replaceAll(/\{\{(\$?\w+)\}\}/g, (_, name: string) =>
      name === '$guid' ? randomUUID() : (this.variables.get(name) ?? `{{${name}}}`),
    );
  }

  async #runScript(response: Response): Promise<void> {
    const body = await response.text();
    const pm = {
      response: { headers: response.headers, json: (): unknown => JSON.parse(body) },
      collectionVariables: { set: (name: string, value: string) => this.variables.set(name, value) },
    };
    runInNewContext(collection.event[0].script.exec.join('\n'), { pm });
  }
}
