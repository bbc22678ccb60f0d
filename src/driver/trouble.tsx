import { useEffect, useState } from 'preact/hooks';
import type { FailureReason } from '../contract/shipment-state.ts';
import { locale } from '../ui/browser/base/locale.ts';
import { failureReasons } from '../ui/browser/driver-actions.ts';
import { FAILURE_WORDS } from '../ui/failure-words.ts';
import { keepStep, readStep } from './kept-step.ts';
import { keepMedia, mediaOf } from './proof-media.ts';
import { Photo } from './proof-photo.tsx';
import { proofWords } from './proof-words.ts';
import type { Task } from './queue.ts';
import { TapButton } from './tap-button.tsx';
import type { DriverWork } from './use-work.ts';
import { words } from './words.ts';

interface TroubleProps {
  readonly task: Task;
  readonly work: Pick<DriverWork, 'act' | 'driverId'>;
}

/** Before the pickup the parcel goes back to dispatch, afterwards the delivery fails for a reason that the driver chooses. */
export function Trouble({ task: { parcel, state }, work: { act, driverId } }: TroubleProps) {
  const { shipmentId } = parcel;
  const [reasonCode, setReason] = useState<FailureReason | undefined>(readStep().reasonCode);
  const [photo, setPhoto] = useState<Blob>();
  useEffect(() => {
    const find = async () => {
      const taken = await mediaOf(driverId, shipmentId);
      setPhoto(taken.find(({ purpose }) => purpose === 'ATTEMPT_PHOTO')?.content);
    };
    void find();
  }, []);
  const keepPhoto = async (content: Blob) => {
    await keepMedia({ driverId, shipmentId, purpose: 'ATTEMPT_PHOTO', keptMs: Date.now(), content });
    setPhoto(content);
  };
  const close = () => keepStep({ trouble: undefined, reasonCode: undefined });
  if (state === 'ACCEPTED')
    return (
      <TapButton
        kind="danger"
        does={`RELEASE ${shipmentId}`}
        onTap={() => {
          close();
          act({ shipmentId, action: 'RELEASE' });
        }}
      >
        {words.RELEASE}
      </TapButton>
    );
  return (
    <>
      <fieldset class="reasons">
        <legend>{words.why}</legend>
        {failureReasons(state).map((reason) => (
          <label key={reason}>
            <input
              type="radio"
              name="reason"
              checked={reason === reasonCode}
              onChange={() => {
                setReason(reason);
                keepStep({ reasonCode: reason });
              }}
            />{' '}
            {FAILURE_WORDS[reason][locale]}
          </label>
        ))}
      </fieldset>
      {state === 'OUT_FOR_DELIVERY' ? (
        <Photo
          label={proofWords.attemptPhoto}
          taken={photo}
          onTaken={(content) => void keepPhoto(content)}
          isOptional
        />
      ) : null}
      {reasonCode === undefined ? (
        <p class="quiet">{words.chooseReason}</p>
      ) : (
        <TapButton
          kind="danger"
          does={`FAIL ${reasonCode} ${shipmentId}`}
          onTap={() => {
            close();
            act({ shipmentId, action: 'FAIL', reasonCode, ...(photo === undefined ? {} : { hasMedia: true }) });
          }}
        >
          {words.FAIL}
        </TapButton>
      )}
    </>
  );
}
