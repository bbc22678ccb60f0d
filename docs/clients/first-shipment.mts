// Creates a first shipment in a sandbox and waits until it is delivered.
//
//     npm install mirsal-client
//     node first-shipment.mts    (Node 24; before that, npx tsx first-shipment.mts)
//
// It needs MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET in the environment. The client gets tokens and renews
// them, repeats calls where that is safe, and honours Retry-After. Decimals are strings, so no digit is lost.
import { setTimeout as wait } from 'node:timers/promises';
import { createMirsalClient } from 'mirsal-client';

const mirsal = createMirsalClient({
  baseUrl: required('MIRSAL_URL'),
  clientId: required('MIRSAL_CLIENT_ID'),
  clientSecret: required('MIRSAL_CLIENT_SECRET'),
});

let sandbox = await mirsal.sandbox.bootstrap.mutate({});
while (!sandbox.canCreateShipment) {
  await wait(1000);
  sandbox = await mirsal.sandbox.readiness.query({});
}
const { pickup, delivery, destinationCityCode } = sandbox;
const price = await mirsal.priceEstimates.create.mutate({ pickup, delivery, destinationCityCode });
console.log(`The delivery costs ${price.totalAmount} ${price.currency} with VAT.`);

// Store the key with your order before the call, and use it again after any failure.
const orderNumber = `order-${crypto.randomUUID()}`;
const shipment = await mirsal.shipments.create.mutate({
  idempotencyKey: `create-${orderNumber}`,
  externalReference: orderNumber,
  branchCode: sandbox.branchCode,
  pickupLocationCode: sandbox.pickupLocationCode,
  recipient: { name: 'Sara Al-Harbi', phone: '0512345678' },
  destination: { addressLine: '2929 King Fahd Road', cityCode: destinationCityCode, ...delivery },
  declaredValue: '180.50',
  codAmount: '0',
  currency: 'SAR',
  paymentMethod: 'PREPAID',
  pickupWindowStart: inHours(24),
  pickupWindowEnd: inHours(27),
  items: [{ description: 'Coffee beans', quantity: 2, weightKilograms: '1.05' }],
  requirements: [],
});
const { shipmentId, shipmentNumber } = shipment;
console.log(`Created ${shipmentNumber} (${shipmentId}).`);

await mirsal.sandbox.startScenario.mutate({ shipmentId, name: 'HAPPY_PATH', stepSeconds: 1 });
let state = '';
while (!['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'].includes(state)) {
  await wait(1000);
  const latest = await mirsal.shipments.get.query({ shipmentId });
  if (latest.state === state) continue;
  state = latest.state;
  console.log(state);
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name} first.`);
  return value;
}

function inHours(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}
