import type { Uuid } from '../../core/uuid.ts';
import type { FirstLease } from '../../core/webhook-terms.ts';

/** The version of the endpoint that was read, a space and a UUID: of the claim, or of the holder of a first lease. */
export type LeaseToken = `${number} ${Uuid}`;

export function leaseTokenOf(version: number, holder: Uuid): LeaseToken {
  return `${version} ${holder}`;
}

/** Whether a delivery still has the lease that it began with, and this process is its holder. */
export function isOwnLease(token: string | null, firstLease: FirstLease | undefined): boolean {
  return firstLease !== undefined && token?.split(' ')[1] === firstLease.holder;
}

/** A delivery that is due and that no queue sends. */
export interface NextDelivery {
  readonly position: number;
  /** It began with a lease of this process that still holds, so it needs no other. */
  readonly isLeased: boolean;
}
