import { parseArgs } from 'node:util';
import { failWith, isCommand } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { openHttp, type Send } from './onboarding/http.ts';
import {
  awaitApproval,
  bootstrap,
  type Credential,
  completeRegistration,
  createShipment,
  elevate,
  issueCredential,
  newNewcomer,
  obtainToken,
  readCode,
  register,
  type Shipment,
  signIn,
  uploadDocuments,
} from './onboarding/steps.ts';
import { openScreen, type Screen } from './screen.ts';

const USAGE = `Walks a merchant's whole way on a local service: from the registration to his first shipment.

  npm run onboard -- [--base http://127.0.0.1:8787]

  --base    where the API answers; its one-time codes are read from /local/one-time-codes`;

export interface Onboarded {
  readonly companyId: string;
  readonly credential: Credential;
  readonly shipment: Shipment;
}

/** Registers a company and goes on until its first shipment is approved. Each run is another company. */
export async function onboard(baseUrl: string, screen: Screen, send: Send = fetch): Promise<Onboarded> {
  const ask = openHttp(baseUrl, send);
  const newcomer = newNewcomer();
  const { step } = screen;
  const draft = await step('registration', () => register(ask, newcomer));
  await step(`${draft.requiredDocuments.length} documents`, () => uploadDocuments(ask, draft));
  const otp = await step('code from the inbox', () => readCode(ask, `+966${newcomer.mobile}`, 'REGISTRATION'));
  const companyId = await step('company', () => completeRegistration(ask, draft.registrationId, otp));
  const session = await step('sign-in by e-mail', () => signIn(ask, newcomer));
  const proved = await step('second factor by SMS', () => elevate(ask, session, newcomer));
  const credential = await step('API credential', () => issueCredential(ask, proved));
  const readiness = await step('sandbox', () => bootstrap(ask, proved));
  const token = await step('access token', () => obtainToken(ask, credential));
  const created = await step('first shipment', () => createShipment(ask, token, readiness));
  const shipment = await step('its approval', () => awaitApproval(ask, token, created));
  return { companyId, credential, shipment };
}

function readBase(): string | undefined {
  const { values } = parseArgs({
    options: { base: { type: 'string', default: 'http://127.0.0.1:8787' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return undefined;
  if (!/^https?:$/.test(URL.parse(values.base)?.protocol ?? '')) {
    throw new SetupError(`--base ${values.base} is no address; give one such as http://127.0.0.1:8787.`);
  }
  return values.base.replace(/\/+$/, '');
}

function summary({ companyId, credential, shipment }: Onboarded): string {
  const rows = [
    ['Company', companyId],
    ['Client', `${credential.clientId}  ${credential.clientSecret}`],
    ['Shipment', `${shipment.shipmentNumber}  ${shipment.state}`],
  ];
  return `\n${rows.map(([name, value]) => `  ${String(name).padEnd(10)}${value}`).join('\n')}\n`;
}

async function run(): Promise<void> {
  const baseUrl = readBase();
  if (baseUrl === undefined) {
    console.log(USAGE);
    return;
  }
  const screen = openScreen((text) => process.stdout.write(text));
  process.stdout.write(summary(await onboard(baseUrl, screen)));
}

if (isCommand(import.meta.filename)) run().catch(failWith);
