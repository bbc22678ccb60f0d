import type { Demo, DemoCompany } from '../shared/local-files.ts';
import { SAMPLE_COMPANIES } from '../shared/sample-companies.ts';
import { StopRequested } from './stop-request.ts';

/** Shows one line per step: its name at the start, its duration at the end. */
export interface Screen {
  step<Value>(name: string, work: () => Value | Promise<Value>): Promise<Value>;
  /** Prints a line of its own, after the current step's line is finished. */
  note(line: string): void;
}

const NAME_WIDTH = 34;
const TIME_WIDTH = 6;

export function openScreen(write: (text: string) => void): Screen {
  let isOpen = false;
  const held: string[] = [];
  const close = (text: string) => {
    write(`${text}\n`);
    isOpen = false;
    for (const line of held.splice(0)) write(`${line}\n`);
  };
  return {
    async step(name, work) {
      write(`  ${name.padEnd(NAME_WIDTH)}`);
      isOpen = true;
      const startedAt = performance.now();
      try {
        const value = await work();
        close(`${String(Math.round(performance.now() - startedAt)).padStart(TIME_WIDTH)} ms`);
        return value;
      } catch (error) {
        close((error instanceof StopRequested ? 'stopped' : 'failed').padStart(TIME_WIDTH + 3));
        throw error;
      }
    },
    note(line) {
      if (isOpen) held.push(`  ${line}`);
      else write(`  ${line}\n`);
    },
  };
}

export interface Addresses {
  readonly baseUrl: string;
  readonly debuggerPort: number;
  readonly directoryUrl: string;
  readonly shards: readonly { readonly id: string; readonly url: string }[];
  /** The file with the same values, for programs. */
  readonly localFile: string;
  /** Whether shipments are possible. */
  readonly shipments: string;
}

/** What the user needs next: addresses, clients and a first request. */
export function welcome(addresses: Addresses, { companies, operator }: Demo): string {
  const rows: [string, string][] = [
    ['API', addresses.baseUrl],
    ['Console', `${addresses.baseUrl}/console`],
    ['Reference', `${addresses.baseUrl}/docs`],
    ['Debugger', `127.0.0.1:${addresses.debuggerPort}`],
    ['Directory', addresses.directoryUrl],
    ...addresses.shards.map(({ id, url }): [string, string] => [id, url]),
    ...companies.map(({ name, clientId, clientSecret }): [string, string] => [name, `${clientId}  ${clientSecret}`]),
    ...companies.map(({ name, owner }): [string, string] => [
      `Owner of ${name}`,
      `${owner?.email ?? ''}  ${owner?.mobile ?? ''}`,
    ]),
    ['Operator', `${operator.clientId}  ${operator.clientSecret}`],
    ['All values in', addresses.localFile],
    ['Shipments', addresses.shipments],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const table = rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`).join('\n');
  const [company] = companies;
  const request =
    company === undefined
      ? ''
      : `\nTo create a first shipment, paste this:\n\n${firstShipment(addresses.baseUrl, company)}\n`;
  const signIn =
    company?.owner === undefined
      ? ''
      : `\nTo use the console, sign in as ${company.owner.email}; the page shows the one-time code. To sign in by hand:\n\n${firstSession(addresses.baseUrl, company.owner)}\n`;
  return `\n${table}\n${request}${signIn}\nPress Ctrl-C to stop everything.\n`;
}

/** What is left to do after the databases have started. */
export function withoutApi(port: number, localFile: string): string {
  const flag = port === WRANGLER_PORT ? '' : ` --port ${port}`;
  return `\nThe databases run. To start the Worker, in another shell:\n\n  npx wrangler dev${flag}\n\nAll values are in ${localFile}. Press Ctrl-C to stop the databases.\n`;
}
/** Where `wrangler dev` listens by default. */
const WRANGLER_PORT = 8787;

/** Commands for bash and zsh, without `jq` or `uuidgen`. Pasting them again creates another shipment. */
function firstShipment(baseUrl: string, company: DemoCompany): string {
  const authorization = `-u '${company.clientId}:${company.clientSecret}' -d grant_type=client_credentials`;
  const readToken = `sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/'`;
  // The shell inserts a new reference each time, so the quotes around the body are interrupted here.
  const reference = `"'"order-$(date +%s)-$RANDOM"'"`;
  const members = Object.entries(sampleOrder(company)).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  return [
    `TOKEN=$(curl -sS ${authorization} ${baseUrl}/oauth/token | ${readToken})`,
    `curl -sS -i ${baseUrl}/v2/external/shipments \\`,
    `  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `  -H "Idempotency-Key: first-shipment-$(date +%s)-$RANDOM" \\`,
    `  -d '{ ${[`"externalReference": ${reference}`, ...members].join(',\n        ')} }'`,
  ].join('\n');
}

/** Commands for bash and zsh. They read the code from the inbox and store the session token in SESSION. */
function firstSession(baseUrl: string, { email }: { readonly email: string }): string {
  const readMember = (name: string) => `sed 's/.*"${name}" *: *"\\([^"]*\\)".*/\\1/'`;
  const readCode = `sed 's/^[^[]*\\[{[^}]*"code":"\\([0-9]*\\)".*/\\1/'`;
  const path = `${baseUrl}/v2/company-authentication`;
  const device = '6f2b8a4e-6d0c-4a57-9d6e-0f5c1b7a3e21';
  return [
    `CHALLENGE=$(curl -sS ${path}/sign-ins -H 'Content-Type: application/json' \\`,
    `  -d '{ "identifier": "${email}", "deviceReference": "${device}" }' | ${readMember('challengeId')})`,
    `CODE=$(curl -sS '${baseUrl}/local/one-time-codes?recipient=${email}' | ${readCode})`,
    `SESSION=$(curl -sS ${path}/sign-ins/$CHALLENGE/verifications -H 'Content-Type: application/json' \\`,
    `  -d "{ \\"otp\\": \\"$CODE\\" }" | ${readMember('sessionToken')})`,
    `curl -sS -i ${path}/sessions/current -H "Authorization: Bearer $SESSION"`,
  ].join('\n');
}

const HOUR_MS = 3_600_000;

function sampleOrder({ branchCode, pickupLocationCode }: DemoCompany) {
  const tomorrow = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
  const cityCode = SAMPLE_COMPANIES.find(({ branch }) => branch.branchCode === branchCode)?.branch.cityCode ?? 'RUH';
  return {
    branchCode,
    pickupLocationCode,
    recipient: { name: 'Sara Al-Harbi', phone: '0512345678' },
    destination: { addressLine: '2929 King Fahd Road, Riyadh 12333', cityCode, latitude: 24.7743, longitude: 46.6572 },
    declaredValue: 180,
    codAmount: 0,
    currency: 'SAR',
    paymentMethod: 'PREPAID',
    pickupWindowStart: new Date(tomorrow).toISOString(),
    pickupWindowEnd: new Date(tomorrow + 2 * HOUR_MS).toISOString(),
    items: [{ description: 'Coffee beans, 1 kg', quantity: 2, weightKilograms: 1.05 }],
    requirements: [],
  };
}
