import type { Database } from '../../../db/database.ts';
import type { CommitRequest, Writer } from '../../../db/writer.ts';
import { tokenHashOf } from '../../access/authenticate.ts';
import type { CompanyScope } from '../../access/require.ts';
import { newTrackingToken } from '../../access/tracking-token.ts';
import type { LinkPermission } from '../../contract/recipient-state.ts';
import { isTerminal } from '../../contract/shipment-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import type { Locale } from '../../core/locale.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type Audit, auditOf, changeVersioned } from '../audit/change.ts';
import type { CompanyNames } from '../companies/company.ts';
import { type AnswerSeal, type Bind, unbound } from '../idempotency/once.ts';
import { factEvent } from '../shipments/fact.ts';
import { type ShipmentRow, shipmentById } from '../shipments/store.ts';
import {
  activeLinks,
  linkAs,
  linkById,
  linkInsert,
  linkRevocation,
  shipmentGuard,
  type TrackingLinkRow,
} from './store.ts';
import { presentLink } from './view.ts';

/*
 * Links do not change a shipment's state or version. Each change of a link is one unit with its event. The unit is
 * refused if the shipment has changed since it was read, so that the event shows the current shipment.
 */

interface LinkDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly config: { readonly deployment: Deployment };
}

export interface CreateLinkDependencies extends LinkDependencies {
  readonly endpointSecrets: AnswerSeal;
  readonly directory: { readonly database: Database };
  readonly companyNames: CompanyNames;
}

export interface LinkOrder {
  readonly shipmentId: Uuid;
  readonly expiresInSeconds: number;
  readonly locale?: Locale | undefined;
  readonly label?: string | undefined;
  readonly permissions?: readonly LinkPermission[] | undefined;
  readonly correlationId: Uuid;
}

/** Active links of one shipment. Each gives access, so forgotten links must stay few. */
export const ACTIVE_MAX = 10;

export interface NewLink {
  readonly row: TrackingLinkRow;
  readonly token: string;
}

/** Creates a link. Its token is stored as a hash, and encrypted for the merchant. */
export async function createLink(
  dependencies: CreateLinkDependencies,
  scope: CompanyScope,
  order: LinkOrder,
  bind: Bind<NewLink> = unbound,
): Promise<Result<NewLink>> {
  const { database, random, clock, endpointSecrets } = dependencies;
  const [id, token] = [random.uuid(), newTrackingToken(scope.shard, random)];
  const tokenHash = await tokenHashOf(token);
  const sealedToken = await endpointSecrets.seal(id, token);
  return changeVersioned(dependencies, {
    read: async () => {
      const now = clock.now();
      const reads = [shipmentById(scope, order.shipmentId), activeLinks(scope, order.shipmentId, now)] as const;
      const found = await database.readAll(reads);
      if (!found.ok) return unavailable();
      const [[shipment], active] = found.results;
      return shipment === undefined ? refuse('ACCESS_DENIED') : ok({ shipment, active, now });
    },
    decide: async ({ shipment, active, now }) => {
      const { state } = shipment;
      if (isTerminal(state)) return refuse('SHIPMENT_TERMINAL', { members: { currentState: state } });
      if (active.length >= ACTIVE_MAX) return refuse('TRACKING_LINK_LIMIT_REACHED');
      const merchantName = await dependencies.companyNames.nameOf(dependencies.directory.database, scope);
      if (merchantName === undefined) return unavailable();
      const row = draftLink(scope, order, { id, tokenHash, sealedToken, merchantName, now });
      const change = { statement: linkInsert(scope, row, ACTIVE_MAX), type: 'tracking_link.created', now } as const;
      const value = { row, token };
      const unit = await bind(unitWithEvent(dependencies, scope, { ...change, shipment, link: row, order }), value);
      const committed = linkAs(scope, row);
      const audit = auditOfLink(dependencies, scope, change, row);
      return ok({ kind: 'change', value, unit, committed, audit });
    },
  });
}

interface Draft extends Pick<TrackingLinkRow, 'id' | 'tokenHash' | 'sealedToken' | 'merchantName'> {
  readonly now: Instant;
}

function draftLink(
  { companyId }: CompanyScope,
  { shipmentId, expiresInSeconds, locale, label, permissions = [] }: LinkOrder,
  { id, tokenHash, sealedToken, merchantName, now }: Draft,
): TrackingLinkRow {
  return {
    id,
    tokenHash,
    shipmentId,
    companyId,
    merchantName,
    locale: locale ?? null,
    label: label ?? null,
    createdAt: now,
    expiresAt: addSeconds(now, expiresInSeconds),
    revokedAt: null,
    viewCount: 0,
    lastViewedAt: null,
    version: 0,
    sealedToken,
    permissions: JSON.stringify(permissions),
  };
}

export interface RevocationOrder {
  readonly shipmentId: Uuid;
  readonly linkId: Uuid;
  readonly precondition: Precondition;
  readonly correlationId: Uuid;
}

/** Revokes a link. The precondition may have the version of the link or of the shipment. A revoked link needs none that fits. */
export async function revokeLink(
  dependencies: LinkDependencies,
  scope: CompanyScope,
  order: RevocationOrder,
): Promise<Result<void>> {
  const { shipmentId, linkId, precondition } = order;
  const { database, clock } = dependencies;
  return changeVersioned<SeenLink, void>(dependencies, {
    read: async () => {
      const reads = [shipmentById(scope, shipmentId), linkById(scope, shipmentId, linkId)] as const;
      const found = await database.readAll(reads);
      if (!found.ok) return unavailable();
      const [[shipment], [link]] = found.results;
      if (shipment === undefined) return refuse('ACCESS_DENIED');
      return link === undefined ? refuse('RESOURCE_NOT_FOUND') : ok({ shipment, link });
    },
    decide: ({ shipment, link }) => {
      if (link.revokedAt !== null) return ok({ kind: 'unchanged', value: undefined });
      const mismatch = checkPrecondition(precondition, link.version);
      if (mismatch !== undefined && checkPrecondition(precondition, shipment.version) !== undefined) return mismatch;
      const now = clock.now();
      const change = { statement: linkRevocation(scope, link, now), type: 'tracking_link.revoked', now } as const;
      const revoked = { ...link, revokedAt: now, version: link.version + 1, sealedToken: null };
      const unit = unitWithEvent(dependencies, scope, { ...change, shipment, link: revoked, order });
      const audit = auditOfLink(dependencies, scope, change, link);
      return ok({ kind: 'change', value: undefined, unit, committed: linkAs(scope, revoked), audit });
    },
  });
}

function auditOfLink(
  dependencies: LinkDependencies,
  scope: CompanyScope,
  { type: action, now: at }: Pick<LinkChange, 'type' | 'now'>,
  { id, shipmentId }: TrackingLinkRow,
): Audit {
  return auditOf(dependencies, scope, { action, subject: id, at, detail: { shipmentId } });
}

interface SeenLink {
  readonly shipment: ShipmentRow;
  readonly link: TrackingLinkRow;
}

interface LinkChange extends SeenLink {
  readonly statement: ReturnType<typeof linkInsert>;
  readonly type: 'tracking_link.created' | 'tracking_link.revoked';
  readonly order: { readonly correlationId: Uuid };
  readonly now: Instant;
}

/** Commits a change with its event. SQL refuses it if the shipment or the link has changed, or if there is no room. */
function unitWithEvent(
  dependencies: LinkDependencies,
  scope: CompanyScope,
  { statement, type, shipment, link, order, now }: LinkChange,
): CommitRequest {
  const recorded = factEvent(dependencies, shipment, {
    type,
    occurredAt: now,
    correlationId: order.correlationId,
    data: { trackingLink: presentLink(link, now) },
  });
  const guard = shipmentGuard(scope, shipment.id, shipment.version);
  return { statements: [guard, statement, ...recorded] };
}
