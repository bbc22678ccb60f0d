import { linkRules, lookRules } from '../../rules/links.ts';
import { type Objection, unless } from '../../rules/promises.ts';
import { memberOf, type RecordedCall } from '../load/history.ts';
import { nameOf } from './creation-rules.ts';
import type { CaseFile } from './evidence.ts';

/** Tracking links: created, opened and revoked. */
export function trackingRules(file: CaseFile): Objection[] {
  const made = file.calls.filter(({ operation, outcome }) => operation === 'link' && outcome === 'ok');
  const revoked = file.calls.filter(({ operation, outcome }) => operation === 'revoke' && outcome === 'ok');
  return [
    ...made.flatMap((call) => madeRules(file, call)),
    ...revoked.flatMap((call) => revokedRules(file, call)),
    ...file.rows.links.flatMap((row) => lifeRules(file, row)),
    ...followRules(file, made, revoked),
    ...watchRules(file),
  ];
}

/** A link's row, taken apart into its creation and its revocation. */
function lifeRules(file: CaseFile, row: CaseFile['rows']['links'][number]): Objection[] {
  const { id: linkId, shipment_id: shipmentId, version } = row;
  const events = file.rows.events.filter(({ link_id: link }) => link === linkId).map(({ type }) => type);
  const isRevoked = row.revoked_at !== null;
  const created = { version: isRevoked ? version - 1 : version, isRevoked: false };
  const ofCreation = isRevoked ? events.slice(0, 1) : events;
  const after = { version, isRevoked: true };
  return [
    ...linkRules({ linkId, shipmentId, before: undefined, after: created, events: ofCreation }),
    ...(isRevoked ? linkRules({ linkId, shipmentId, before: created, after, events: events.slice(1) }) : []),
  ];
}

function madeRules(file: CaseFile, call: RecordedCall): Objection[] {
  const linkId = memberOf(call.answer, 'linkId');
  const row = file.rows.links.find(({ id }) => id === linkId);
  const [event] = file.of(call);
  const holds =
    row?.shipment_id === call.shipmentId && event?.type === 'tracking_link.created' && event.link_id === linkId;
  return unless(holds, 'acknowledged', () => `${nameOf(call)} was answered with ${linkId}`, call.shipmentId);
}

function revokedRules(file: CaseFile, call: RecordedCall): Objection[] {
  const row = file.rows.links.find(({ id }) => id === call.linkId);
  const holds = row !== undefined && row.revoked_at !== null;
  return unless(
    holds,
    'acknowledged',
    () => `${nameOf(call)} revoked ${call.linkId}, which stands as before`,
    call.shipmentId,
  );
}

/** A page may show a later change than was acknowledged, never an earlier one. Only a page without its link shows nothing. */
function watchRules(file: CaseFile): Objection[] {
  return file.watched.flatMap(({ linkId, shipmentId, state, askedAt }) => {
    const isRevoked = file.rows.links.some(({ id, revoked_at: revokedAt }) => id === linkId && revokedAt !== null);
    const before = file.told.filter(({ shipmentId: id, call }) => id === shipmentId && call.endedAt < askedAt);
    const versionMin = Math.max(0, ...before.map(({ version }) => version));
    const states = (file.steps.get(shipmentId) ?? []).slice(versionMin).map((step) => step.state);
    const holds = state === undefined ? isRevoked : states.includes(state) && !isRevoked;
    const detail = () => `the page of ${linkId} shows ${state}; since version ${versionMin} it was ${states.join()}`;
    return unless(holds, 'watched', detail, shipmentId);
  });
}

/** A link opens for requests after its creation was acknowledged and before its revocation was requested. */
function followRules(file: CaseFile, made: readonly RecordedCall[], revoked: readonly RecordedCall[]): Objection[] {
  const endOf = new Map<string | undefined, number>();
  for (const { linkId, endedAt } of revoked) endOf.set(linkId, Math.min(endedAt, endOf.get(linkId) ?? endedAt));
  const askedToEnd = new Map<string | undefined, number>();
  for (const { operation, linkId, askedAt } of file.calls) {
    if (operation === 'revoke') askedToEnd.set(linkId, Math.min(askedAt, askedToEnd.get(linkId) ?? askedAt));
  }
  const madeAt = new Map(made.map((call) => [memberOf(call.answer, 'linkId'), call.endedAt]));
  return file.calls.flatMap((call) => {
    if (call.operation !== 'follow' || call.outcome === 'unknown') return [];
    const { linkId, askedAt, endedAt, outcome, shipmentId } = call;
    const wasOver = askedAt > (endOf.get(linkId) ?? Number.POSITIVE_INFINITY);
    const wasActive =
      askedAt > (madeAt.get(linkId) ?? Number.POSITIVE_INFINITY) &&
      endedAt < (askedToEnd.get(linkId) ?? Number.POSITIVE_INFINITY);
    const isOpened = outcome === 'ok';
    return lookRules({ name: nameOf(call), linkId: linkId ?? '', isOpened, wasOver, wasActive, shipmentId });
  });
}
