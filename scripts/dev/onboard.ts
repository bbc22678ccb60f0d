import { parseArgs } from 'node:util';
import { failWith, isCommand } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { openHttp, type Send } from './onboarding/http.ts';
import {
  awaitApproval,
  bootstrap,
  codesInFolder,
  codesOfService,
  completeRegistration,
  createNewcomer,
  createShipment,
  elevate,
  issueCredential,
  type NewCredential,
  obtainToken,
  register,
  type Shipment,
  signIn,
  uploadDocuments,
} from './onboarding/steps.ts';
import { openScreen, type Screen } from './screen.ts';

const USAGE = `Registers a new merchant on a local service and goes through every step up to a first shipment.

  npm run onboard -- [--base http://127.0.0.1:8787] [--messages FOLDER]

  --base    address of the API; the one-time codes are read from /local/one-time-codes
  --messages  the folder to which a sandbox deployment writes its messages; the codes are read from there instead`;

export interface Onboarded {
  readonly companyId: string;
  readonly credential: NewCredential;
  readonly shipment: Shipment;
}

/** Registers a new company and continues until its first shipment is approved. */
export async function onboard(
  baseUrl: string,
  screen: Screen,
  { send = fetch, messages }: { readonly send?: Send; readonly messages?: string | undefined } = {},
): Promise<Onboarded> {
  const ask = openHttp(baseUrl, send);
  const newcomer = createNewcomer(messages === undefined ? codesOfService(ask) : codesInFolder(messages));
  const { step } = screen;
  const draft = await step('registration', () => register(ask, newcomer));
  await step(`${draft.requiredDocuments.length} documents`, () => uploadDocuments(ask, draft));
  const otp = await step('one-time code', () => newcomer.readCode(`+966${newcomer.mobile}`, 'REGISTRATION'));
  const companyId = await step('complete the registration', () => completeRegistration(ask, draft.registrationId, otp));
  const session = await step('sign-in by mobile', () => signIn(ask, newcomer));
  const proved = await step('second factor by e-mail', () => elevate(ask, session, newcomer));
  const credential = await step('API credential', () => issueCredential(ask, proved));
  const readiness = await step('sandbox', () => bootstrap(ask, proved));
  const token = await step('access token', () => obtainToken(ask, credential));
  const created = await step('first shipment', () => createShipment(ask, token, readiness));
  const shipment = await step('approval of the shipment', () => awaitApproval(ask, token, created));
  return { companyId, credential, shipment };
}

function readOptions(): { readonly baseUrl: string; readonly messages: string | undefined } | undefined {
  const { values } = parseArgs({
    options: {
      base: { type: 'string', default: 'http://127.0.0.1:8787' },
      messages: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  if (!/^https?:$/.test(URL.parse(values.base)?.protocol ?? '')) {
    throw new SetupError(`--base ${values.base} is not an address; use one such as http://127.0.0.1:8787.`);
  }
  return { baseUrl: values.base.replace(/\/+$/, ''), messages: values.messages };
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
  const options = readOptions();
  if (options === undefined) {
    console.log(USAGE);
    return;
  }
  const screen = openScreen((text) => process.stdout.write(text));
  process.stdout.write(summary(await onboard(options.baseUrl, screen, { messages: options.messages })));
}

if (isCommand(import.meta.filename)) run().catch(failWith);
