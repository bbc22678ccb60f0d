import * as z from 'zod';
import { instantOut } from './values.ts';
import { WINDOW_PARTS, WINDOW_STATUSES } from './window-state.ts';

/** Delivery windows of a shipment as they are shown. */

const span = {
  start: instantOut.describe('From when the delivery is wanted.'),
  end: instantOut.describe('Until when it is wanted.'),
  part: z.enum(WINDOW_PARTS).describe('MORNING if it starts before noon in Riyadh.'),
};

/** A window that can be asked for. */
export const offeredWindow = z.strictObject(span).meta({ id: 'OfferedWindow' });
export type OfferedWindow = z.output<typeof offeredWindow>;

export const deliveryWindow = z
  .strictObject({
    ...span,
    status: z
      .enum(WINDOW_STATUSES)
      .describe(
        'ASKED until a driver accepts the shipment with it or acknowledges it. Then AGREED, until the driver first arrives at the door, or delivers without having reported that: MET if this is within the window, and MISSED if it is earlier or later. A window that is not agreed by then stays ASKED, and one that ends without either stays as it is.',
      ),
  })
  .meta({ id: 'DeliveryWindow' });
export type DeliveryWindow = z.output<typeof deliveryWindow>;

export const deliveryWindows = z
  .strictObject({
    window: z.nullable(deliveryWindow).describe('The window that was asked for; null if nobody did.'),
    windowsOffered: z
      .array(offeredWindow)
      .describe(
        'The windows that can be asked for now, the earliest first. Empty once the driver has set out or the shipment has ended.',
      ),
  })
  .meta({ id: 'DeliveryWindows' });
export type DeliveryWindows = z.output<typeof deliveryWindows>;
