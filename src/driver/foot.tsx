import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useNow } from '../ui/browser/base/company-clock.ts';
import { lazy } from '../ui/browser/kit/loading.tsx';
import { keptHere } from '../ui/kept-here.ts';
import { askedOf, keepStep, readStep } from './kept-step.ts';
import { CashFirst, hasCash } from './place.tsx';
import { isHeld, nextAction, type Task } from './queue.ts';
import { TapButton } from './tap-button.tsx';
import type { DriverWork } from './use-work.ts';
import { words } from './words.ts';

const Offers = lazy(async () => (await import('./offers.tsx')).Offers);
const Scan = lazy(async () => (await import('./scan.tsx')).Scan);
const Prove = lazy(async () => (await import('./proof.tsx')).Prove);

interface FootProps {
  readonly work: DriverWork;
  /** The parcel in hand. */
  readonly task: Task | undefined;
  /** All parcels of the driver. */
  readonly tasks: readonly Task[];
}

/**
 * What stays at the foot of the screen: offers in one bar, what can be undone, and below all the one action of the parcel in hand.
 * So nothing that comes moves the action.
 */
export function Foot({ work, task, tasks }: FootProps) {
  return (
    <div class="foot">
      <OfferBar work={work} isFirst={task === undefined} />
      <Connection work={work} />
      <HeldActions work={work} />
      {task === undefined ? null : (
        <div class="thumb">
          <Checked key={`${task.state} ${task.parcel.shipmentId}`} task={task} tasks={tasks}>
            <NextAction task={task} work={work} />
          </Checked>
        </div>
      )}
    </div>
  );
}

/** An answer within this time is nothing that a driver has to know of. */
const SOON_MS = 2000;

/** What waits to be sent, and whether the service answers. */
function Connection({ work: { isOffline, waiting } }: Pick<FootProps, 'work'>) {
  const nowMs = useNow(Date.now);
  const late = waiting.filter(({ tappedMs = 0 }) => isOffline || tappedMs < nowMs - SOON_MS);
  return (
    <div role="status">
      {isOffline || late.length > 0 ? (
        <p class="waits">
          {isOffline ? words.offline : null} {late.length === 0 ? null : words.waiting(late.length)}
        </p>
      ) : null}
      {late.length > 0 && keptHere.isLosing() ? <p class="waits">{words.unkept}</p> : null}
    </div>
  );
}

/** Open by itself only while the driver has nothing else to do. */
function OfferBar({ work, isFirst }: { readonly work: DriverWork; readonly isFirst: boolean }) {
  const { offers, actions, act } = work;
  const nowMs = useNow(work.now);
  const [isOpened, setIsOpened] = useState<boolean>();
  const open = offers.filter(({ expiresAt }) => Date.parse(expiresAt) > nowMs);
  if (open.length === 0) return null;
  const isShown = isOpened ?? isFirst;
  const secondsLeft = Math.min(...open.map(({ expiresAt }) => Math.ceil((Date.parse(expiresAt) - nowMs) / 1000)));
  return (
    <section class="offers" aria-label={words.offers}>
      <h2>
        <button type="button" class="bar" aria-expanded={isShown} onClick={() => setIsOpened(!isShown)}>
          <span>{words.offerCount(open.length)}</span>
          {isShown ? null : <span class="left">{words.secondsLeft(secondsLeft)}</span>}
        </button>
      </h2>
      {isShown ? (
        // Focusable, so that the keyboard can scroll it.
        <div class="drawer" tabIndex={0} role="group" aria-label={words.offers}>
          <Offers offers={open} actions={actions} nowMs={nowMs} act={act} />
        </div>
      ) : null}
    </section>
  );
}

/** A failure counts only after some seconds, because its state is final. */
function HeldActions({ work: { parcels, actions, undo } }: Pick<FootProps, 'work'>) {
  const nowMs = useNow(Date.now);
  return (
    <div role="status">
      {actions
        .filter((action) => isHeld(action, nowMs))
        .map(({ actionId, action, shipmentId, heldUntil = 0 }) => (
          <div key={actionId} class="held">
            <span>
              {words[action]}{' '}
              <bdi dir="ltr">{parcels.find((parcel) => parcel.shipmentId === shipmentId)?.shipmentNumber}</bdi>{' '}
              <span aria-hidden="true">{words.countsIn(Math.ceil((heldUntil - nowMs) / 1000))}</span>
            </span>
            <TapButton does={`undo ${actionId}`} onTap={() => undo(actionId)}>
              {words.undo}
            </TapButton>
          </div>
        ))}
    </div>
  );
}

interface CheckedProps extends Pick<FootProps, 'tasks'> {
  readonly task: Task;
  readonly children: ComponentChildren;
}

/**
 * Where a parcel can be taken for another, the driver can compare its label before the action. Meanwhile the action is hidden, so a wrong
 * parcel is not taken by a tap. The driver may always go on without it.
 */
function Checked({ task, tasks, children }: CheckedProps) {
  const { parcel, state } = task;
  const of = `${state} ${parcel.shipmentId}`;
  const { label } = readStep();
  const [stage, setStage] = useState(label?.of === of ? label.stage : undefined);
  const others = tasks.filter((other) => other.parcel !== parcel);
  const action = nextAction(task);
  const isMixed = others.some((other) => other.state !== 'ACCEPTED');
  if (action !== 'PICK_UP' && !(action === 'DELIVER' && isMixed)) return <>{children}</>;
  const go = (next: typeof stage) => {
    keepStep({ label: { of, stage: next } });
    setStage(next);
  };
  return (
    <>
      {stage === 'open' ? (
        <Scan
          task={task}
          others={others.map((other) => other.parcel)}
          onEnd={(isRight) => go(isRight ? 'right' : undefined)}
        />
      ) : stage === 'right' ? (
        <p class="right" role="status">
          {words.rightParcel}
        </p>
      ) : (
        <TapButton kind="plain" does={`check ${of}`} onTap={() => go('open')}>
          {words.checkLabel}
        </TapButton>
      )}
      <div hidden={stage === 'open'}>{children}</div>
    </>
  );
}

function NextAction({ task, work }: { readonly task: Task } & Pick<FootProps, 'work'>) {
  const { parcel } = task;
  const { shipmentId, codAmount: amount } = parcel;
  const action = nextAction(task);
  const isProven = (askedOf(shipmentId) ?? parcel.proofRequired ?? []).length > 0;
  if (action === 'DELIVER' && isProven) return <Prove key={shipmentId} parcel={parcel} work={work} />;
  const isForCash = action === 'DELIVER' && hasCash(parcel);
  const button = (
    <TapButton
      kind="primary"
      does={`${action} ${shipmentId}`}
      onTap={() =>
        work.act({ shipmentId, action, ...(isForCash ? { collected: { amount, method: 'CASH' as const } } : {}) })
      }
    >
      {words[action]}
    </TapButton>
  );
  return isForCash ? (
    <CashFirst key={`${shipmentId} ${amount}`} parcel={parcel}>
      {button}
    </CashFirst>
  ) : (
    button
  );
}
