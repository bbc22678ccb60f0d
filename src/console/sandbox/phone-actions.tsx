import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { FailureReason } from '../../contract/shipment-state.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { driverActions, failureReasons, isOnward } from '../../ui/browser/driver-actions.ts';
import { Choice } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import type { Inputs, Outputs } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { actAsDriver } from './driver-session.ts';

type Shipment = Outputs['shipments']['get'];

const TEXTS = {
  en: {
    ACCEPT: 'Accept',
    DECLINE: 'Decline',
    RELEASE: 'Return the shipment',
    ARRIVE: 'Arrived',
    PICK_UP: 'Picked up',
    DEPART: 'Start the delivery',
    DELIVER: 'Delivered',
    FAIL: 'Delivery failed',
    why: 'Reason',
    RECIPIENT_UNREACHABLE: 'Recipient could not be reached',
    RECIPIENT_REFUSED: 'Recipient refused the parcel',
    NOT_AS_ORDERED: 'Recipient looked at the goods and refused them',
    COD_NOT_PAID: 'Amount not paid',
    WRONG_ADDRESS: 'Wrong address',
    DAMAGED: 'Damaged',
    LOST: 'Lost',
    OTHER: 'Other',
  },
  ar: {
    ACCEPT: 'قبول',
    DECLINE: 'رفض',
    RELEASE: 'إعادة الشحنة',
    ARRIVE: 'وصلت',
    PICK_UP: 'استلمت الشحنة',
    DEPART: 'بدء التوصيل',
    DELIVER: 'تم التوصيل',
    FAIL: 'تعذّر التوصيل',
    why: 'السبب',
    RECIPIENT_UNREACHABLE: 'تعذّر الوصول إلى المستلم',
    RECIPIENT_REFUSED: 'رفض المستلم الشحنة',
    NOT_AS_ORDERED: 'فحص المستلم الشحنة ورفضها',
    COD_NOT_PAID: 'لم يُدفع المبلغ',
    WRONG_ADDRESS: 'العنوان غير صحيح',
    DAMAGED: 'تلفت الشحنة',
    LOST: 'فُقدت الشحنة',
    OTHER: 'سبب آخر',
  },
};

interface PhoneActionsProps {
  readonly driverPhone: string;
  readonly shipment: Shipment;
  readonly onActed: () => void;
  /** Shown when there is no action. */
  readonly children: ComponentChildren;
}

/** The driver's actions in the current state. */
export function PhoneActions({ driverPhone, shipment, onActed, children }: PhoneActionsProps) {
  const text = textsOf(TEXTS);
  const { shipmentId, state } = shipment;
  const actions = driverActions(state);
  const work = useWork(async (order: Omit<Inputs['driver']['act'], 'shipmentId'>) => {
    await actAsDriver(driverPhone, { shipmentId, ...order });
    onActed();
  });
  const failure = work.failure === undefined ? null : <ProblemNotice failure={work.failure} />;
  if (actions.length === 0) return <p class="quiet">{children}</p>;
  return (
    <div class="phone-actions">
      {failure}
      {actions.map((action) =>
        action === 'FAIL' || action === 'REPORT_POSITION' ? null : (
          <Button
            key={action}
            kind={isOnward(action) ? 'primary' : 'quiet'}
            isBusy={work.isBusy}
            onClick={() => void work.start({ action })}
          >
            {text[action]}
          </Button>
        ),
      )}
      {actions.includes('REPORT_POSITION') ? (
        <ReportPosition
          shipment={shipment}
          isBusy={work.isBusy}
          report={(position) => work.start({ action: 'REPORT_POSITION', position })}
        />
      ) : null}
      {actions.includes('FAIL') ? (
        <Fail
          state={state}
          isBusy={work.isBusy}
          fail={(reasonCode) => void work.start({ action: 'FAIL', reasonCode })}
        />
      ) : null}
    </div>
  );
}

interface FailProps {
  readonly state: Shipment['state'];
  readonly isBusy: boolean;
  readonly fail: (reasonCode: FailureReason) => void;
}

function Fail({ state, isBusy, fail }: FailProps) {
  const text = textsOf(TEXTS);
  const reasons = failureReasons(state);
  const [reason, setReason] = useState<FailureReason>(reasons[0] ?? 'OTHER');
  return (
    <details class="phone-more">
      <summary>{text.FAIL}</summary>
      <Choice
        label={text.why}
        value={reason}
        options={reasons.map((value) => ({ value, label: text[value] }))}
        onChange={setReason}
      />
      <Button kind="danger" isBusy={isBusy} onClick={() => fail(reason)}>
        {text.FAIL}
      </Button>
    </details>
  );
}

interface Position {
  readonly latitude: string;
  readonly longitude: string;
}

const REPORT_POSITION_TEXTS = {
  en: {
    title: 'Driver position',
    along: 'Distance covered',
    report: 'Report the position',
    reported: 'Position reported.',
  },
  ar: { title: 'موقع السائق', along: 'المسافة المقطوعة من الطريق', report: 'إرسال الموقع', reported: 'أُرسل الموقع.' },
};
const PERCENT_MAX = 100;
const STEP_PERCENT = 5;
/** Six decimals of a degree are about 0.1 m. */
const DIGITS = 6;

interface ReportPositionProps {
  readonly shipment: Shipment;
  readonly isBusy: boolean;
  /** Resolves to whether it succeeded. */
  readonly report: (position: Position) => Promise<boolean>;
}

/** Reports a position on the straight line from the pickup location to the destination. */
function ReportPosition({ shipment, isBusy, report }: ReportPositionProps) {
  const text = textsOf(REPORT_POSITION_TEXTS);
  const id = useId();
  const [percent, setPercent] = useState(0);
  const send = async () => {
    if (await report(positionAt(shipment, percent))) showToast(text.reported);
  };
  return (
    <details class="phone-more">
      <summary>{text.title}</summary>
      <div class="field">
        <label for={id}>
          {text.along}: <bdi dir="ltr">{percent} %</bdi>
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={PERCENT_MAX}
          step={STEP_PERCENT}
          value={percent}
          onInput={(event) => setPercent(event.currentTarget.valueAsNumber)}
        />
      </div>
      <Button isBusy={isBusy} onClick={() => void send()}>
        {text.report}
      </Button>
    </details>
  );
}

function positionAt({ pickup, destination }: Shipment, percent: number): Position {
  const from = pickup ?? destination;
  const between = (a: string, b: string) =>
    (Number(a) + ((Number(b) - Number(a)) * percent) / PERCENT_MAX).toFixed(DIGITS);
  return {
    latitude: between(from.latitude, destination.latitude),
    longitude: between(from.longitude, destination.longitude),
  };
}
