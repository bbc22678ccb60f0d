import { useState } from 'preact/hooks';
import {
  CANCELLATION_REASONS,
  FAILURE_REASONS,
  HANDOVER_REASONS,
  type ShipmentState,
} from '../../contract/shipment-state.ts';
import { formatAge, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { failureOf, violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { readAll } from '../../ui/browser/service/read-all.ts';
import { STATE_WORDS } from '../../ui/state.tsx';
import { reasonText } from '../shipments/reason-text.ts';
import { loadShards } from './shard.tsx';
import { ACTION_TEXTS } from './shipment-action-words.ts';
import { ACTORS } from './shipment-words.ts';

type Shipment = Pick<
  Outputs['operations']['shipments']['listQueue']['data'][number],
  'companyId' | 'shipmentId' | 'shipmentNumber' | 'state' | 'version' | 'driver'
>;
type Driver = Outputs['operations']['drivers']['get'];
export type ActionName = 'approve' | 'retryDispatch' | 'reassign' | 'takeOver' | 'fail' | 'cancel';

/** What an operator can do in each state, the usual action first. */
const ACTIONS_OF: Readonly<Record<ShipmentState, readonly ActionName[]>> = {
  PENDING_APPROVAL: ['approve', 'cancel'],
  READY_FOR_DISPATCH: ['cancel'],
  OFFERED: ['cancel'],
  ACCEPTED: ['reassign', 'cancel'],
  DISPATCH_UNRESOLVED: ['retryDispatch', 'cancel'],
  PICKED_UP: ['takeOver', 'fail'],
  OUT_FOR_DELIVERY: ['takeOver', 'fail'],
  DELIVERED: [],
  DELIVERY_FAILED: [],
  CANCELLED: [],
};
const DANGERS: ReadonlySet<ActionName> = new Set(['fail', 'cancel']);

/** The reasons that an action needs one of. Before departure only the carrier can be why a delivery failed. */
function reasonsOf(action: ActionName, state: ShipmentState): readonly string[] {
  if (action === 'reassign' || action === 'takeOver') return HANDOVER_REASONS;
  if (action === 'cancel') return CANCELLATION_REASONS;
  if (action !== 'fail') return [];
  return state === 'PICKED_UP' ? ['LOST', 'DAMAGED'] : FAILURE_REASONS;
}

interface ActionsProps {
  readonly shipment: Shipment;
  readonly onChanged: () => void;
}

/** The actions that the state of the shipment allows, each with a dialog. */
export function ShipmentActions({ shipment, onChanged }: ActionsProps) {
  const text = textsOf(ACTION_TEXTS);
  const [asked, setAsked] = useState<ActionName>();
  const actions = ACTIONS_OF[shipment.state];
  if (actions.length === 0) return null;
  return (
    <div class="row-actions">
      {actions.map((action) => (
        <Button key={action} kind={DANGERS.has(action) ? 'danger' : 'quiet'} onClick={() => setAsked(action)}>
          {text.actions[action].verb}
        </Button>
      ))}
      {asked === undefined || !actions.includes(asked) ? null : (
        <ActionDialog
          key={asked}
          action={asked}
          shipment={shipment}
          onChanged={onChanged}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

interface ActionDialogProps extends ActionsProps {
  readonly action: ActionName;
  readonly onClose: () => void;
}

/** Asks for a reason and for what else the action needs. If somebody was faster, it says what the shipment is now. */
function ActionDialog({ action, shipment, onChanged, onClose }: ActionDialogProps) {
  const text = textsOf(ACTION_TEXTS);
  const { verb, question, consequence } = text.actions[action];
  const reasons = reasonsOf(action, shipment.state);
  const [answers, setAnswers] = useState<Answers>({ reasonCode: '', comment: '', driverId: '' });
  const set = (change: Partial<Answers>) => setAnswers({ ...answers, ...change });
  const work = useWork(async () => {
    await runAction(action, shipment, answers);
    showToast(text.done);
    onChanged();
  });
  const close = () => {
    // The list may be out of date.
    if (work.failure !== undefined) onChanged();
    onClose();
  };
  const needsDriver = action === 'takeOver';
  return (
    <Confirm
      title={question}
      verb={verb}
      work={work}
      isDanger={DANGERS.has(action)}
      isReady={(reasons.length === 0 || answers.reasonCode !== '') && (!needsDriver || answers.driverId !== '')}
      reload={onChanged}
      fields={['comment', 'driverId']}
      onDone={onClose}
      onClose={close}
    >
      <p>
        <bdi dir="ltr">{shipment.shipmentNumber}</bdi>
      </p>
      <p>{consequence}</p>
      {needsDriver ? (
        <DriverChoice
          shipment={shipment}
          value={answers.driverId}
          error={violationAt(work.failure, 'driverId')}
          onChange={(driverId) => set({ driverId })}
        />
      ) : null}
      {reasons.length === 0 ? null : (
        <>
          <Choice
            label={text.reason}
            value={answers.reasonCode}
            options={[
              { value: '', label: text.choose },
              ...reasons.map((value) => ({ value, label: reasonText(value) })),
            ]}
            onChange={(reasonCode) => set({ reasonCode })}
          />
          <Field
            label={text.comment}
            hint={text.commentHint}
            value={answers.comment}
            onChange={(comment) => set({ comment })}
            error={violationAt(work.failure, 'comment')}
          />
        </>
      )}
      {work.failure === undefined ? null : <CurrentState shipment={shipment} />}
    </Confirm>
  );
}

interface Answers {
  readonly reasonCode: string;
  readonly comment: string;
  readonly driverId: string;
}

/** Every action but the approval names the version that the operator sees. */
function runAction(action: ActionName, shipment: Shipment, { driverId, ...answers }: Answers): Promise<unknown> {
  const { companyId, shipmentId, version } = shipment;
  const seen = { companyId, shipmentId, version };
  const comment = answers.comment === '' ? {} : { comment: answers.comment };
  const { approve, retryDispatch, reassign, takeOver, fail, cancel } = service.operations.shipments;
  const because = <Reason extends string>(reasons: readonly Reason[]) => ({
    reasonCode: chosen(reasons, answers.reasonCode),
    ...comment,
  });
  switch (action) {
    case 'approve':
      return approve.mutate({ companyId, shipmentId });
    case 'retryDispatch':
      return retryDispatch.mutate(seen);
    case 'reassign':
      return reassign.mutate({ ...seen, ...because(HANDOVER_REASONS) });
    case 'takeOver':
      return takeOver.mutate({ ...seen, ...because(HANDOVER_REASONS), driverId });
    case 'fail':
      return fail.mutate({ ...seen, ...because(FAILURE_REASONS) });
    case 'cancel':
      return cancel.mutate({ ...seen, ...because(CANCELLATION_REASONS) });
  }
}

/** The button is disabled until something is chosen. */
function chosen<Reason extends string>(reasons: readonly Reason[], value: string): Reason {
  const reason = reasons.find((one) => one === value);
  if (reason === undefined) throw new Error('No reason was chosen');
  return reason;
}

interface DriverChoiceProps {
  readonly shipment: Shipment;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (driverId: string) => void;
}

/** The drivers who could take the parcel: on duty in the same city, with a free place. */
function DriverChoice({ shipment, value, error, onChange }: DriverChoiceProps) {
  const text = textsOf(ACTION_TEXTS);
  const loaded = useLoaded(`drivers for ${shipment.shipmentId}`, () => findReplacements(shipment));
  return (
    <WhenLoaded loaded={loaded}>
      {(drivers) =>
        drivers.length === 0 ? (
          <p class="notice">{text.noDriver}</p>
        ) : (
          <Choice
            label={text.driver}
            value={value}
            error={error}
            options={[
              { value: '', label: text.choose },
              ...drivers.map(({ driverId, firstName, maskedPhone, activeCount, activeMax }) => ({
                value: driverId,
                label: `${firstName} ${maskedPhone} (${activeCount}/${activeMax})`,
              })),
            ]}
            onChange={onChange}
          />
        )
      }
    </WhenLoaded>
  );
}

/** The present driver's shard and city have the drivers who can meet this driver. */
async function findReplacements({ driver, companyId }: Shipment): Promise<readonly Driver[]> {
  if (driver === null) return [];
  for (const shard of await loadShards()) {
    const present = await findDriver(shard, driver.driverId);
    if (present === undefined) continue;
    const { cityCode } = present;
    const drivers = await readAll(service.operations.drivers.list, { shard, cityCode, status: 'ACTIVE' });
    return drivers.filter(
      (one) =>
        one.driverId !== driver.driverId &&
        one.onDuty &&
        one.activeCount < one.activeMax &&
        (one.companyId === null || one.companyId === companyId),
    );
  }
  return [];
}

async function findDriver(shard: string, driverId: string): Promise<Driver | undefined> {
  try {
    return await service.operations.drivers.get.query({ shard, driverId });
  } catch (error) {
    if (failureOf(error).code === 'RESOURCE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** What the shipment is now, who made it so, and when. */
function CurrentState({ shipment }: Pick<ActionsProps, 'shipment'>) {
  const { value } = useLoaded(`state of ${shipment.shipmentId}`, () => readLastChange(shipment));
  if (value === undefined) return null;
  const { state, actor, occurredAt, personName } = value;
  const text = textsOf(ACTION_TEXTS);
  const who = personName ?? ACTORS[actor][locale];
  return <p role="status">{text.now(STATE_WORDS[state].label[locale], who, formatAge(occurredAt))}</p>;
}

/** The last entry of the timeline. It does not name the operator; the entry of the audit with the same sequence does. */
async function readLastChange({ companyId, shipmentId }: Shipment) {
  const { shipments, audit } = service.operations;
  const [timeline, changes] = await Promise.all([
    readAll(shipments.timeline, { companyId, shipmentId }),
    readAll(audit.list, { subject: shipmentId }),
  ]);
  const last = timeline.findLast(({ type }) => type !== 'late_report');
  const isItsEntry = ({ detail }: (typeof changes)[number]) => detail['sequence'] === last?.sequence;
  return last && { ...last, personName: changes.find(isItsEntry)?.personName ?? null };
}
