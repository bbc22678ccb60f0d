import type { RecipientCase } from '../../../contract/case.ts';
import type { RecipientChallenge, RecipientDelivery } from '../../../contract/recipient.ts';
import type { StreetPaths } from '../../../contract/streets.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';
import type { DoorSketch } from '../../../domain/recipients/door.ts';
import type { Place } from '../tracking/frame.tsx';

/* What the recipient's page shows. */

/** A place that the recipient may mean. */
export interface Proposal {
  readonly title: string;
  readonly addressLine: string;
  /** Of the National Address there, if it is known. */
  readonly shortAddress: string | null;
  readonly latitude: string;
  readonly longitude: string;
}

/** What has just happened, to be said at the top. */
export interface News {
  readonly text: string;
  readonly isTrouble: boolean;
}

export interface Shown extends Place {
  readonly merchantName: string;
  /** The address of the tracking page. */
  readonly trackingPath: string;
  readonly news: News | undefined;
}

export interface SignInShown extends Shown {
  readonly challenge: RecipientChallenge | undefined;
}

/** A delivery with photos, as its recipient sees it. */
export interface HandedOver {
  readonly at: Instant;
  readonly photoIds: readonly Uuid[];
}

export interface DeliveryShown extends Shown {
  readonly delivery: RecipientDelivery;
  readonly complaints: readonly RecipientCase[];
  /** Undefined unless it was delivered and the link allows to see the photo. */
  readonly handedOver: HandedOver | undefined;
  /** The delivery has ended: there is nothing to change any more. */
  readonly isOver: boolean;
  readonly sketch: DoorSketch;
  readonly streets: StreetPaths | undefined;
  /** What a search has found; undefined if nothing was searched. */
  readonly proposals: readonly Proposal[] | undefined;
}

/** Of the parts of the page. */
export interface PartProps {
  readonly shown: DeliveryShown;
}
