import { activity } from './activity.ts';
import { branches } from './branches.ts';
import { cases } from './cases.ts';
import { codCollections } from './cod-collections.ts';
import { companies } from './companies.ts';
import { capabilities, cities } from './coverage.ts';
import { deliveryWindows } from './delivery-windows.ts';
import { driver } from './driver.ts';
import { events } from './events.ts';
import { mediaAssets } from './media-assets.ts';
import { merchantApiCredential } from './merchant-api-credential.ts';
import { nationalAddresses } from './national-addresses.ts';
import { operations } from './operations.ts';
import { audit, people } from './people.ts';
import { pickupLocations } from './pickup-locations.ts';
import { priceEstimates } from './price-estimates.ts';
import { priceLocks } from './price-locks.ts';
import { router } from './procedure.ts';
import { proofs } from './proofs.ts';
import { recipients } from './recipients.ts';
import { registrations } from './registrations.ts';
import { requestLog } from './request-log.ts';
import { resolutions } from './resolutions.ts';
import { sandbox } from './sandbox.ts';
import { sessions } from './sessions.ts';
import { shipmentAmendments } from './shipment-amendments.ts';
import { shipmentBatches } from './shipment-batches.ts';
import { shipmentMetadata } from './shipment-metadata.ts';
import { shipmentValidations } from './shipment-validations.ts';
import { shipments } from './shipments.ts';
import { statements } from './statements.ts';
import { streets } from './streets.ts';
import { trackingBrand } from './tracking-brand.ts';
import { trackingLinks } from './tracking-links.ts';
import { waybills } from './waybills.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/** All procedures. A procedure with a path in its metadata is also a REST operation. */
export const appRouter = router({
  shipments,
  shipmentValidations,
  waybills,
  shipmentBatches,
  shipmentMetadata,
  shipmentAmendments,
  deliveryWindows,
  codCollections,
  statements,
  companies,
  resolutions,
  cases,
  proofs,
  mediaAssets,
  trackingLinks,
  trackingBrand,
  recipients,
  priceEstimates,
  priceLocks,
  nationalAddresses,
  branches,
  pickupLocations,
  cities,
  capabilities,
  driver,
  registrations,
  sessions,
  people,
  audit,
  merchantApiCredential,
  events,
  activity,
  streets,
  webhookEndpoints,
  webhookDeliveries,
  requestLog,
  sandbox,
  operations,
});

export type AppRouter = typeof appRouter;
