import { useRef, useState } from 'preact/hooks';
import { ProblemNotice } from '../ui/browser/kit/problem-notice.tsx';
import { useWork } from '../ui/browser/service/loading.ts';
import { keptHere } from '../ui/kept-here.ts';
import { Pill } from '../ui/state.tsx';
import type { LostParcel } from './kept-parcels.ts';
import { Lost, RefusedAction } from './lost.tsx';
import { Offers } from './offers.tsx';
import { CurrentParcel, headingOf } from './parcel.tsx';
import { type Task, tasksOf } from './queue.ts';
import type { DriverSession } from './session.ts';
import { TapButton } from './tap-button.tsx';
import { type DriverWork, useDriverWork } from './use-work.ts';
import { words } from './words.ts';

interface WorkProps {
  readonly session: DriverSession;
  readonly onSignedOut: () => void;
}

/** What a signed-in driver does: duty, the parcel in hand, offers and the other parcels. */
export function Work({ session, onSignedOut }: WorkProps) {
  const work = useDriverWork(session, onSignedOut);
  const { offers, parcels, lost, actions, refused, now, act, dismiss, understand } = work;
  const chosen = useRef<string | undefined>(undefined);
  const [, choose] = useState<string>();
  const tasks = tasksOf(parcels, actions);
  // What the driver has in hand keeps its place until it is done, also if the shop cancels it.
  const idOf = (stop: Task | LostParcel) => ('parcel' in stop ? stop.parcel.shipmentId : stop.shipmentId);
  const stops = [...tasks, ...lost];
  const current = stops.find((stop) => idOf(stop) === chosen.current) ?? stops[0];
  chosen.current = current && idOf(current);
  const refusedOf = (id: string) => refused.filter(({ action }) => action.shipmentId === id);
  const others = stops.filter((stop) => stop !== current);
  return (
    <>
      <Duty work={work} />
      <Connection work={work} />
      {current === undefined ? null : 'parcel' in current ? (
        <CurrentParcel key={current.parcel.shipmentId} task={current} act={act} />
      ) : (
        <Lost
          key={current.shipmentId}
          parcel={current}
          refused={refusedOf(current.shipmentId)}
          heading={tasks.length === 0 ? 'h2' : 'h1'}
          understand={understand}
        />
      )}
      {tasks.length === 0 ? <Idle work={work} /> : null}
      {refused
        .filter(({ action }) => !lost.some(({ shipmentId }) => shipmentId === action.shipmentId))
        .map((one) => (
          <section key={one.action.actionId} aria-label={words.refused}>
            <RefusedAction refused={one} />
            <TapButton does={`dismiss ${one.action.actionId}`} onTap={() => dismiss(one)}>
              {words.dismiss}
            </TapButton>
          </section>
        ))}
      <Offers offers={offers} actions={actions} now={now} act={act} />
      {others.length === 0 ? null : (
        <section aria-labelledby="others">
          <h2 id="others">{words.others}</h2>
          {others.map((stop) =>
            'parcel' in stop ? (
              <p key={stop.parcel.shipmentId}>
                <TapButton
                  does={`choose ${stop.parcel.shipmentId}`}
                  onTap={() => {
                    chosen.current = stop.parcel.shipmentId;
                    choose(stop.parcel.shipmentId);
                  }}
                >
                  <bdi dir="ltr">{stop.parcel.shipmentNumber}</bdi> · {headingOf(stop)}
                </TapButton>
              </p>
            ) : (
              <Lost
                key={stop.shipmentId}
                parcel={stop}
                refused={refusedOf(stop.shipmentId)}
                heading="h3"
                understand={understand}
              />
            ),
          )}
        </section>
      )}
      <SignOut work={work} />
    </>
  );
}

function Duty({ work: { standing, offers, setDuty } }: { readonly work: DriverWork }) {
  const change = useWork(setDuty);
  if (standing === undefined) return null;
  const { firstName, onDuty, activeCount, offDutyReason } = standing;
  return (
    <section class="duty">
      <p>
        <b dir="auto" translate={false}>
          {firstName}
        </b>{' '}
        <Pill tone={onDuty ? 'running' : 'over'}>{onDuty ? words.onDuty : words.offDuty}</Pill>{' '}
        <span class="quiet">{words.load(activeCount)}</span>{' '}
        {offers.length === 0 ? null : <a href="#offers">{words.offerCount(offers.length)}</a>}
      </p>
      <TapButton
        kind={onDuty ? 'quiet' : 'primary'}
        does={onDuty ? 'go off duty' : 'go on duty'}
        isBusy={change.isBusy}
        onTap={() => void change.start(!onDuty)}
      >
        {onDuty ? words.goOffDuty : words.goOnDuty}
      </TapButton>
      {offDutyReason === null ? null : <p class="notice">{words.putOffDuty[offDutyReason]}</p>}
      {change.failure === undefined ? null : <ProblemNotice failure={change.failure} />}
    </section>
  );
}

function Connection({ work: { isOffline, actions } }: { readonly work: DriverWork }) {
  return (
    <div role="status">
      {isOffline ? (
        <p class="notice">
          {words.offline} {actions.length === 0 ? null : words.waiting(actions.length)}
        </p>
      ) : null}
      {actions.length > 0 && keptHere.isLosing() ? <p class="notice bad">{words.unkept}</p> : null}
    </div>
  );
}

function Idle({ work: { standing, offers } }: { readonly work: DriverWork }) {
  return (
    <section class="empty">
      <h1>{words.idle}</h1>
      {offers.length > 0 ? null : <p>{standing?.onDuty === false ? words.idleOff : words.idleOn}</p>}
    </section>
  );
}

function SignOut({ work: { actions, signOut } }: { readonly work: DriverWork }) {
  const end = useWork(signOut);
  return (
    <footer>
      {end.failure === undefined ? null : <ProblemNotice failure={end.failure} />}
      {actions.length > 0 ? (
        <p class="quiet small">{words.signOutLater}</p>
      ) : (
        <TapButton kind="plain" does="sign out" isBusy={end.isBusy} onTap={() => void end.start(undefined)}>
          {words.signOut}
        </TapButton>
      )}
    </footer>
  );
}
