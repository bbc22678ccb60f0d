import { useState } from 'preact/hooks';
import { lazy } from '../ui/browser/kit/loading.tsx';
import { keepStep, readStep } from './kept-step.ts';
import { Cash, Pickup, Recipient, Window } from './place.tsx';
import type { Parcel, Task } from './queue.ts';
import { TapButton } from './tap-button.tsx';
import type { DriverWork } from './use-work.ts';
import { words } from './words.ts';

const Trouble = lazy(async () => (await import('./trouble.tsx')).Trouble);

interface CurrentParcelProps {
  readonly task: Task;
  readonly work: Pick<DriverWork, 'act' | 'driverId'>;
}

/** The parcel that the driver works on: the step, the money, the place and the contact. Its action is at the foot of the page. */
export function CurrentParcel({ task, work }: CurrentParcelProps) {
  const { parcel, state } = task;
  const { shipmentId, shipmentNumber } = parcel;
  return (
    <section class="task" aria-labelledby="task">
      <h1 id="task">
        <span key={headingOf(task)}>{headingOf(task)}</span>
      </h1>
      <p class="quiet">
        <bdi dir="ltr">{shipmentNumber}</bdi>
      </p>
      <Changes task={task} work={work} />
      <Window window={parcel.deliveryWindow} />
      <Cash parcel={parcel} />
      {state === 'ACCEPTED' ? <Pickup parcel={parcel} /> : <Recipient parcel={parcel} />}
      <Items parcel={parcel} />
      <Problem key={`${shipmentId} ${state}`} task={task} work={work} />
    </section>
  );
}

/** What the shop has changed since the driver accepted. A driver who has the parcel, or agrees to a time, confirms to have read it. */
function Changes({ task, work: { act } }: CurrentParcelProps) {
  const { parcel, state, unread } = task;
  const { shipmentId } = parcel;
  const last = unread.at(-1);
  if (last === undefined) return null;
  const names = new Set(unread.flatMap(({ changes }) => changes));
  const { version } = last;
  return (
    <div class="changed" role="status">
      <h2>{words.changed}</h2>
      <ul>
        {[...names].map((name) => (
          <li key={name}>{words.changes[name]}</li>
        ))}
      </ul>
      {state === 'ACCEPTED' && !names.has('DELIVERY_WINDOW') ? null : (
        <TapButton
          does={`ACKNOWLEDGE ${version} ${shipmentId}`}
          onTap={() => act({ shipmentId, action: 'ACKNOWLEDGE', version })}
        >
          {words.ACKNOWLEDGE}
        </TapButton>
      )}
    </div>
  );
}

/** What the driver has to do next with a parcel. */
export function headingOf({ state, hasArrived }: Task): string {
  if (state === 'PICKED_UP') return words.withYou;
  if (state === 'ACCEPTED') return hasArrived ? words.atPickup : words.toPickup;
  return hasArrived ? words.atDoor : words.toDoor;
}

function Items({ parcel: { items } }: { readonly parcel: Parcel }) {
  if (items === null) return null;
  return (
    <details>
      <summary>{words.items}</summary>
      <ul>
        {items.map(({ description, quantity }, index) => (
          <li key={`${index} ${description}`}>
            <bdi dir="ltr">{quantity} ×</bdi> <bdi>{description}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The way out. Its steps are loaded when the driver opens it. */
function Problem({ task, work }: CurrentParcelProps) {
  const { shipmentId } = task.parcel;
  const [isOpen, setIsOpen] = useState(readStep().trouble === shipmentId);
  return (
    <div class="trouble">
      <TapButton
        kind="plain"
        does={`trouble ${isOpen} ${shipmentId}`}
        isExpanded={isOpen}
        onTap={() => {
          setIsOpen(!isOpen);
          keepStep({ trouble: isOpen ? undefined : shipmentId, reasonCode: undefined });
        }}
      >
        {words.more}
      </TapButton>
      {isOpen ? <Trouble task={task} work={work} /> : null}
    </div>
  );
}
