import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { createMirsalClient, entityTag, type MirsalClient, MirsalError } from '../../src/client.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { messageOf, SetupError } from '../shared/setup-error.ts';

const USAGE = `Creates, tracks and cancels one shipment of a company, to see that a deployment works.

  CLIENT_ID=… CLIENT_SECRET=… npm run smoke -- --url https://api.example.com

The client is a company's API credential. In a sandbox the company's sandbox is created if it is missing. On production the
shipment goes from the company's first pickup location to a place one kilometre north, and the company is charged as for
any cancelled shipment.`;

/** Runs the steps and calls `said` after each. Throws an error that names the step that failed. */
export async function smoke(client: MirsalClient, deployment: string, said: (step: string) => void): Promise<void> {
  const step = async <Value>(name: string, work: () => Promise<Value>, tell: (value: Value) => string) => {
    const value = await work().catch((error: unknown) => {
      throw new SetupError(`${name}: failed. ${messageOf(error)}${violationsOf(error)}`);
    });
    said(`${name}: ${tell(value)}`);
    return value;
  };
  const place = await step(
    'pickup location',
    () => (deployment === 'production' ? firstPlace(client) : sandboxPlace(client)),
    ({ pickupLocationCode }) => pickupLocationCode,
  );
  const { destination, ...pickup } = place;
  const startsAt = Date.now() + HOUR_MS;
  const created = await step(
    'create',
    () =>
      client.shipments.create.mutate({
        externalReference: `smoke-${randomUUID()}`,
        ...pickup,
        recipient: { name: 'Smoke test', phone: '0512345678' },
        destination,
        declaredValue: '10',
        codAmount: '0',
        currency: 'SAR',
        paymentMethod: 'PREPAID',
        pickupWindowStart: new Date(startsAt).toISOString(),
        pickupWindowEnd: new Date(startsAt + HOUR_MS).toISOString(),
        items: [{ description: 'Smoke test', quantity: 1, weightKilograms: '1' }],
        requirements: [],
      }),
    ({ shipmentNumber, state }) => `${shipmentNumber} ${state}`,
  );
  const { shipmentId } = created;
  await step(
    'track',
    () => client.shipments.tracking.query({ shipmentId }),
    ({ state }) => state,
  );
  await step(
    'cancel',
    () => cancel(client, shipmentId),
    ({ state }) => state,
  );
}

function violationsOf(error: unknown): string {
  const violations = error instanceof MirsalError ? error.violations : [];
  return violations.map(({ field, code }) => ` ${field} ${code}`).join(',');
}

const HOUR_MS = 3_600_000;
const readiness = z.object({
  deployment: z.string(),
  shipments: z.object({ possible: z.boolean(), missing: z.array(z.string()) }),
});
const CANCEL_TRIES = 5;

/** Dispatch may change the shipment between the read and the command, so a refused tag is read again. */
async function cancel(client: MirsalClient, shipmentId: string) {
  for (let attempt = 1; ; attempt += 1) {
    const ifMatch = entityTag(await client.shipments.get.query({ shipmentId }));
    try {
      return await client.shipments.cancel.mutate({ shipmentId, ifMatch, reasonCode: 'OTHER' });
    } catch (error) {
      if (attempt === CANCEL_TRIES || !(error instanceof Error && error.message.includes('PRECONDITION_FAILED')))
        throw error;
    }
  }
}

async function sandboxPlace(client: MirsalClient) {
  const made = await client.sandbox.bootstrap.mutate({});
  const { branchCode, pickupLocationCode, destinationCityCode: cityCode, delivery } = made;
  return { branchCode, pickupLocationCode, destination: { addressLine: 'Smoke test', cityCode, ...delivery } };
}

/** About a kilometre. A shipment to its own pickup location is refused. */
const NORTH_DEGREES = 0.01;

async function firstPlace(client: MirsalClient) {
  const { data } = await client.pickupLocations.list.query({ status: 'ACTIVE', limit: 1 });
  const [found] = data;
  if (found === undefined) throw new SetupError('The company has no active pickup location. Add one in the console.');
  const { branchCode, pickupLocationCode, location } = found;
  const { addressLine, cityCode, latitude, longitude } = location;
  const north = (Number(latitude) + NORTH_DEGREES).toFixed(6);
  return { branchCode, pickupLocationCode, destination: { addressLine, cityCode, latitude: north, longitude } };
}

async function runFromCommandLine(): Promise<void> {
  const { values } = parseArgs({ options: { url: { type: 'string' } } });
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
  if (values.url === undefined || clientId === undefined || clientSecret === undefined) throw new SetupError(USAGE);
  const baseUrl = values.url.replace(/\/+$/, '');
  const response = await fetch(`${baseUrl}/ready`).catch((error: unknown) => {
    throw new SetupError(`ready: ${baseUrl} does not answer. ${messageOf(error)}`);
  });
  const { deployment, shipments } = readiness.parse(await response.json());
  const isPossible = shipments.possible ? 'possible' : `missing ${shipments.missing.join(', ')}`;
  console.log(`ready: ${response.status}, ${deployment}, shipments ${isPossible}`);
  await smoke(createMirsalClient({ baseUrl, clientId, clientSecret }), deployment, (said) => console.log(said));
}

if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
