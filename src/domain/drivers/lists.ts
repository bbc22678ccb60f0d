import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { DriverPrincipal } from '../../access/driver-token.ts';
import { scopeForDriver } from '../../access/require.ts';
import type { DriverOffer, DriverShipment } from '../../contract/driver.ts';
import type { Deployment } from '../../core/deployment.ts';
import { addSeconds } from '../../core/instant.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { CompanyNames } from '../companies/company.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { settle } from '../settle.ts';
import { openOfferPage } from './offer-store.ts';
import { assignedPage, recipientLooksInsert } from './store.ts';
import { presentOffer, presentToDriver, VISIBLE_SECONDS } from './view.ts';

export interface DriverListDependencies extends PageDependencies {
  readonly directory: { readonly database: Database };
  readonly companyNames: CompanyNames;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly config: { readonly deployment: Deployment };
}

/** The open offers of a driver, newest first. */
export async function listOffers(
  dependencies: DriverListDependencies,
  driver: DriverPrincipal,
  request: PageRequest,
): Promise<Result<Page<DriverOffer>>> {
  const { driverId } = driver;
  const now = dependencies.clock.now();
  const page = await readPage(dependencies, request, {
    binding: ['driver-offers', driverId, 'offeredAt desc'],
    select: (after, rows) => openOfferPage(driverId, now, positionOf(after), rows),
    positionOf: (row) => [String(row.offeredAt), row.offerId],
    present: (row) => ({ merchant: row.companyId, shown: presentOffer(row) }),
  });
  return page.ok ? ok(await withMerchants(dependencies, driver, page.value)) : page;
}

/**
 * The shipments that a driver has, and then those that ended within the last hour. They show recipients, so the response is
 * sent only after the access is recorded.
 */
export async function listDriverShipments(
  dependencies: DriverListDependencies,
  driver: DriverPrincipal,
  request: PageRequest,
): Promise<Result<Page<DriverShipment>>> {
  const { driverId } = driver;
  const { writer, clock, config } = dependencies;
  const now = clock.now();
  const page = await readPage(dependencies, request, {
    binding: ['driver-shipments', driverId, 'active first, offeredAt desc'],
    select: ([hasEnded, ...at] = [], rows) => {
      const position = positionOf(at);
      const after = position && { ...position, hasEnded: Number(hasEnded) };
      return assignedPage(driverId, addSeconds(now, -VISIBLE_SECONDS), after, rows);
    },
    positionOf: (row) => [row.offerState === 'ACCEPTED' ? '0' : '1', String(row.offeredAt), row.offerId],
    present: (row) => ({ id: row.id, merchant: row.companyId, shown: presentToDriver(row, row, config.deployment) }),
  });
  if (!page.ok) return page;
  const shown = await withMerchants(dependencies, driver, page.value);
  const seen = page.value.data.map(({ id }) => id);
  if (seen.length === 0) return ok(shown);
  const logged = settle(await writer.commit({ statements: [recipientLooksInsert(driverId, seen, clock.wall.now())] }));
  if (!logged.ok) return logged;
  return logged.value ? ok(shown) : unavailable();
}

/** Adds the name of each row's merchant. A name that cannot be read is absent: the driver can work without it. */
async function withMerchants<Row extends object>(
  { directory, companyNames }: Pick<DriverListDependencies, 'directory' | 'companyNames'>,
  driver: DriverPrincipal,
  { data, page }: Page<{ readonly merchant: Uuid; readonly shown: Row }>,
): Promise<Page<Row>> {
  const read = async (companyId: Uuid) =>
    [companyId, await companyNames.nameOf(directory.database, scopeForDriver(driver, { companyId }))] as const;
  const names = new Map(await Promise.all([...new Set(data.map(({ merchant }) => merchant))].map(read)));
  const named = data.map(({ merchant, shown }) => {
    const merchantName = names.get(merchant);
    return merchantName === undefined ? shown : { ...shown, merchantName };
  });
  return { data: named, page };
}
