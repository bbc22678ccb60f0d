import { branches } from './branches.ts';
import { driver } from './driver.ts';
import { merchantApiCredential } from './merchant-api-credential.ts';
import { operations } from './operations.ts';
import { audit, people } from './people.ts';
import { pickupLocations } from './pickup-locations.ts';
import { priceEstimates } from './price-estimates.ts';
import { router } from './procedure.ts';
import { registrations } from './registrations.ts';
import { sandbox } from './sandbox.ts';
import { sessions } from './sessions.ts';
import { shipments } from './shipments.ts';

/** Every procedure. Those with a path in their metadata are REST operations too. */
export const appRouter = router({
  shipments,
  priceEstimates,
  branches,
  pickupLocations,
  driver,
  registrations,
  sessions,
  people,
  audit,
  merchantApiCredential,
  sandbox,
  operations,
});

export type AppRouter = typeof appRouter;
