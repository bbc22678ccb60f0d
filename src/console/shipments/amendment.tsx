import { useRef, useState } from 'preact/hooks';
import { isTooLate } from '../../contract/amendment-rules.ts';
import { AMENDMENT_REASONS, type AmendmentReason, PLACE_KINDS } from '../../contract/amendment-state.ts';
import { formatMoney, formatRange, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Dialog } from '../../ui/browser/kit/dialog.tsx';
import { Choice, Field, LongField } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { AMOUNT } from '../../ui/browser/kit/number-readers.ts';
import { PositionFields } from '../../ui/browser/kit/position-fields.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { MOBILE } from '../../ui/browser/kit/readers.ts';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { type CallFailure, failureOf, violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useSettled, useWork } from '../../ui/browser/service/loading.ts';
import { readAll } from '../../ui/browser/service/read-all.ts';
import {
  type AmendmentDraft,
  type AmendmentField,
  type AmendmentOrder,
  draftOf,
  type Known,
  orderOf,
} from './amendment-draft.ts';
import { AMENDMENT_REASON_WORDS, CHANGE_WORDS, OBJECTION_WORDS, PLACE_WORDS } from './amendment-words.ts';
import { SHORT_CODE } from './short-code-form.tsx';

type Shipment = Outputs['shipments']['get'];
type Preview = Outputs['shipmentAmendments']['preview'];

const TEXTS = {
  en: {
    title: 'Edit the shipment',
    fields: {
      addressLine: 'Address',
      shortAddress: 'Short code of the National Address',
      'location.latitude': 'Latitude',
      'location.longitude': 'Longitude',
      'recipient.name': 'Name of the recipient',
      'recipient.phone': 'New mobile of the recipient',
      pickupWindowStart: 'Pickup from',
      pickupWindowEnd: 'Pickup until',
      windowStart: 'Delivery window',
      codAmount: 'Amount to collect',
      'place.kind': 'Where to leave it',
      'place.note': 'Where exactly',
      instructions: 'Instructions for the driver',
    },
    keep: (phone: string) => `Empty keeps ${phone}.`,
    notSaid: 'Not said',
    reason: 'Reason',
    changed: 'The shipment has changed in the meantime, and nothing was saved. What you typed is still here. Now:',
    nothing: 'You have not changed anything yet.',
    pay: 'You pay',
    back: 'You get back',
    samePrice: 'The price stays the same.',
    withVat: 'with VAT',
    free: 'Save',
    paid: 'Save for',
    close: 'Close',
    done: 'The shipment is changed.',
  },
  ar: {
    title: 'تعديل الشحنة',
    fields: {
      addressLine: 'العنوان',
      shortAddress: 'الرمز المختصر للعنوان الوطني',
      'location.latitude': 'خط العرض',
      'location.longitude': 'خط الطول',
      'recipient.name': 'اسم المستلم',
      'recipient.phone': 'جوال المستلم الجديد',
      pickupWindowStart: 'الاستلام من',
      pickupWindowEnd: 'الاستلام حتى',
      windowStart: 'فترة التوصيل',
      codAmount: 'المبلغ المطلوب تحصيله',
      'place.kind': 'مكان ترك الشحنة',
      'place.note': 'أين بالضبط',
      instructions: 'تعليمات للسائق',
    },
    keep: (phone: string) => `اتركه فارغًا ليبقى \u2066${phone}\u2069.`,
    notSaid: 'لم يُحدد',
    reason: 'السبب',
    changed: 'تغيّرت الشحنة أثناء ذلك ولم يُحفظ شيء. ما كتبته ما زال هنا. الآن:',
    nothing: 'لم تغيّر شيئًا بعد.',
    pay: 'تدفع',
    back: 'يُعاد إليك',
    samePrice: 'لا يتغير السعر.',
    withVat: 'شاملة الضريبة',
    free: 'حفظ',
    paid: 'حفظ مقابل',
    close: 'إغلاق',
    done: 'عُدّلت الشحنة.',
  },
};

interface AmendmentProps {
  readonly shipment: Shipment;
  /** Of the charges. */
  readonly currency: string;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Reads what was amended before, because a shipment does not show its place and its instructions. */
export function EditShipment(props: AmendmentProps) {
  const { shipment, onClose } = props;
  const { shipmentId } = shipment;
  const loaded = useLoaded(shipmentId, async (): Promise<Known> => {
    const [amendments, address, windows] = await Promise.all([
      readAll(service.shipmentAmendments.list, { shipmentId }),
      service.nationalAddresses.get.query({ shipmentId }),
      service.deliveryWindows.get.query({ shipmentId }),
    ]);
    return { amendments, address, windows };
  });
  return (
    <Dialog title={textsOf(TEXTS).title} onClose={onClose}>
      <WhenLoaded loaded={loaded}>
        {(known) => <EditForm {...props} before={draftOf(shipment, known)} windows={known.windows} />}
      </WhenLoaded>
    </Dialog>
  );
}

/** Codes that mean that the preview on the page no longer applies. */
const OUTDATED: ReadonlySet<string> = new Set(['PRECONDITION_FAILED', 'PRICE_LIMIT_EXCEEDED', 'AMENDMENT_NOT_ALLOWED']);
/** So long a person has to pause before the price is asked for. */
const PAUSE_MS = 500;

/**
 * Says what the changes cost, and saves them in exactly that version and for at most that amount. If either has changed,
 * nothing is saved and the dialog shows what applies now.
 */
function EditForm({
  shipment,
  currency,
  before: known,
  windows,
  onChanged,
  onClose,
}: AmendmentProps & { readonly before: AmendmentDraft; readonly windows: Known['windows'] }) {
  const text = textsOf(TEXTS);
  const { shipmentId } = shipment;
  // The page looks again every few seconds, and this must not take away what somebody types.
  const before = useRef(known).current;
  const [draft, setDraft] = useState(before);
  const [reasonCode, setReasonCode] = useState<AmendmentReason>('RECIPIENT_ASKED');
  const [outdated, setOutdated] = useState<Preview>();
  const order = orderOf(before, draft);
  const wanted = order === undefined ? '' : JSON.stringify(order);
  const asked = useSettled(wanted, PAUSE_MS);
  const loaded = useLoaded(asked, async () =>
    asked === '' ? undefined : service.shipmentAmendments.preview.mutate({ shipmentId, ...orderIn(asked) }),
  );
  const preview = loaded.isLoading || asked !== wanted ? undefined : loaded.value;
  const sent = useRef({ order: '', key: '' });
  const work = useWork(async (shown: Preview) => {
    const { version, priceEffect } = shown;
    const limit = { priceLimit: isCharge(shown) ? priceEffect.totalAmount : '0' };
    // After a lost answer the same amendment has the same key, so that a retry gets the first answer.
    const whole = JSON.stringify([version, limit, reasonCode, order]);
    if (sent.current.order !== whole) sent.current = { order: whole, key: crypto.randomUUID() };
    const condition = { ifMatch: `"${version}"`, idempotencyKey: sent.current.key };
    try {
      await service.shipmentAmendments.create.mutate({ shipmentId, ...condition, ...limit, ...order, reasonCode });
    } catch (error) {
      if (!OUTDATED.has(failureOf(error).code)) throw error;
      setOutdated(shown);
      loaded.reload();
      onChanged();
      return;
    }
    showToast(text.done);
    onChanged();
    onClose();
  });
  const save = () => {
    if (preview?.allowed === true) void work.start(preview);
  };
  const failure = work.failure ?? loaded.failure;
  return (
    <Form onSubmit={save}>
      <Fields shipment={shipment} windows={windows} draft={draft} setDraft={setDraft} failure={failure} />
      <Choice
        label={text.reason}
        value={reasonCode}
        options={AMENDMENT_REASONS.map((value) => ({ value, label: AMENDMENT_REASON_WORDS[value][locale] }))}
        onChange={setReasonCode}
      />
      <div aria-live="polite">
        {outdated !== undefined && preview !== undefined && preview !== outdated ? (
          <p class="notice">{text.changed}</p>
        ) : null}
        {order === undefined ? <p class="quiet">{text.nothing}</p> : null}
        {preview === undefined ? null : <Effect preview={preview} currency={currency} />}
      </div>
      {failure === undefined || failure.violations.length > 0 ? null : <ProblemNotice failure={failure} retry={save} />}
      <div class="actions">
        <Button type="submit" kind="primary" isForCompany isBusy={work.isBusy} isDisabled={preview?.allowed !== true}>
          {preview !== undefined && isCharge(preview) ? (
            <>
              {text.paid} <bdi dir="ltr">{formatMoney(preview.priceEffect.totalAmount, currency)}</bdi>
            </>
          ) : (
            text.free
          )}
        </Button>
        <Button onClick={onClose}>{text.close}</Button>
      </div>
    </Form>
  );
}

function orderIn(text: string): AmendmentOrder {
  return JSON.parse(text) as AmendmentOrder;
}

function isCharge({ payer }: Preview): boolean {
  return payer === 'MERCHANT';
}

/** What the changes cost, or why they are not possible. */
function Effect({ preview, currency }: { readonly preview: Preview; readonly currency: string }) {
  const text = textsOf(TEXTS);
  const { allowed, violations, priceEffect } = preview;
  if (!allowed)
    return (
      <ul class="notice plain-list">
        {violations.map(({ change, reason }) => (
          <li key={change}>
            {CHANGE_WORDS[change][locale]}: {OBJECTION_WORDS[reason][locale]}
          </li>
        ))}
      </ul>
    );
  if (priceEffect.lines.length === 0) return <p class="answer">{text.samePrice}</p>;
  const amount = priceEffect.totalAmount.replace(/^-/, '');
  return (
    <p class="answer">
      {isCharge(preview) ? text.pay : text.back} <bdi dir="ltr">{formatMoney(amount, currency)}</bdi> {text.withVat}
    </p>
  );
}

interface FieldsProps {
  readonly shipment: Shipment;
  readonly windows: Known['windows'];
  readonly draft: AmendmentDraft;
  readonly setDraft: (change: (before: AmendmentDraft) => AmendmentDraft) => void;
  readonly failure: CallFailure | undefined;
}

/** The fields that may still be changed in the state of the shipment. */
function Fields({ shipment, windows: { window, windowsOffered }, draft, setDraft, failure }: FieldsProps) {
  const { state, paymentMethod, maskedRecipientPhone } = shipment;
  const text = textsOf(TEXTS);
  const set = (changes: Partial<AmendmentDraft>) => setDraft((now) => ({ ...now, ...changes }));
  const fieldOf = (field: AmendmentField) => ({
    label: text.fields[field],
    value: draft[field],
    onChange: (value: string) => set({ [field]: value }),
    error: violationAt(failure, field, draft[field]),
  });
  return (
    <>
      {isTooLate('ADDRESS_LINE', state) ? null : (
        <>
          <Field {...fieldOf('addressLine')} />
          <Field {...fieldOf('shortAddress')} reads={SHORT_CODE} />
          <div class="pair">
            <PositionFields
              latitude={fieldOf('location.latitude')}
              longitude={fieldOf('location.longitude')}
              onPosition={({ latitude, longitude }) =>
                set({ 'location.latitude': latitude, 'location.longitude': longitude })
              }
            />
          </div>
        </>
      )}
      {isTooLate('RECIPIENT_PHONE', state) ? null : (
        <div class="pair">
          <Field {...fieldOf('recipient.name')} />
          <Field {...fieldOf('recipient.phone')} reads={MOBILE} hint={text.keep(maskedRecipientPhone)} />
        </div>
      )}
      {isTooLate('PICKUP_WINDOW', state) ? null : (
        <div class="pair">
          <Field {...fieldOf('pickupWindowStart')} type="datetime-local" dir="ltr" />
          <Field {...fieldOf('pickupWindowEnd')} type="datetime-local" dir="ltr" />
        </div>
      )}
      {isTooLate('DELIVERY_WINDOW', state) ? null : (
        <Choice
          {...fieldOf('windowStart')}
          options={[
            window === null
              ? { value: '', label: text.notSaid }
              : { value: window.start, label: formatRange(window.start, window.end) },
            ...windowsOffered
              .filter(({ start }) => start !== window?.start)
              .map(({ start, end }) => ({ value: start, label: formatRange(start, end) })),
          ]}
        />
      )}
      {paymentMethod === 'PREPAID' ? null : <Field {...fieldOf('codAmount')} reads={AMOUNT} />}
      <div class="pair">
        <Choice
          {...fieldOf('place.kind')}
          options={[
            { value: '', label: text.notSaid },
            ...PLACE_KINDS.map((value) => ({ value, label: PLACE_WORDS[value][locale] })),
          ]}
        />
        <Field {...fieldOf('place.note')} />
      </div>
      <LongField {...fieldOf('instructions')} />
    </>
  );
}
