import { isProblem, isRecord } from '../client/problem.ts';
import type { ProofMediaPurpose } from '../contract/proof-state.ts';
import { ACTING_AS, actingAsText } from '../core/acting-as.ts';
import { UPLOAD_BYTES_MAX } from '../core/limits.ts';
import { storedValues } from '../ui/browser/base/stored-values.ts';
import { RestError } from '../ui/browser/service/failure.ts';
import type { QueuedAction } from './queue.ts';
import type { DriverSession } from './session.ts';

/* Pictures and signatures, kept by the browser until the action that names them is done: a parcel is often handed over without network. */

/** A picture that the driver has taken of a parcel. */
export interface KeptMedia {
  readonly driverId: string;
  readonly shipmentId: string;
  readonly purpose: ProofMediaPurpose;
  readonly keptMs: number;
  readonly content: Blob;
  /** Who has signed. */
  readonly signedBy?: string;
  /** Its id at the service, once it is uploaded. */
  readonly mediaAssetId?: string;
}

const { run } = storedValues('driver-proofs', 'media');
/** An action is sent within a shift, or not at all. Pictures show people, so they are not kept longer. */
const KEPT_MS = 24 * 3600 * 1000;
/** A picture takes longer than an action. */
const PATIENCE_MS = 60_000;
/** After this time other actions are sent while the picture goes on. */
const WAIT_MS = 10_000;

/** A newer picture for the same purpose replaces the one before. */
const keyOf = ({ shipmentId, purpose }: Pick<KeptMedia, 'shipmentId' | 'purpose'>) => `${shipmentId} ${purpose}`;

/** Where the browser allows no database, pictures live as long as the page. */
const inMemory = new Map<string, KeptMedia>();

export async function keepMedia(media: KeptMedia): Promise<void> {
  const key = keyOf(media);
  try {
    await run('readwrite', (store) => store.put(media, key));
    inMemory.delete(key);
  } catch {
    inMemory.set(key, media);
  }
}

/** An older version of the page may have stored something else. */
function isKeptMedia(value: unknown): value is KeptMedia {
  return typeof value === 'object' && value !== null && 'purpose' in value && 'content' in value;
}

async function allMedia(): Promise<readonly KeptMedia[]> {
  const stored = await run<unknown[]>('readonly', (store) => store.getAll()).catch(() => []);
  const kept: KeptMedia[] = [];
  for (const one of stored) if (isKeptMedia(one)) kept.push(one);
  return [...kept.filter((media) => !inMemory.has(keyOf(media))), ...inMemory.values()];
}

/** What the driver has taken of a parcel. */
export async function mediaOf(driverId: string, shipmentId: string): Promise<readonly KeptMedia[]> {
  return (await allMedia()).filter((media) => media.driverId === driverId && media.shipmentId === shipmentId);
}

/** Deletes what `isOver` names, and everything that is too old or from the future, by a clock that was set back. */
export async function forgetMedia(isOver: (media: KeptMedia) => boolean): Promise<void> {
  for (const media of await allMedia()) {
    if (!isOver(media) && Math.abs(Date.now() - media.keptMs) < KEPT_MS) continue;
    inMemory.delete(keyOf(media));
    await run('readwrite', (store) => store.delete(keyOf(media))).catch(() => undefined);
  }
}

/** What is on its way. The next try of its action waits for the same upload. */
const uploads = new Map<string, Promise<string>>();

/** Rejects when the upload takes long, and does not end it. */
function uploaded(media: KeptMedia, session: DriverSession): Promise<string> {
  // A new session does not get the answer to an old one.
  const key = `${session.driverToken} ${keyOf(media)} ${media.keptMs}`;
  const ongoing = uploads.get(key) ?? upload(media, session).finally(() => uploads.delete(key));
  uploads.set(key, ongoing);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RestError(undefined)), WAIT_MS);
  });
  return Promise.race([ongoing, late]).finally(() => clearTimeout(timer));
}

/**
 * The action with its proof: uploads what is not uploaded yet. Rejects without an answer in time, so that the action stays in the queue,
 * and with the service's problem.
 */
export async function withProof(action: QueuedAction, session: DriverSession): Promise<Pick<QueuedAction, 'proof'>> {
  const isAttempt = action.action === 'FAIL';
  const taken = await mediaOf(session.driverId, action.shipmentId);
  const named = taken.filter(({ purpose }) => (purpose === 'ATTEMPT_PHOTO') === isAttempt);
  const mediaAssetIds: string[] = [];
  for (const media of named) mediaAssetIds.push(await uploaded(media, session));
  const signedBy = named.find((media) => media.signedBy !== undefined)?.signedBy;
  const proof = {
    ...action.proof,
    ...(mediaAssetIds.length === 0 ? {} : { mediaAssetIds }),
    ...(signedBy === undefined ? {} : { signedBy }),
  };
  return Object.keys(proof).length === 0 ? {} : { proof };
}

/** The same picture again gets the first answer, so a lost one does no harm. */
async function upload(media: KeptMedia, { driverToken, driverId }: DriverSession): Promise<string> {
  if (media.mediaAssetId !== undefined) return media.mediaAssetId;
  const { shipmentId, purpose, content, keptMs } = media;
  const response = await fetch(`/v2/driver/shipments/${shipmentId}/proof-media?purpose=${purpose}`, {
    method: 'POST',
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${driverToken}`,
      'content-type': content.type,
      [ACTING_AS]: actingAsText({ id: driverId, companyId: null }),
    },
    body: content,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const mediaAssetId = isRecord(answer) ? answer['mediaAssetId'] : undefined;
  // A captive portal may answer in place of the service, often with 200.
  if (!response.ok || typeof mediaAssetId !== 'string') throw new RestError(isProblem(answer) ? answer : undefined);
  // The driver may have replaced or dropped it meanwhile.
  const isKept = (await mediaOf(driverId, shipmentId)).some(
    (other) => keyOf(other) === keyOf(media) && other.keptMs === keptMs,
  );
  if (isKept) await keepMedia({ ...media, mediaAssetId });
  return mediaAssetId;
}

/** Large enough to read a door number, and far below the limit of an upload in most pictures. */
const SIDES = [1600, 1200, 800] as const;
const QUALITIES = [0.8, 0.6, 0.4] as const;

/** The picture as a JPEG that the service takes. Undefined if the browser cannot read it. */
export async function smallerPicture(file: Blob): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (picture === undefined) return undefined;
  try {
    for (const [index, side] of SIDES.entries()) {
      const scale = Math.min(1, side / Math.max(picture.width, picture.height));
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.round(picture.width * scale));
      canvas.height = Math.max(1, Math.round(picture.height * scale));
      canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
      const jpeg = await contentOf(canvas, 'image/jpeg', QUALITIES[index]);
      if (jpeg !== undefined && jpeg.size < UPLOAD_BYTES_MAX) return jpeg;
    }
    return undefined;
  } finally {
    picture.close();
  }
}

/** What a canvas shows, as a file. */
export async function contentOf(
  canvas: HTMLCanvasElement,
  type: 'image/jpeg' | 'image/png',
  quality?: number,
): Promise<Blob | undefined> {
  const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  return content ?? undefined;
}
