import { linkRules } from '../../rules/links.ts';
import { ownerRules } from '../../rules/requests.ts';
import { addTo, type Ledger } from './ledger.ts';
import { hold, object, requireNone } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

const ACTIVE_MAX = 10;
const ENDED: readonly (string | undefined)[] = ['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'];

export function checkLinks(unit: CommittedUnit, ledger: Ledger): void {
  for (const made of unit.of('link')) learnLink(made, unit, ledger);
  for (const change of unit.of('link_changed')) {
    const link = ledger.links.get(change.text(1));
    if (link === undefined) return object('link', `${change.text(1)} was changed before it was created`);
    const { id: linkId, shipmentId } = link;
    const before = { version: link.version, isRevoked: link.revokedAt !== null };
    const isAgain = link.revokedAt !== null && change.numberOrNull(3) !== link.revokedAt;
    hold(!isAgain, 'link', () => `${linkId} was revoked twice`);
    const after = { version: change.number(5), isRevoked: change.numberOrNull(3) !== null };
    const isRevocation = after.isRevoked && !before.isRevoked;
    const events = isRevocation ? eventsOf(unit, 'tracking_link.revoked', linkId) : [];
    requireNone(linkRules({ linkId, shipmentId, before, after, events }));
    hold(change.number(7) >= link.views, 'link', () => `${linkId} lost views: it had ${link.views}`);
    hold(change.number(9) === link.expiresAt, 'link', () => `the expiry of ${linkId} changed`);
    Object.assign(link, { revokedAt: change.numberOrNull(3), version: after.version, views: change.number(7) });
  }
}

/** Ratings, and the events that tell them. */
export function checkRatings(unit: CommittedUnit, ledger: Ledger): void {
  const told = unit.of('event').filter((event) => event.text(4) === 'shipment.rated');
  const ratings = unit.of('rating');
  for (const rating of ratings) {
    const [shipmentId, companyId, stars, eventId] = [rating.text(1), rating.text(2), rating.number(3), rating.text(4)];
    const shipment = ledger.shipment(shipmentId);
    const name = `the rating of ${shipmentId}`;
    requireNone(ownerRules({ name, thing: shipmentId, owner: shipment?.companyId, companyId }));
    hold(
      shipment?.states.at(-1) === 'DELIVERED',
      'rating',
      () => `${name} came when it was ${shipment?.states.at(-1)}`,
    );
    hold(!ledger.rated.has(shipmentId), 'rating', () => `${name} is a second one`);
    hold(stars >= 1 && stars <= 5, 'rating', () => `${name} has ${stars} stars`);
    const events = told.filter((event) => event.text(2) === eventId && event.textOrNull(5) === shipmentId);
    const isTold = events.length === 1 && events[0]?.text(7).includes(`"rating":{"stars":${stars},`) === true;
    hold(isTold, 'rating', () => `${name} has ${events.length} events, or another one`);
    ledger.rated.add(shipmentId);
    ledger.see('a rating');
  }
  hold(told.length === ratings.length, 'rating', () => `${told.length} events tell ${ratings.length} ratings`);
}

function learnLink(made: Values, unit: CommittedUnit, ledger: Ledger): void {
  const [id, shipmentId, companyId, expiresAt] = [made.text(1), made.text(2), made.text(3), made.number(4)];
  const others = ledger.linksOf.get(shipmentId) ?? [];
  const active = others.filter((link) => link.revokedAt === null && link.expiresAt > made.number(7));
  hold(active.length < ACTIVE_MAX, 'link', () => `${shipmentId} has ${active.length + 1} active links`);
  const after = { version: made.number(6), isRevoked: made.numberOrNull(5) !== null };
  const events = eventsOf(unit, 'tracking_link.created', id);
  requireNone(linkRules({ linkId: id, shipmentId, before: undefined, after, events }));
  const shipment = ledger.shipment(shipmentId);
  requireNone(ownerRules({ name: `link ${id}`, thing: shipmentId, owner: shipment?.companyId, companyId }));
  hold(!ENDED.includes(shipment?.states.at(-1)), 'link', () => `${id} was created for a shipment that had ended`);
  const link = { id, shipmentId, companyId, expiresAt, revokedAt: null, version: 0, views: 0 };
  ledger.links.set(id, link);
  addTo(ledger.linksOf, shipmentId, link);
}

/** The types of the unit's events of one type that name the link. */
function eventsOf(unit: CommittedUnit, type: string, linkId: string): string[] {
  return unit.of('event').flatMap((event) => {
    const isOfLink = event.text(4) === type && event.text(7).includes(`"linkId":"${linkId}"`);
    return isOfLink ? [type] : [];
  });
}
