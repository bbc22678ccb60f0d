import { useEffect, useState } from 'preact/hooks';
import type { ProofKind } from '../contract/proof-state.ts';
import { Field } from '../ui/browser/kit/field.tsx';
import { DIGITS } from '../ui/browser/kit/readers.ts';
import type { CallFailure } from '../ui/browser/service/failure.ts';
import { askedOf, keepAsked, missingOf } from './kept-step.ts';
import { reasonOf } from './lost.tsx';
import { CashFirst, hasCash } from './place.tsx';
import { forgetMedia, type KeptMedia, keepMedia, mediaOf } from './proof-media.ts';
import { Photo } from './proof-photo.tsx';
import { Signature } from './proof-signature.tsx';
import { proofWords } from './proof-words.ts';
import type { Parcel } from './queue.ts';
import { TapButton } from './tap-button.tsx';
import type { DriverWork, Order } from './use-work.ts';
import { words } from './words.ts';

interface ProveProps {
  readonly parcel: Parcel;
  readonly work: Pick<DriverWork, 'driverId' | 'isOffline' | 'act' | 'actNow'>;
}

/** What a delivery has to prove, one step after the other: the photo, the signature, the money, and last the PIN. */
export function Prove({ parcel, work }: ProveProps) {
  const { shipmentId } = parcel;
  const [asked, setAsked] = useState(askedOf(shipmentId));
  const [media, setMedia] = useState<readonly KeptMedia[]>();
  const look = () => void mediaOf(work.driverId, shipmentId).then(setMedia);
  useEffect(look, []);
  if (media === undefined) return null;
  const keep = async (taken: Pick<KeptMedia, 'purpose' | 'content' | 'signedBy'>) => {
    await keepMedia({ driverId: work.driverId, shipmentId, keptMs: Date.now(), ...taken });
    look();
  };
  const kinds = asked ?? parcel.proofRequired ?? [];
  const photo = media.find(({ purpose }) => purpose === 'DELIVERY_PHOTO')?.content;
  const signature = media.find(({ purpose }) => purpose === 'SIGNATURE');
  const needsPhoto = kinds.includes('PHOTO') && photo === undefined;
  const needsSignature = kinds.includes('SIGNATURE') && signature === undefined;
  const signAgain = async () => {
    await forgetMedia((one) => one.shipmentId === shipmentId && one.purpose === 'SIGNATURE');
    look();
  };
  return (
    <div class="proof">
      {kinds.includes('PIN') ? (
        <p>{proofWords.lookFirst}</p>
      ) : parcel.proofRequired?.includes('PIN') === true ? (
        <p>{proofWords.noPinSteps}</p>
      ) : null}
      {needsPhoto || photo !== undefined ? (
        <Photo
          label={proofWords.photo}
          taken={photo}
          onTaken={(content) => void keep({ purpose: 'DELIVERY_PHOTO', content })}
        />
      ) : null}
      {needsPhoto ? null : needsSignature ? (
        <Signature
          shipmentId={shipmentId}
          onSigned={(content, signedBy) => void keep({ purpose: 'SIGNATURE', content, signedBy })}
        />
      ) : (
        <>
          {signature === undefined ? null : (
            <p class="signed">
              <span>
                {proofWords.signatureKept}: <bdi>{signature.signedBy}</bdi>
              </span>
              <TapButton kind="plain" does={`sign again ${shipmentId}`} onTap={() => void signAgain()}>
                {proofWords.signatureClear}
              </TapButton>
            </p>
          )}
          <CashFirst key={parcel.codAmount} parcel={parcel}>
            <HandOver
              parcel={parcel}
              work={work}
              needsPin={kinds.includes('PIN')}
              hasMedia={media.length > 0}
              onAsked={(next) => {
                keepAsked(shipmentId, next);
                setAsked(next);
              }}
            />
          </CashFirst>
        </>
      )}
    </div>
  );
}

interface HandOverProps extends ProveProps {
  readonly needsPin: boolean;
  readonly hasMedia: boolean;
  /** The service asks for other kinds than the parcel says. */
  readonly onAsked: (kinds: readonly ProofKind[]) => void;
}

/** The last step. Only with a PIN it needs the network: a wrong one is known at once, and none is kept on the phone. */
function HandOver({ parcel, work, needsPin, hasMedia, onAsked }: HandOverProps) {
  const { shipmentId, codAmount: amount } = parcel;
  const [pin, setPin] = useState('');
  const [notice, setNotice] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const order: Order = {
    shipmentId,
    action: 'DELIVER',
    ...(hasCash(parcel) ? { collected: { amount, method: 'CASH' } } : {}),
    ...(hasMedia ? { hasMedia } : {}),
  };
  const send = async (given: Pick<Order, 'proof'>) => {
    setIsBusy(true);
    setNotice(undefined);
    const failure = await work.actNow({ ...order, ...given });
    setIsBusy(false);
    if (failure === undefined) return;
    setNotice(noticeOf(failure, given));
    const missing = missingOf(failure);
    if (missing.length > 0 && !missing.includes('PIN')) onAsked(missing);
  };
  const deliver = () => {
    if (!needsPin) work.act(order);
    else if (pin.length === 4) void send({ proof: { pin } });
    else setNotice(proofWords.pinShort);
  };
  const told = notice ?? (needsPin && work.isOffline ? proofWords.pinOffline : undefined);
  return (
    <>
      <p role="alert">{told}</p>
      {needsPin ? <Field label={proofWords.pin} value={pin} onChange={setPin} reads={DIGITS} maxLength={4} /> : null}
      <TapButton kind="primary" does={`DELIVER ${shipmentId}`} isBusy={isBusy} onTap={deliver}>
        {words.DELIVER}
      </TapButton>
      {needsPin ? (
        <TapButton kind="plain" does={`no PIN ${shipmentId}`} isBusy={isBusy} onTap={() => void send({})}>
          {proofWords.noPin}
        </TapButton>
      ) : null}
    </>
  );
}

/** Why a delivery was refused, in words for the door. */
function noticeOf(failure: CallFailure, { proof }: Pick<Order, 'proof'>): string {
  if (failure.code === 'NETWORK') return proofWords.pinOffline;
  if (failure.problem?.['attemptsRemaining'] === 0) return proofWords.noTries;
  if (proof === undefined && missingOf(failure).includes('PIN')) return proofWords.pinReached;
  return reasonOf(failure);
}
