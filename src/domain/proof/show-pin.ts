import type { CompanyScope } from '../../access/require.ts';
import type { DeliveryPin } from '../../contract/recipient.ts';
import { isCarried } from '../../contract/shipment-state.ts';
import type { Locale } from '../../core/locale.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { pinOf, pinTagOf } from './pin.ts';
import type { ProofDependencies } from './prepare.ts';
import { pinProgress, pinTold, progressOf, proofTermsOfCompany } from './store.ts';
import { needsPin, toPay } from './tell-pin.ts';

/** What the recipient does with the PIN. It is the buyer's acknowledgement, so the goods come first. */
const ADVICE: Readonly<Record<Locale, (paid: string | undefined) => string>> = {
  en: (paid) =>
    `Look at the goods first. Give this PIN to the driver only when you hold the parcel${paid === undefined ? '' : ` and have paid ${paid}`}.`,
  ar: (paid) =>
    `افحص الشحنة أولًا، ولا تعط هذا الرمز للسائق إلا بعد أن تستلمها${paid === undefined ? '' : ` وتدفع ${paid}`}.`,
};

/** The PIN for a recipient who has signed in, while a driver has the parcel. Null if none is needed. Notes that it was seen. */
export async function showPin(
  { database, writer, clock, config }: ProofDependencies,
  scope: CompanyScope,
  shipment: ShipmentRow,
  locale: Locale,
): Promise<Result<DeliveryPin | null>> {
  if (!isCarried(shipment.state)) return ok(null);
  const { id: shipmentId, companyId } = shipment;
  const read = await database.readAll([proofTermsOfCompany(scope), progressOf(scope, shipmentId)] as const);
  if (!read.ok) return unavailable();
  const [[settings], [progress]] = read.results;
  if (!needsPin({ ...shipment, proofTerms: settings?.proofTerms ?? null }, { config })) return ok(null);
  const pinTag = await pinTagOf(config, shipment);
  if ((pinProgress(progress, pinTag)?.seenAt ?? null) === null)
    await writer.commit({ statements: [pinTold({ shipmentId, companyId, pinTag }, 'seenAt', clock.now())] });
  return ok({ code: await pinOf(config, shipment), advice: ADVICE[locale](toPay(shipment)) });
}
