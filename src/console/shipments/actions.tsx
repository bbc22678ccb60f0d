import type { TargetedMouseEvent } from 'preact';
import { useState } from 'preact/hooks';
import { isTerminal } from '../../contract/shipment-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import { commandsOf } from '../../domain/shipments/lifecycle.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Download } from '../../ui/browser/kit/download.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { lazy } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, readFile, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';

const Cancellation = lazy(async () => (await import('./cancellation.tsx')).Cancellation);
const EditShipment = lazy(async () => (await import('./amendment.tsx')).EditShipment);

type Shipment = Outputs['shipments']['get'];

const TEXTS = {
  en: {
    edit: 'Edit',
    cancel: 'Cancel the shipment',
    retry: 'Look for a driver again',
    retried: 'The search for a driver has started again.',
    again: 'Create again',
    label: 'Print the label',
    labelIn: (format: string) => `Label as ${format}`,
    play: 'Play the delivery',
    drive: 'Act as the driver',
    playing: 'The sandbox’s driver delivers it now.',
    withDriver: 'You cannot cancel this shipment any more, because the driver has the parcel.',
  },
  ar: {
    edit: 'تعديل',
    cancel: 'إلغاء الشحنة',
    retry: 'ابحث عن سائق مجددًا',
    retried: 'بدأ البحث عن سائق من جديد.',
    again: 'أنشئها من جديد',
    label: 'اطبع الملصق',
    labelIn: (format: string) => `الملصق بصيغة ${format}`,
    play: 'محاكاة التوصيل',
    drive: 'أدِّ دور السائق',
    playing: 'يوصلها سائق البيئة التجريبية الآن.',
    withDriver: 'لم يعد إلغاء هذه الشحنة ممكنًا، لأنها مع السائق.',
  },
};
/** Slow enough for people to watch. */
const STEP_SECONDS = 2;
const LABEL_FORMATS = [
  { format: 'PDF', mediaType: 'application/pdf' },
  { format: 'ZPL', mediaType: 'application/zpl' },
] as const;

interface ActionsProps {
  readonly shipment: Shipment;
  readonly deployment: Deployment;
  /** Of the charges. */
  readonly currency: string;
  readonly onChanged: () => void;
}

/** The actions on a shipment in its state, and why it cannot be cancelled. */
export function Actions({ shipment, deployment, currency, onChanged }: ActionsProps) {
  const text = textsOf(TEXTS);
  const [isCancelling, setIsCancelling] = useState(false);
  const [isEditing, setIsEditing] = useState(false);
  const { shipmentId, state, version } = shipment;
  const retry = useWork(async () => {
    await service.shipments.retryDispatch.mutate({ shipmentId, ifMatch: `"${version}"` });
    showToast(text.retried);
    onChanged();
  });
  const play = useWork(async () => {
    await service.sandbox.startScenario.mutate({ shipmentId, name: 'HAPPY_PATH', stepSeconds: STEP_SECONDS });
    showToast(text.playing);
    onChanged();
  });
  const isOver = isTerminal(state);
  const failure = retry.failure ?? play.failure;
  return (
    <>
      <div class="actions">
        {commandsOf('MERCHANT', state).includes('RETRY_DISPATCH') ? (
          <Button kind="primary" isBusy={retry.isBusy} onClick={() => void retry.start(undefined)}>
            {text.retry}
          </Button>
        ) : null}
        {state === 'DELIVERY_FAILED' || state === 'CANCELLED' ? (
          <Link
            // After a failure, what becomes of the parcel comes first.
            class={state === 'CANCELLED' ? 'button primary' : 'button'}
            to={addressOf('shipments/new', { again: shipmentId })}
          >
            {text.again}
          </Link>
        ) : null}
        {isOver ? null : <Button onClick={() => setIsEditing(true)}>{text.edit}</Button>}
        {deployment === 'production' || isOver ? null : (
          <>
            <Button isBusy={play.isBusy} onClick={() => void play.start(undefined)}>
              {text.play}
            </Button>
            <Link class="button" to={addressOf(`sandbox/${shipmentId}`)}>
              {text.drive}
            </Link>
          </>
        )}
        {state === 'CANCELLED' ? null : <Labels shipment={shipment} />}
        {canCancel(state) ? (
          <Button kind="danger" onClick={() => setIsCancelling(true)}>
            {text.cancel}
          </Button>
        ) : null}
      </div>
      {canCancel(state) || isOver ? null : <p class="small quiet">{text.withDriver}</p>}
      {failure === undefined ? null : <ProblemNotice failure={failure} reload={onChanged} />}
      {isEditing ? (
        <EditShipment
          shipment={shipment}
          currency={currency}
          onChanged={onChanged}
          onClose={() => setIsEditing(false)}
        />
      ) : null}
      {isCancelling ? (
        <Cancellation shipmentId={shipmentId} onChanged={onChanged} onClose={() => setIsCancelling(false)} />
      ) : null}
    </>
  );
}

/** The label to print at once, and as files. */
function Labels({ shipment: { shipmentId, shipmentNumber } }: { readonly shipment: Shipment }) {
  const text = textsOf(TEXTS);
  const label = `/v2/external/shipments/${shipmentId}/waybill?lang=${locale}`;
  return (
    <>
      <a class="button" href={label} target="_blank" rel="noreferrer" onClick={print}>
        {text.label}
      </a>
      {LABEL_FORMATS.map(({ format, mediaType }) => (
        <Download
          key={format}
          label={text.labelIn(format)}
          name={`${shipmentNumber}.${format.toLowerCase()}`}
          read={() => readFile(label, mediaType)}
        />
      ))}
    </>
  );
}

/** Opens the label and the dialog for printing. The label has no script, so this page asks for it. */
function print(event: TargetedMouseEvent<HTMLAnchorElement>): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const opened = open(event.currentTarget.href);
  if (opened === null) return;
  event.preventDefault();
  opened.addEventListener('load', () => opened.print());
}

function canCancel(state: Shipment['state']): boolean {
  return commandsOf('MERCHANT', state).includes('CANCEL');
}
