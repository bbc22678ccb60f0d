import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import { newTrackingToken } from '../../access/tracking-token.ts';
import { isOfType } from '../../contract/file-type.ts';
import { LOGO_BYTES_MAX } from '../../contract/media-asset-state.ts';
import { LOGO_PIXELS_MAX, LOGO_PIXELS_MIN } from '../../contract/tracking.ts';
import { type BrandContact, type BrandLogo, type TrackingBrand } from '../../contract/tracking-brand.ts';
import { fromBase64, toBase64 } from '../../core/base64url.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { sizeOfPicture, withoutMetadata } from '../../core/picture.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, changedMembers, changeVersioned } from '../audit/change.ts';
import { type BrandRow, brandOfCompany, contactUpsert, type LogoRow, logoByName, logoUpsert } from './brand-store.ts';
import { type ReadingDependencies, readAtToken } from './reading.ts';
import { shownLogoOf } from './view.ts';

interface BrandDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly config: { readonly baseUrl: string };
}

/** A company without a row. Recipients see its name only. */
const NOTHING: Omit<BrandRow, 'updatedAt'> & { readonly updatedAt: null } = {
  phone: null,
  whatsApp: null,
  showsContact: 0,
  version: 0,
  updatedAt: null,
  logoName: null,
  logoWidth: null,
  logoHeight: null,
};
type Seen = BrandRow | typeof NOTHING;

/** What recipients see of the company besides its name. */
export async function readBrand(
  { database, config }: Pick<BrandDependencies, 'database' | 'config'>,
  scope: CompanyScope,
): Promise<Result<TrackingBrand>> {
  const found = await readRowOf(database, scope);
  return found.ok ? ok(presentBrand(found.value, config.baseUrl)) : found;
}

async function readRowOf(database: Database, scope: CompanyScope): Promise<Result<Seen>> {
  const answer = await database.read(brandOfCompany(scope));
  return answer.ok ? ok(answer.rows[0] ?? NOTHING) : unavailable();
}

function presentBrand({ phone, whatsApp, showsContact, version, updatedAt, ...logo }: Seen, baseUrl: string) {
  return {
    phone,
    whatsApp,
    showsContact: showsContact === 1,
    logo: shownLogoOf(logo, baseUrl),
    updatedAt: updatedAt === null ? null : formatInstant(updatedAt),
    version,
  };
}

/** Sets how recipients reach the company, and whether they see it. */
export function setContact(
  dependencies: BrandDependencies,
  scope: CompanyScope,
  { precondition, contact }: { readonly precondition: Precondition; readonly contact: BrandContact },
): Promise<Result<TrackingBrand>> {
  const { showsContact, ...numbers } = contact;
  const changes = { ...numbers, showsContact: showsContact ? 1 : 0 };
  return changeBrand(dependencies, scope, {
    precondition,
    action: 'tracking_brand.contact_set',
    changes,
    // The consent itself is in the audit, the numbers are not.
    detail: { showsContact },
    statementOf: (row) => contactUpsert(scope, row),
  });
}

/** Stores the company's logo without metadata, or removes it. Each logo has an address of its own. */
export async function setLogo(
  dependencies: BrandDependencies,
  scope: CompanyScope,
  { precondition, logo }: { readonly precondition: Precondition; readonly logo: BrandLogo },
): Promise<Result<TrackingBrand>> {
  const columns = logo === null ? ok(NO_LOGO) : logoColumnsOf(logo, newTrackingToken(scope.shard, dependencies.random));
  if (!columns.ok) return columns;
  const { logoType, logo: picture, ...changes } = columns.value;
  return changeBrand(dependencies, scope, {
    precondition,
    action: logo === null ? 'tracking_brand.logo_removed' : 'tracking_brand.logo_set',
    changes,
    detail: {},
    statementOf: ({ version, updatedAt }) =>
      logoUpsert(scope, { version, updatedAt, logoType, logo: picture, ...changes }),
  });
}

type LogoParts = Omit<LogoRow, 'version' | 'updatedAt'>;
const NO_LOGO: LogoParts = { logoName: null, logoType: null, logoWidth: null, logoHeight: null, logo: null };

function logoColumnsOf({ contentType, base64 }: NonNullable<BrandLogo>, logoName: string): Result<LogoParts> {
  const sent = fromBase64(base64);
  if (sent.length > LOGO_BYTES_MAX) return refuse('DOCUMENT_TOO_LARGE');
  if (!isOfType(sent, contentType)) return refuse('DOCUMENT_CONTENT_MISMATCH');
  const picture = withoutMetadata(sent, contentType);
  const size = sizeOfPicture(picture, contentType);
  if (size === undefined) return refuse('DOCUMENT_CONTENT_MISMATCH');
  const { width, height } = size;
  if (Math.min(width, height) < LOGO_PIXELS_MIN || Math.max(width, height) > LOGO_PIXELS_MAX) {
    const limit = `${LOGO_PIXELS_MIN} to ${LOGO_PIXELS_MAX} pixels on each side`;
    return refuse('VALIDATION_FAILED', { violations: [{ field: 'logo', code: 'OUT_OF_RANGE', limit }] });
  }
  return ok({ logoName, logoType: contentType, logoWidth: width, logoHeight: height, logo: toBase64(picture) });
}

interface BrandChange {
  readonly precondition: Precondition;
  readonly action: string;
  readonly changes: Partial<BrandRow>;
  readonly detail: Readonly<Record<string, boolean>>;
  readonly statementOf: (row: BrandRow) => ReturnType<typeof contactUpsert>;
}

function changeBrand(
  dependencies: BrandDependencies,
  scope: CompanyScope,
  { precondition, action, changes, detail, statementOf }: BrandChange,
): Promise<Result<TrackingBrand>> {
  const { database, clock, config } = dependencies;
  return changeVersioned<Seen, TrackingBrand>(dependencies, {
    read: () => readRowOf(database, scope),
    decide: (seen) => {
      const stale = checkPrecondition(precondition, seen.version);
      if (stale !== undefined) return stale;
      const members = changedMembers(seen, changes);
      if (members.length === 0) return ok({ kind: 'unchanged', value: presentBrand(seen, config.baseUrl) });
      const updatedAt: Instant = clock.now();
      const row: BrandRow = { ...seen, ...changes, updatedAt, version: seen.version + 1 };
      const audit = auditOf(dependencies, scope, {
        action,
        subject: scope.companyId,
        at: updatedAt,
        detail: { version: row.version, members: members.join(' '), ...detail },
      });
      return ok({
        kind: 'change',
        value: presentBrand(row, config.baseUrl),
        unit: { statements: [statementOf(row)] },
        audit,
      });
    },
  });
}

/** A logo by the name in its public address. */
export async function readLogo(
  dependencies: Pick<ReadingDependencies, 'shards' | 'moveBook' | 'enterShard'>,
  name: string,
): Promise<Result<{ readonly contentType: string; readonly bytes: Uint8Array<ArrayBuffer> }>> {
  const found = await readAtToken(dependencies, name, [logoByName(name)] as const);
  if (!found.ok) return found;
  const [[logo]] = found.value.results;
  if (logo === undefined || logo.contentType === null || logo.base64 === null) return refuse('ROUTE_NOT_FOUND');
  return ok({ contentType: logo.contentType, bytes: fromBase64(logo.base64) });
}
