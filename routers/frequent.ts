import { priceEstimates } from './price-estimates.ts';
import { router } from './procedure.ts';
import { shipments } from './shipments.ts';
import { trackingLinks } from './tracking-links.ts';

/**
 * The procedures that merchants' systems and recipients call all day. A Worker loads them when it starts, and
 * all others when one of those is first called: also the feed, whose pollers keep an isolate for long.
 */
export const frequentRouter = router({
  shipments,
  trackingLinks,
  priceEstimates,
});
