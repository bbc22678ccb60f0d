import { type Objection, unless } from './promises.ts';

interface LinkSnapshot {
  readonly version: number;
  readonly isRevoked: boolean;
}

/** The creation of a tracking link, its revocation, or a change that is neither. */
export function linkRules(change: {
  readonly linkId: string;
  readonly shipmentId: string;
  /** Undefined for a creation. */
  readonly before: LinkSnapshot | undefined;
  readonly after: LinkSnapshot;
  /** Types of the events that came with it. */
  readonly events: readonly string[];
}): Objection[] {
  const { linkId, shipmentId, before, after, events } = change;
  const isRevocation = before?.isRevoked === false && after.isRevoked;
  const versionDue = before === undefined ? 0 : before.version + (isRevocation ? 1 : 0);
  const eventsDue = before === undefined ? 'tracking_link.created' : isRevocation ? 'tracking_link.revoked' : '';
  const isRevokedRightly = after.isRevoked === (isRevocation || before?.isRevoked === true);
  const holds = isRevokedRightly && after.version === versionDue && events.join() === eventsDue;
  const detail = () =>
    `${linkId} at version ${after.version}${after.isRevoked ? ', revoked,' : ''} has the events ${events.join()}`;
  return unless(holds, 'link', detail, shipmentId);
}

/** An ended link must not open, and an active link must open. Links that may be either are not judged. */
export function lookRules(look: {
  readonly name: string;
  readonly linkId: string;
  readonly isOpened: boolean;
  readonly wasOver: boolean;
  readonly wasActive: boolean;
  readonly shipmentId?: string | undefined;
}): Objection[] {
  const { name, linkId, isOpened, wasOver, wasActive, shipmentId } = look;
  return [
    ...unless(!(isOpened && wasOver), 'link', () => `${name} opened ${linkId} after its end`, shipmentId),
    ...unless(isOpened || !wasActive, 'link', () => `${name} found ${linkId} closed while it was active`, shipmentId),
  ];
}
