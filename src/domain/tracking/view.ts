import type { LinkPermission } from '../../contract/recipient-state.ts';
import type { TrackingBrand } from '../../contract/tracking-brand.ts';
import type { TrackingLink } from '../../contract/tracking-link.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { locationOf } from '../shipments/view.ts';
import type { TrackingLinkRow } from './store.ts';

/** A link as its merchant sees it now. */
export function presentLink(row: TrackingLinkRow, now: Instant): TrackingLink {
  return {
    linkId: row.id,
    state: stateOf(row, now),
    locale: row.locale,
    label: row.label,
    permissions: parseStored<LinkPermission[]>(row.permissions),
    createdAt: formatInstant(row.createdAt),
    expiresAt: formatInstant(row.expiresAt),
    revokedAt: row.revokedAt === null ? null : formatInstant(row.revokedAt),
    viewCount: row.viewCount,
    lastViewedAt: row.lastViewedAt === null ? null : formatInstant(row.lastViewedAt),
    version: row.version,
  };
}

export function stateOf({ revokedAt, expiresAt }: TrackingLinkRow, now: Instant): TrackingLink['state'] {
  if (revokedAt !== null) return 'REVOKED';
  return expiresAt > now ? 'ACTIVE' : 'EXPIRED';
}

/** The path of a link. */
export function linkLocationOf(shipmentId: string, linkId: string): string {
  return `${locationOf(shipmentId)}/tracking-links/${linkId}`;
}

/** The columns of a company's logo; all null without one. */
export interface LogoColumns {
  readonly logoName: string | null;
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
}

/** A company's logo at its public address. */
export function shownLogoOf(
  { logoName, logoWidth: width, logoHeight: height }: LogoColumns,
  baseUrl: string,
): TrackingBrand['logo'] {
  if (logoName === null || width === null || height === null) return null;
  return { url: `${baseUrl}/logos/${logoName}`, width, height };
}
