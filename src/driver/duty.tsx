import { useState } from 'preact/hooks';
import { ProblemNotice } from '../ui/browser/kit/problem-notice.tsx';
import { useWork } from '../ui/browser/service/loading.ts';
import { Pill } from '../ui/state.tsx';
import { TapButton } from './tap-button.tsx';
import type { DriverWork } from './use-work.ts';
import { words } from './words.ts';

interface DutyProps {
  readonly work: DriverWork;
  /** Parcels that the driver still has to deliver. */
  readonly inHand: number;
}

/** Who works, and whether they get offers. With parcels in hand, going off duty first says what happens to them. */
export function Duty({ work: { standing, setDuty, isHidden }, inHand }: DutyProps) {
  const change = useWork(setDuty);
  const [isAsking, setIsAsking] = useState(false);
  if (standing === undefined) return null;
  const { firstName, onDuty, activeCount, offDutyReason } = standing;
  const asks = onDuty && inHand > 0;
  const set = (next: boolean) => {
    setIsAsking(false);
    void change.start(next);
  };
  return (
    <section class="duty">
      <p>
        <b translate={false}>
          <bdi>{firstName}</bdi>
        </b>{' '}
        <Pill tone={onDuty ? 'running' : 'over'}>{onDuty ? words.onDuty : words.offDuty}</Pill>{' '}
        <span class="quiet">{words.load(activeCount)}</span>
      </p>
      <TapButton
        kind={onDuty ? 'quiet' : 'primary'}
        does={asks ? 'ask' : onDuty ? 'go off duty' : 'go on duty'}
        isBusy={change.isBusy}
        onTap={() => (asks ? setIsAsking(!isAsking) : set(!onDuty))}
      >
        {onDuty ? words.goOffDuty : words.goOnDuty}
      </TapButton>
      {asks && isAsking ? (
        <div class="changed" role="alert">
          <p>{words.offDutyWith(inHand)}</p>
          <div class="ways">
            <TapButton kind="danger" does="go off duty" onTap={() => set(false)}>
              {words.goOffDuty}
            </TapButton>
            <TapButton does="stay on duty" onTap={() => setIsAsking(false)}>
              {words.stayOnDuty}
            </TapButton>
          </div>
        </div>
      ) : null}
      {offDutyReason === null ? null : <p class="notice">{words.putOffDuty[offDutyReason]}</p>}
      {onDuty && isHidden ? (
        <details class="notice">
          <summary>{words.positionDenied}</summary>
          <p>{words.allowPosition}</p>
        </details>
      ) : null}
      {change.failure === undefined ? null : <ProblemNotice failure={change.failure} />}
    </section>
  );
}
