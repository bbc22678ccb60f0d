import { eq, sql } from 'drizzle-orm';
import { trackingBrands } from '../../../db/shard/schema/tracking-brands.ts';
import { columnsOf, placeholder, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';

/* The SQL of what recipients see of a company. */

const { companyId: _company, logo: _logo, logoType: _type, ...brandColumns } = columnsOf(trackingBrands);
const selectBrand = read(brandColumns, (columns) =>
  queries
    .select(columns)
    .from(trackingBrands)
    .where(eq(trackingBrands.companyId, placeholder('companyId'))),
);
export type BrandRow = ReturnType<ReturnType<typeof selectBrand>['decode']>;
/** The brand of the company without the bytes of its logo. No row before the first change. */
export function brandOfCompany(scope: CompanyScope) {
  return selectBrand({ companyId: scope.companyId });
}

/** The row still has the version that was read; a new row has version 1. */
const isNext = sql`${trackingBrands.version} = excluded.version - 1`;
const next = { version: sql`excluded.version`, updatedAt: sql`excluded.updated_at` };
const change = {
  companyId: placeholder('companyId'),
  version: placeholder('version'),
  updatedAt: placeholder('updatedAt'),
};

const upsertContact = write(
  queries
    .insert(trackingBrands)
    .values({
      ...change,
      phone: placeholder('phone'),
      whatsApp: placeholder('whatsApp'),
      showsContact: placeholder('showsContact'),
    })
    .onConflictDoUpdate({
      target: trackingBrands.companyId,
      set: {
        ...next,
        phone: sql`excluded.phone`,
        whatsApp: sql`excluded.whats_app`,
        showsContact: sql`excluded.shows_contact`,
      },
      setWhere: isNext,
    }),
  { mustChange: true },
);
/** The new contact. If another change was first, the unit is refused. */
export function contactUpsert(
  scope: CompanyScope,
  { version, updatedAt, phone, whatsApp, showsContact }: Omit<BrandRow, 'logoName' | 'logoWidth' | 'logoHeight'>,
) {
  return upsertContact({ companyId: scope.companyId, version, updatedAt, phone, whatsApp, showsContact });
}

const upsertLogo = write(
  queries
    .insert(trackingBrands)
    .values({
      ...change,
      showsContact: sql`0`,
      logoName: placeholder('logoName'),
      logoType: placeholder('logoType'),
      logoWidth: placeholder('logoWidth'),
      logoHeight: placeholder('logoHeight'),
      logo: placeholder('logo'),
    })
    .onConflictDoUpdate({
      target: trackingBrands.companyId,
      set: {
        ...next,
        logoName: sql`excluded.logo_name`,
        logoType: sql`excluded.logo_type`,
        logoWidth: sql`excluded.logo_width`,
        logoHeight: sql`excluded.logo_height`,
        logo: sql`excluded.logo`,
      },
      setWhere: isNext,
    }),
  { mustChange: true },
);
export type LogoRow = Pick<
  typeof trackingBrands.$inferSelect,
  'version' | 'updatedAt' | 'logoName' | 'logoType' | 'logoWidth' | 'logoHeight' | 'logo'
>;
/** The new logo, or none. If another change was first, the unit is refused. */
export function logoUpsert(scope: CompanyScope, row: LogoRow) {
  return upsertLogo({ companyId: scope.companyId, ...row });
}

const logoColumns = { contentType: trackingBrands.logoType, base64: trackingBrands.logo };
const selectLogo = read(logoColumns, (columns) =>
  queries
    .select(columns)
    .from(trackingBrands)
    .where(eq(trackingBrands.logoName, placeholder('logoName'))),
);
/** The picture with this public name. */
export function logoByName(logoName: string) {
  return selectLogo({ logoName });
}
