import type { FirstLease, LeaseHolder } from '../../core/webhook-terms.ts';

/** The version of the endpoint that was read, a space, and the UUID of a claim or the holder of a first lease. */
export type LeaseToken = `${number} ${string}`;

export function leaseTokenOf(version: number, name: LeaseHolder): LeaseToken {
  return `${version} ${name}`;
}

/** Whether a delivery still has the lease that it began with, and this process is its holder. */
export function hasOwnFirstLease(token: string | null, firstLease: FirstLease | undefined): boolean {
  return firstLease !== undefined && token?.split(' ')[1] === firstLease.holder;
}

/** A delivery that is due and that no queue sends. */
export interface NextDelivery {
  readonly position: number;
  /** False if the lease that it began with still holds and is this process's own. */
  readonly needsClaim: boolean;
}
