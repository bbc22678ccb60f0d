import { branches } from './branches.ts';
import { driver } from './driver.ts';
import { events } from './events.ts';
import { operations } from './operations.ts';
import { pickupLocations } from './pickup-locations.ts';
import { priceEstimates } from './price-estimates.ts';
import { router } from './procedure.ts';
import { sandbox } from './sandbox.ts';
import { shipments } from './shipments.ts';
import { trackingLinks } from './tracking-links.ts';

/** Every procedure. Those with a path in their metadata are REST operations too. */
export const appRouter = router({
  shipments,
  trackingLinks,
  priceEstimates,
  branches,
  pickupLocations,
  events,
  driver,
  sandbox,
  operations,
});

export type AppRouter = typeof appRouter;
