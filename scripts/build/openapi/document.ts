import type { CompanyClientScope } from '../../../src/contract/scope.ts';
import { nameSchemas } from './names.ts';
import { HEADERS, problemComponents, problemExamples } from './problems.ts';
import { COMMON_PARAMETERS, describeProcedures } from './procedures.ts';
import { explainSchemas } from './properties.ts';
import { SERVICE_PATHS, SERVICE_SCHEMAS } from './service.ts';
import { type Document, operationsOf, type Paths, sortByName } from './shapes.ts';
import { WEBHOOK_PARAMETERS, WEBHOOKS, webhookSchemas } from './webhooks.ts';

/** Every tag, in the order of the reference. */
const TAGS: Readonly<Record<string, string>> = {
  Authentication: 'Access tokens for machine-to-machine calls (OAuth 2.0 client credentials).',
  Registration: 'Merchants register themselves: a draft, its documents, and the code that completes it.',
  Sessions: 'People of merchants sign in by a one-time code, and prove a second factor by another.',
  Credential: 'The client that a merchant’s systems sign in with: an owner issues, rotates and deletes it.',
  Shipments: 'Create, read, list and cancel shipments, and see what happened to them.',
  Tracking: 'Links with which anyone can track a shipment, what they show, and what the recipient does with them.',
  Complaints: 'Complaints about shipments, by merchants and recipients, and their answers.',
  Events: 'The events of shipments, as webhooks deliver them.',
  Webhooks:
    'Endpoints that receive events, their deliveries, and replays. Requests are signed according to Standard Webhooks 1.0.0.',
  'Request log': 'What your programs and people asked, with personal and secret values replaced by their type.',
  'Cash on delivery': 'The amount to collect of a shipment, and what drivers have collected.',
  'After a failure': 'What becomes of a parcel that could not be delivered, and of one that goes back.',
  'Proof of delivery': 'What drivers prove at the door: PINs, pictures, and the record with its hash.',
  Prices: 'Price estimates, and locks that hold a price for one shipment.',
  Addresses: 'National addresses by their short code, and places that a text may mean.',
  Places: 'Branches and pickup locations, whose codes a shipment names; cities, and what a shipment can require.',
  Drivers: 'What drivers do, on every deployment: sign in with a one-time code, see offers, carry shipments.',
  Sandbox:
    'Fixtures, driver, scenarios and faults to try an integration with. On production none of these paths exists (404).',
  Service: 'For systems that monitor the service.',
};

const SCOPE_TEXTS = {
  'shipments:read': 'Read Merchant-owned shipments',
  'shipments:write': 'Create and cancel Merchant-owned shipments',
  'webhooks:manage': 'Manage Merchant webhook endpoints, delivery history and replay',
  'logs:read': 'Read the log of the Merchant’s own requests. Granted by an owner; new credentials lack it',
  'finance:read': 'Read what drivers have collected, and statements. Granted by an owner; new credentials lack it',
} as const satisfies Record<CompanyClientScope, string>;

/** The address of a local service. A deployment publishes the document with its own. */
const DEFAULT_ADDRESS = 'http://127.0.0.1:8787';

/** The OpenAPI 3.1 document of the whole interface, made from the procedures. The same sources give the same bytes. */
export function buildDocument(): Document {
  const procedures = describeProcedures();
  const { paths, schemas } = nameSchemas(
    { ...SERVICE_PATHS, ...procedures.paths },
    { ...SERVICE_SCHEMAS, ...procedures.schemas },
  );
  const explained = explainSchemas(paths, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mirsal merchant shipment service',
      version: 'v2',
      summary:
        'Create, read, list and cancel delivery shipments of a merchant company, with exact prices and signed events.',
      description:
        'Requests reject members that are not listed; answers may gain some. Decimals are exact JSON numbers of up to 19 digits. Instants are UTC, to the microsecond; requests may have further fraction digits if they are zero. Lengths of texts count code points; a text with NUL (U+0000) or an unpaired surrogate is refused.',
      contact: { name: 'API support', url: `${DEFAULT_ADDRESS}/docs` },
      // SPDX has no expression for "no licence", so this one is the project's own.
      license: { name: 'Not licensed for use by others', identifier: 'LicenseRef-Unlicensed' },
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'A deployment: sandbox or production.',
        variables: {
          baseUrl: { default: DEFAULT_ADDRESS, description: 'Its address, without a slash at the end.' },
        },
      },
    ],
    tags: tagsOf(paths),
    paths,
    webhooks: WEBHOOKS,
    components: {
      schemas: sortByName({ ...explained, ...webhookSchemas(explained['Event']) }),
      responses: problemComponents(paths),
      parameters: { ...COMMON_PARAMETERS, ...WEBHOOK_PARAMETERS },
      headers: HEADERS,
      examples: problemExamples(paths),
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: `${DEFAULT_ADDRESS}/oauth/token`, scopes: SCOPE_TEXTS } },
        },
        driverToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The driverToken that a driver signed in for. It is good for 12 hours.',
        },
        recipientToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The recipientToken that a recipient signed in for with a tracking link. It is good for half an hour, and for this link only.',
        },
        recipientCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-recipient',
          description: 'The same token as a cookie. What changes anything must come from a page of the service itself.',
        },
        sessionToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The sessionToken that a person signed in for. Not together with the cookie.',
        },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-session',
          description: 'The same token as a cookie. What changes anything must come from a page of the service itself.',
        },
        uploadCapability: {
          type: 'apiKey',
          in: 'header',
          name: 'Registration-Upload-Capability',
          description: 'The uploadCapability of a registration. It is good for 30 minutes, and for its documents only.',
        },
        clientBasic: { type: 'http', scheme: 'basic', description: 'The client id and secret.' },
      },
    },
  };
}

function tagsOf(paths: Paths): { name: string; description: string }[] {
  const used = new Set(operationsOf(paths).flatMap(({ tags = [] }) => tags));
  for (const tag of used) {
    if (!Object.hasOwn(TAGS, tag))
      throw new Error(`scripts/build/openapi/document.ts has no description of the tag ${tag}`);
  }
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
