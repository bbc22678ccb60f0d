import { addTo, type Ledger } from '../ledger.ts';
import type { CommittedUnit, Values } from '../watched-rows.ts';
import { hold, object } from './objection.ts';

const ACTIVE_MAX = 10;
const ENDED: readonly (string | undefined)[] = ['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'];

export function checkLinks(unit: CommittedUnit, ledger: Ledger): void {
  const changes = unit.of('link_changed');
  for (const made of unit.of('link')) learnLink(made, unit, ledger);
  for (const change of changes) {
    const link = ledger.links.get(change.text(1));
    if (link === undefined) return object('link', `${change.text(1)} was changed before it was made`);
    const isRevoked = change.numberOrNull(3) !== link.revokedAt;
    const version = link.version + (isRevoked ? 1 : 0);
    hold(link.revokedAt === null || !isRevoked, 'link', () => `${link.id} was revoked twice, or is active again`);
    hold(change.number(5) === version, 'link', () => `${link.id} has version ${change.number(5)}`);
    hold(change.number(7) >= link.views, 'link', () => `${link.id} was looked at ${link.views} times, then fewer`);
    hold(change.number(9) === link.expiresAt, 'link', () => `${link.id} lasts for another time`);
    if (isRevoked) requireEvent(unit, 'tracking_link.revoked', link.shipmentId);
    Object.assign(link, { revokedAt: change.numberOrNull(3), version, views: change.number(7) });
  }
}

function learnLink(made: Values, unit: CommittedUnit, ledger: Ledger): void {
  const [id, shipmentId, companyId, expiresAt] = [made.text(1), made.text(2), made.text(3), made.number(4)];
  const others = ledger.linksOf.get(shipmentId) ?? [];
  const active = others.filter((link) => link.revokedAt === null && link.expiresAt > made.number(7));
  hold(active.length < ACTIVE_MAX, 'link', () => `${shipmentId} has ${active.length + 1} active links`);
  hold(made.numberOrNull(5) === null && made.number(6) === 0, 'link', () => `${id} begins revoked, or changed`);
  const shipment = ledger.shipment(shipmentId);
  hold(shipment?.companyId === companyId, 'tenancy', () => `${id} is of ${companyId}, its shipment is not`);
  hold(!ENDED.includes(shipment?.states.at(-1)), 'link', () => `${id} was made for a shipment that is over`);
  requireEvent(unit, 'tracking_link.created', shipmentId);
  const link = { id, shipmentId, companyId, expiresAt, revokedAt: null, version: 0, views: 0 };
  ledger.links.set(id, link);
  addTo(ledger.linksOf, shipmentId, link);
}

function requireEvent(unit: CommittedUnit, type: string, shipmentId: string): void {
  const told = unit.of('event').filter((event) => event.text(4) === type && event.textOrNull(5) === shipmentId);
  hold(told.length === 1, 'event', () => `${type} of ${shipmentId} was told ${told.length} times`);
}
