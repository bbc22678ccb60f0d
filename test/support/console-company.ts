import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { type SignedIn, signedIn } from '../../scripts/shared/console.ts';
import { answering, type Receiver, startReceiver } from '../../scripts/shared/receiver.ts';
import { newSandbox, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { DELIVERIES, webhooksOf } from '../../scripts/shared/webhooks.ts';
import { readDeliveryPage } from './deliveries.ts';
import { untilLogged } from './request-log.ts';
import { trpcClient } from './trpc.ts';

/** As long as a reference may be, without a place to wrap. */
const LONG_REFERENCE = `order-${'8'.repeat(122)}`;
/** As long as a name may be. */
const LONG_NAME = 'مؤسسة نورة بنت عبدالعزيز القحطاني للتجارة والتوزيع '.repeat(3).slice(0, 120).trim().padEnd(120, 'ـ');
const LONG_CODE = `BRANCH-${'X'.repeat(57)}`;

/** A company with data for every page of the console, of maximum length, and its signed-in owner. */
export interface ConsoleCompany {
  readonly sandbox: Sandbox;
  readonly owner: SignedIn;
  readonly receiver: Receiver;
  readonly shipmentId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly branchCode: string;
  readonly pickupLocationCode: string;
  /** A refused creation. */
  readonly requestId: string;
}

export async function newConsoleCompany(site: OwnEnvironment): Promise<ConsoleCompany> {
  const sandbox = await newSandbox(site);
  const [owner, receiver] = await Promise.all([
    signedIn(site, sandbox.company, { assurance: 'AAL2' }),
    startReceiver(answering(500)),
  ]);
  const { endpointId } = await (await webhooksOf(site, sandbox.merchant)).add(`${receiver.url}/${'long-'.repeat(40)}`, {
    description: LONG_NAME,
    eventTypes: ['shipment.created', 'shipment.approved', 'shipment.offered'],
  });
  const { shipmentId } = await sandbox.create({
    externalReference: LONG_REFERENCE,
    recipient: { name: LONG_NAME, phone: '0512345678' },
  });
  const deliveryId = await until('a delivery has failed', async () => {
    const { data } = await readDeliveryPage(await sandbox.merchant.get(`${DELIVERIES}?endpointId=${endpointId}`));
    return data.find(({ status, attemptCount }) => status === 'RETRYING' && attemptCount > 0)?.deliveryId;
  });
  const [places, requestId] = await Promise.all([addLongPlaces(site, owner), refuseCreation(sandbox)]);
  return { sandbox, owner, receiver, shipmentId, endpointId, deliveryId, requestId, ...places };
}

/** A creation with an unknown property and no address, in the request log. */
async function refuseCreation({ merchant, company }: Sandbox): Promise<string> {
  const body = shipmentBody(company, { destination: { cityCode: 'RUH' }, ['unknown'.repeat(20)]: LONG_NAME });
  const requestId = (await merchant.postShipment(body)).headers.get('x-request-id') ?? '';
  await untilLogged(merchant, requestId);
  return requestId;
}

async function addLongPlaces(site: OwnEnvironment, { storageState }: SignedIn) {
  const call = trpcClient(site, storageState.cookies[0]?.value ?? '');
  const [branchCode, pickupLocationCode] = [LONG_CODE, LONG_CODE.replace('BRANCH', 'PICKUP')];
  await call.branches.create.mutate({ branchCode, name: 'A'.repeat(120), nameAr: LONG_NAME, cityCode: 'RUH' });
  await call.pickupLocations.create.mutate({
    ...{ branchCode, pickupLocationCode, name: 'B'.repeat(120), nameAr: LONG_NAME },
    location: { addressLine: LONG_NAME.repeat(2), cityCode: 'RUH', latitude: '24.7', longitude: '46.6' },
    contactName: LONG_NAME,
    contactPhone: '+966112345678',
  });
  return { branchCode, pickupLocationCode };
}
