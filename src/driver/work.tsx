import { useEffect, useRef, useState } from 'preact/hooks';
import { lazy } from '../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../ui/browser/kit/problem-notice.tsx';
import { useWork } from '../ui/browser/service/loading.ts';
import { Duty } from './duty.tsx';
import { Foot } from './foot.tsx';
import type { LostParcel } from './kept-parcels.ts';
import { keepStep, readStep } from './kept-step.ts';
import { isArrivalMissing, Lost, RefusedAction } from './lost.tsx';
import { CurrentParcel, headingOf } from './parcel.tsx';
import { type Task, tasksOf } from './queue.ts';
import type { DriverSession } from './session.ts';
import { TapButton } from './tap-button.tsx';
import { type DriverWork, useDriverWork } from './use-work.ts';
import { words } from './words.ts';

const Again = lazy(async () => (await import('./again.tsx')).Again);
const Stuck = lazy(async () => (await import('./stuck.tsx')).Stuck);

interface WorkProps {
  readonly session: DriverSession;
  readonly onSignedOut: () => void;
}

/** What a signed-in driver does: the parcel in hand, then the next stops. Offers and the one action are at the foot. */
export function Work({ session, onSignedOut }: WorkProps) {
  const work = useDriverWork(session, onSignedOut);
  const { parcels, lost, actions, refused, act, dismiss, understand } = work;
  const chosen = useRef<string | undefined>(readStep().chosen);
  const [, choose] = useState<string>();
  useEffect(() => void import('./keep-page.ts').then(({ keepPage }) => keepPage()), []);
  const tasks = tasksOf(parcels, actions);
  // What the driver has in hand keeps its place until it is done, also if the shop cancels it.
  const idOf = (stop: Task | LostParcel) => ('parcel' in stop ? stop.parcel.shipmentId : stop.shipmentId);
  const stops = [...tasks, ...lost];
  const current = stops.find((stop) => idOf(stop) === chosen.current) ?? stops[0];
  // Before the first answer there is nothing to choose from.
  if (work.standing !== undefined || current !== undefined) {
    const id = current && idOf(current);
    if (id !== readStep().chosen) keepStep({ chosen: id });
    chosen.current = id;
  }
  const task = current !== undefined && 'parcel' in current ? current : undefined;
  const refusedOf = (id: string) => refused.filter(({ action }) => action.shipmentId === id);
  return (
    <>
      <Duty work={work} inHand={tasks.length} />
      {work.isUnread ? (
        <p class="notice" role="status">
          {words.unread}
        </p>
      ) : null}
      {current === undefined ? null : 'parcel' in current ? (
        <CurrentParcel key={current.parcel.shipmentId} task={current} work={work} />
      ) : (
        <LostStop stop={current} refusedOf={refusedOf} isFirst={tasks.length > 0} understand={understand} />
      )}
      {tasks.length === 0 ? <Idle work={work} /> : null}
      {refused
        .filter(({ action }) => !lost.some(({ shipmentId }) => shipmentId === action.shipmentId))
        .map((one) => (
          <section key={one.action.actionId} aria-label={words.refused}>
            <RefusedAction refused={one} />
            {isArrivalMissing(one) ? (
              <TapButton
                kind="primary"
                does={`ARRIVE after ${one.action.actionId}`}
                onTap={() => {
                  dismiss(one);
                  act({ shipmentId: one.action.shipmentId, action: 'ARRIVE' });
                }}
              >
                {words.atTheDoor}
              </TapButton>
            ) : null}
            <TapButton does={`dismiss ${one.action.actionId}`} onTap={() => dismiss(one)}>
              {words.dismiss}
            </TapButton>
          </section>
        ))}
      {work.stuck.map((id) => (
        <Stuck key={id} shipmentId={id} work={work} />
      ))}
      {work.failed.map((failed) => (
        <Again key={failed.shipmentId} failed={failed} work={work} />
      ))}
      <Others
        stops={stops.filter((stop) => stop !== current)}
        refusedOf={refusedOf}
        understand={understand}
        onChoose={(id) => {
          chosen.current = id;
          choose(id);
          scrollTo({ top: 0 });
        }}
      />
      <SignOut work={work} />
      <Foot work={work} task={task} tasks={tasks} />
    </>
  );
}

interface OthersProps {
  readonly stops: readonly (Task | LostParcel)[];
  readonly refusedOf: (id: string) => DriverWork['refused'];
  readonly understand: DriverWork['understand'];
  readonly onChoose: (shipmentId: string) => void;
}

/** The next stops, in the order in which they are due. */
function Others({ stops, refusedOf, understand, onChoose }: OthersProps) {
  if (stops.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h2 id="others">{words.others}</h2>
      <ol class="stops">
        {stops.map((stop) => (
          <li key={'parcel' in stop ? stop.parcel.shipmentId : stop.shipmentId}>
            {'parcel' in stop ? (
              <Stop task={stop} onChoose={onChoose} />
            ) : (
              <LostStop stop={stop} refusedOf={refusedOf} understand={understand} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Stop({ task, onChoose }: { readonly task: Task } & Pick<OthersProps, 'onChoose'>) {
  const { parcel, state } = task;
  const { shipmentId, shipmentNumber } = parcel;
  const place = state === 'ACCEPTED' ? parcel.pickup : parcel.destination;
  const name = (state === 'ACCEPTED' ? words.nameOf(parcel) : undefined) ?? place?.addressLine;
  return (
    <TapButton does={`choose ${shipmentId}`} onTap={() => onChoose(shipmentId)}>
      <b>{name === undefined ? null : <bdi>{name}</bdi>}</b>
      <small>
        {headingOf(task)} · <bdi dir="ltr">{shipmentNumber}</bdi>
      </small>
    </TapButton>
  );
}

interface LostStopProps extends Pick<OthersProps, 'refusedOf' | 'understand'> {
  readonly stop: LostParcel;
  /** Whether it is where the parcel in hand stood. */
  readonly isFirst?: boolean;
}

function LostStop({ stop, refusedOf, understand, isFirst }: LostStopProps) {
  const { shipmentId } = stop;
  const heading = isFirst === undefined ? 'h3' : isFirst ? 'h1' : 'h2';
  return (
    <Lost key={shipmentId} parcel={stop} refused={refusedOf(shipmentId)} heading={heading} understand={understand} />
  );
}

function Idle({ work: { standing, offers } }: { readonly work: DriverWork }) {
  return (
    <section class={offers.length > 0 ? undefined : 'empty'}>
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
