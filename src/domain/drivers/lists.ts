import type { Writer } from '../../../db/writer.ts';
import type { DriverPrincipal } from '../../access/driver-token.ts';
import type { DriverOffer, DriverShipment } from '../../contract/driver.ts';
import { addSeconds } from '../../core/instant.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { settle } from '../settle.ts';
import { assignedPage, openOfferPage, recipientLooksInsert } from './store.ts';
import { presentOffer, presentToDriver, VISIBLE_SECONDS } from './view.ts';

export interface DriverListDependencies extends PageDependencies {
  readonly writer: Writer;
  readonly clock: CompanyClock;
}

/** The open offers of a driver, newest first. */
export function listOffers(
  dependencies: DriverListDependencies,
  { driverId }: DriverPrincipal,
  request: PageRequest,
): Promise<Result<Page<DriverOffer>>> {
  const now = dependencies.clock.now();
  return readPage(dependencies, request, {
    binding: ['driver-offers', driverId, 'offeredAt desc'],
    select: (after, rows) => openOfferPage(driverId, now, positionOf(after), rows),
    positionOf: (row) => [String(row.offeredAt), row.offerId],
    present: presentOffer,
  });
}

/**
 * The shipments that a driver has, and then those that ended within the last hour. They show recipients, so the response is
 * sent only after the access is recorded.
 */
export async function listDriverShipments(
  dependencies: DriverListDependencies,
  { driverId }: DriverPrincipal,
  request: PageRequest,
): Promise<Result<Page<DriverShipment>>> {
  const { writer, clock } = dependencies;
  const now = clock.now();
  const seen: Uuid[] = [];
  const page = await readPage(dependencies, request, {
    binding: ['driver-shipments', driverId, 'active first, offeredAt desc'],
    select: ([hasEnded, ...at] = [], rows) => {
      const position = positionOf(at);
      const after = position && { ...position, hasEnded: Number(hasEnded) };
      return assignedPage(driverId, addSeconds(now, -VISIBLE_SECONDS), after, rows);
    },
    positionOf: (row) => [row.offerState === 'ACCEPTED' ? '0' : '1', String(row.offeredAt), row.offerId],
    present: (row) => {
      seen.push(row.id);
      return presentToDriver(row, row);
    },
  });
  if (!page.ok || seen.length === 0) return page;
  const logged = settle(await writer.commit({ statements: [recipientLooksInsert(driverId, seen, clock.wall.now())] }));
  if (!logged.ok) return logged;
  return logged.value ? ok(page.value) : unavailable();
}
