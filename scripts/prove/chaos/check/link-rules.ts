import { type Call, memberOf } from '../load/history.ts';
import { nameOf } from './creation-rules.ts';
import type { CaseFile } from './evidence.ts';
import { type Objection, unless } from './rules.ts';

/** Tracking links: made, looked at and revoked. */
export function linkRules(file: CaseFile): Objection[] {
  const made = file.calls.filter(({ operation, outcome }) => operation === 'link' && outcome === 'ok');
  const revoked = file.calls.filter(({ operation, outcome }) => operation === 'revoke' && outcome === 'ok');
  return [
    ...made.flatMap((call) => madeRules(file, call)),
    ...revoked.flatMap((call) => revokedRules(file, call)),
    ...file.rows.links.flatMap(({ id, shipment_id: shipmentId, revoked_at: revokedAt, version }) => {
      const told = file.rows.events.filter(({ link_id: link }) => link === id).map(({ type }) => type);
      const expected = ['tracking_link.created', ...(revokedAt === null ? [] : ['tracking_link.revoked'])];
      const holds = told.join() === expected.join() && version === expected.length - 1;
      return unless(holds, 'link', () => `${id} at version ${version} has the events ${told.join()}`, shipmentId);
    }),
    ...followRules(file, made, revoked),
  ];
}

function madeRules(file: CaseFile, call: Call): Objection[] {
  const linkId = memberOf(call.answer, 'linkId');
  const row = file.rows.links.find(({ id }) => id === linkId);
  const [event] = file.of(call);
  const holds =
    row?.shipment_id === call.shipmentId && event?.type === 'tracking_link.created' && event.link_id === linkId;
  return unless(holds, 'acknowledged', () => `${nameOf(call)} was answered with ${linkId}`, call.shipmentId);
}

function revokedRules(file: CaseFile, call: Call): Objection[] {
  const row = file.rows.links.find(({ id }) => id === call.linkId);
  const holds = row !== undefined && row.revoked_at !== null;
  return unless(
    holds,
    'acknowledged',
    () => `${nameOf(call)} revoked ${call.linkId}, which stands as before`,
    call.shipmentId,
  );
}

/** Opens for whoever asks after its making was acknowledged and before anybody asked for its end. */
function followRules(file: CaseFile, made: readonly Call[], revoked: readonly Call[]): Objection[] {
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
    const isOver = askedAt > (endOf.get(linkId) ?? Number.POSITIVE_INFINITY);
    const isOpen =
      askedAt > (madeAt.get(linkId) ?? Number.POSITIVE_INFINITY) &&
      endedAt < (askedToEnd.get(linkId) ?? Number.POSITIVE_INFINITY);
    return [
      ...unless(
        !(isOver && outcome === 'ok'),
        'link',
        () => `${nameOf(call)} opened ${linkId} after its revocation`,
        shipmentId,
      ),
      ...unless(
        !(isOpen && outcome === 'refused'),
        'link',
        () => `${nameOf(call)} found ${linkId} closed that nobody revoked`,
        shipmentId,
      ),
    ];
  });
}
