import { expect } from 'vitest';
import * as z from 'zod';
import type { Environment } from '../../scripts/shared/connection.ts';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { recipientOf } from '../../scripts/shared/recipients.ts';
import type { Sandbox } from '../../scripts/shared/sandbox.ts';

/* Shipments with recipients who have signed in. */

export const delivery = z.looseObject({
  version: z.int(),
  confirmedAt: z.nullable(z.string()),
  destination: z.looseObject({ addressLine: z.string(), latitude: z.number() }),
  awaitingMerchant: z.array(z.looseObject({ amendmentId: z.uuid() })),
  may: z.array(z.looseObject({ change: z.string(), allowed: z.boolean() })),
});
const changed = z.looseObject({
  delivery,
  applied: z.array(z.string()),
  awaitingMerchant: z.array(z.looseObject({ amendmentId: z.uuid(), changes: z.array(z.string()) })),
});
const amendments = z.looseObject({
  data: z.array(
    z.looseObject({ amendmentId: z.uuid(), state: z.string(), version: z.int(), decidedAt: z.nullable(z.string()) }),
  ),
});

/** About 6 km farther than the sample destination. */
export const FAR = { latitude: 24.85, longitude: 46.626111 };

let count = 0;

/** What tests of recipients do with the shipments of a sandbox. */
export function recipientScene(environment: Environment, sandbox: Sandbox) {
  const { merchant } = sandbox;
  /** A shipment whose recipient has a phone of their own. */
  async function newParcel() {
    count += 1;
    const phone = `+9665${String(Date.now()).slice(-6)}${String(count).padStart(2, '0')}`;
    const { shipmentId } = await sandbox.create({
      recipient: { name: 'Huda Al-Otaibi', phone },
      destination: {
        addressLine: '4 King Fahd Road, Riyadh',
        cityCode: 'RUH',
        latitude: 24.794722,
        longitude: 46.626111,
      },
    });
    await sandbox.untilState(shipmentId, 'OFFERED');
    return { shipmentId, phone, path: `${SHIPMENTS}/${shipmentId}` };
  }
  async function newRecipient(permissions?: string[]) {
    const parcel = await newParcel();
    const recipient = await recipientOf(environment, merchant, {
      ...parcel,
      ...(permissions === undefined ? {} : { permissions }),
    });
    return { ...parcel, ...recipient };
  }
  const changeOf = async (response: Response) => {
    expect(response.status, await response.clone().text()).toBe(200);
    return changed.parse(await response.json());
  };
  const amendmentsOf = async (path: string) =>
    amendments.parse(await (await merchant.get(`${path}/amendments`)).json()).data;
  const eventsOf = async (shipmentId: string, type: string) =>
    (await readEventPage(await merchant.get(`${EVENTS}?shipmentId=${shipmentId}&type=${type}`))).data;
  return { newParcel, newRecipient, changeOf, amendmentsOf, eventsOf };
}
