import type { Database, RowsOf } from '../../../db/database.ts';
import type { ReadStatement } from '../../../db/statement.ts';
import { tokenHashOf } from '../../access/authenticate.ts';
import type { CompanyScope } from '../../access/require.ts';
import { shardOfTrackingToken } from '../../access/tracking-token.ts';
import type { MerchantTracking, Tracking } from '../../contract/tracking.ts';
import type { Instant } from '../../core/instant.ts';
import type { Locale } from '../../core/locale.ts';
import { part } from '../../core/part.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock, CompanyClock } from '../../ports/clock.ts';
import type { ClockBook } from '../clocks/company-clock.ts';
import type { CompanyNames } from '../companies/company.ts';
import type { PositionBook } from '../drivers/positions.ts';
import { findForwarded } from '../moves/forwarding.ts';
import type { MoveBook } from '../moves/move-book.ts';
import type { TrackingView } from './page-view.ts';

const statements = part(() => import('./reading-store.ts'));
const pageViews = part(() => import('./page-view.ts'));
const projections = part(() => import('./projection.ts'));
const goodsPart = part(() => import('../shipments/goods.ts'));
const goodsStatements = part(() => import('../shipments/goods-store.ts'));

/** The link that was viewed, to count the view at the company's time. */
interface ViewedLink {
  readonly shard: string;
  readonly tokenHash: string;
  readonly viewedAt: Instant;
}

export interface ViewedTracking extends ViewedLink {
  readonly tracking: Tracking;
}

export interface ViewedPage extends ViewedLink {
  readonly view: TrackingView;
}

export interface ReadingDependencies {
  readonly config: { readonly baseUrl: string };
  readonly shards: ReadonlyMap<string, { readonly database: Database }>;
  readonly clock: Clock;
  readonly clockBook: ClockBook;
  readonly moveBook: MoveBook;
  readonly positionBook: PositionBook;
  /** Throws if its shard has no room for more requests. */
  readonly enterShard: (shard: string, sentFrom?: string) => void;
}

/** Order of languages: `lang` from the address, then the language of the link, then `locale` from the browser. */
interface ReaderLanguage {
  readonly lang?: Locale | undefined;
  readonly locale: Locale;
}

/**
 * The shipment as the holder of a token may see it. An unknown, revoked, expired or malformed token gets the same answer
 * after the same work: one hash, one request to the shard in the token, and one to each shard to which companies of that
 * shard have moved.
 */
export async function readTracking(
  dependencies: ReadingDependencies,
  token: string,
  { lang, locale }: ReaderLanguage,
): Promise<Result<ViewedTracking>> {
  const realNow = dependencies.clock.now();
  const tokenHash = await tokenHashOf(token);
  const { shipmentByToken, stepsByToken } = await statements();
  const reads = [
    shipmentByToken(tokenHash, realNow, dependencies.clockBook.hasSandboxes),
    stepsByToken(tokenHash, realNow),
  ] as const;
  const found = await readAtToken(dependencies, token, reads);
  if (!found.ok) return found;
  const { shard } = found.value;
  const [[stored], steps] = found.value.results;
  const now = await openTimeOf(dependencies, shard, stored);
  if (!now.ok) return now;
  if (stored === undefined) return refuse('TRACKING_LINK_UNAVAILABLE');
  const tracked = dependencies.positionBook.locate(stored.driverId, stored);
  const { merchantName } = tracked;
  const { baseUrl } = dependencies.config;
  const reader = { merchantName, baseUrl, locale: lang ?? tracked.locale ?? locale, now: now.value };
  const { projectTracking } = await projections();
  return ok({ tracking: projectTracking(tracked, steps, reader), shard, tokenHash, viewedAt: now.value });
}

/** The same with the data for a page. The work differs only by one statement in the same request. */
export async function readTrackingForPage(
  dependencies: ReadingDependencies,
  token: string,
  { lang, locale }: ReaderLanguage,
): Promise<Result<ViewedPage>> {
  const realNow = dependencies.clock.now();
  const tokenHash = await tokenHashOf(token);
  const { pageFactsByToken, shipmentByToken, stepsByToken } = await statements();
  const reads = [
    shipmentByToken(tokenHash, realNow, dependencies.clockBook.hasSandboxes),
    stepsByToken(tokenHash, realNow),
    pageFactsByToken(tokenHash, realNow),
  ] as const;
  const found = await readAtToken(dependencies, token, reads);
  if (!found.ok) return found;
  const { shard } = found.value;
  const [[stored], steps, [facts]] = found.value.results;
  const now = await openTimeOf(dependencies, shard, stored);
  if (!now.ok) return now;
  if (stored === undefined || facts === undefined) return refuse('TRACKING_LINK_UNAVAILABLE');
  const tracked = dependencies.positionBook.locate(stored.driverId, stored);
  const { merchantName } = tracked;
  const { baseUrl } = dependencies.config;
  const reader = { merchantName, baseUrl, locale: lang ?? tracked.locale ?? locale, now: now.value };
  const { viewTracking } = await pageViews();
  return ok({ view: viewTracking(tracked, steps, { facts, reader }), shard, tokenHash, viewedAt: now.value });
}

/**
 * Now on the clock of the link's company, which is never behind the real time. Refused if the link is expired or not found. On
 * production the SQL has compared the expiry, and nothing else is read.
 */
async function openTimeOf(
  { shards, clock: wall, clockBook }: ReadingDependencies,
  shard: string,
  link: { readonly companyId: Uuid | null; readonly expiresAt: Instant | null } | undefined,
): Promise<Result<Instant>> {
  const database = shards.get(shard)?.database;
  if (link === undefined || database === undefined) return refuse('TRACKING_LINK_UNAVAILABLE');
  const { companyId, expiresAt } = link;
  if (companyId === null || expiresAt === null) return ok(wall.now());
  const clock = await clockBook.clockOf(database, companyId);
  if (!clock.ok) return clock;
  const now = clock.value.now();
  return expiresAt > now ? ok(now) : refuse('TRACKING_LINK_UNAVAILABLE');
}

/** The rows of a link or a logo, from the shard in its token or name, or from a shard to which its company has moved. */
export async function readAtToken<Reads extends readonly [ReadStatement<unknown>, ...ReadStatement<unknown>[]]>(
  dependencies: Pick<ReadingDependencies, 'shards' | 'moveBook' | 'enterShard'>,
  token: string,
  reads: Reads,
): Promise<Result<{ readonly shard: string; readonly results: RowsOf<Reads> }>> {
  const named = storeOf(dependencies.shards, token);
  if (named === undefined) return unavailable();
  dependencies.enterShard(named.database.id);
  const first = await named.database.readAll(reads);
  if (!first.ok) return unavailable();
  const inNamed = ok({ shard: named.database.id, results: first.results });
  if (first.results[0].length > 0) return inNamed;
  const elsewhere = await findForwarded(dependencies, named, async ({ database }) => {
    dependencies.enterShard(database.id, named.database.id);
    const found = await database.readAll(reads);
    if (!found.ok) return 'unknown';
    return found.results[0].length > 0 ? { shard: database.id, results: found.results } : undefined;
  });
  if (elsewhere === 'unknown') return unavailable();
  return elsewhere === undefined ? inNamed : ok(elsewhere);
}

/** The shard that a token names, or any shard if it names none, so that both cost the same. */
function storeOf(shards: ReadingDependencies['shards'], token: string) {
  return shards.get(shardOfTrackingToken(token) ?? '') ?? shards.values().next().value;
}

/** The same for the company that owns the shipment. */
export async function trackShipment(
  {
    database,
    directory,
    clock,
    companyNames,
    positionBook,
    config: { baseUrl },
  }: {
    readonly config: { readonly baseUrl: string };
    readonly database: Database;
    readonly directory: { readonly database: Database };
    readonly clock: CompanyClock;
    readonly companyNames: CompanyNames;
    readonly positionBook: PositionBook;
  },
  scope: CompanyScope,
  { shipmentId, locale }: { readonly shipmentId: Uuid; readonly locale: Locale },
): Promise<Result<MerchantTracking>> {
  const { shipmentOfCompany, stepsOfCompany } = await statements();
  const { lastCarrier } = await goodsStatements();
  const reads = [
    shipmentOfCompany(scope, shipmentId),
    stepsOfCompany(scope, shipmentId),
    lastCarrier(scope, shipmentId),
  ] as const;
  const [found, merchantName] = await Promise.all([
    database.readAll(reads),
    companyNames.nameOf(directory.database, scope),
  ]);
  if (!found.ok) return unavailable();
  const [[stored], steps, [last]] = found.results;
  if (stored === undefined || last === undefined) return refuse('ACCESS_DENIED');
  if (merchantName === undefined) return unavailable();
  const tracked = positionBook.locate(stored.driverId, stored);
  const { projectForMerchant } = await projections();
  const { goodsOf } = await goodsPart();
  const projected = projectForMerchant(tracked, steps, { merchantName, baseUrl, locale, now: clock.now() });
  return ok({ ...projected, goods: goodsOf(tracked.state, last) });
}
