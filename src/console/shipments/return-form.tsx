import { useRef, useState } from 'preact/hooks';
import type { RecipientReturn } from '../../contract/recipient.ts';
import { RETURN_REASONS } from '../../contract/resolution-state.ts';
import { RETURN_DAYS } from '../../core/limits.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { formatMoney, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Dialog } from '../../ui/browser/kit/dialog.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { WHOLE } from '../../ui/browser/kit/number-readers.ts';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { REFERENCE } from '../../ui/browser/kit/readers.ts';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Inputs, type Outputs, service } from '../../ui/browser/service/calls.ts';
import { type CallFailure, failureOf, violationAt } from '../../ui/browser/service/failure.ts';
import { type Loaded, useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { readAll } from '../../ui/browser/service/read-all.ts';
import { SENTENCES } from '../../ui/browser/service/words.ts';
import { CreationFailure } from './creation-failure.tsx';
import {
  firstReturn,
  isShownAtPlace,
  type ReturnDraft,
  type ReturnOrder,
  returnOrderOf,
  wrongWithPlace,
} from './return-draft.ts';
import { RETURN_REASON_WORDS } from './return-words.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';

type Places = Outputs['pickupLocations']['list']['data'];
type Estimate = Inputs['priceEstimates']['create'];

const TEXTS = {
  en: {
    title: 'Return items',
    what: 'Which items are returned?',
    left: (left: number) => `Can be returned: ${left}. Enter 0 to leave it out.`,
    tooMany: 'This is more than can be returned.',
    reason: 'Reason',
    when: 'When does a driver fetch them from the recipient?',
    where: 'Where are they returned to?',
    choose: 'Choose where they are returned to. Then you see the price.',
    pay: 'You pay',
    withVat: 'with VAT',
    changed: 'The price has changed, and no return was created. What you typed is still here. Now:',
    unpriced: 'Create the return',
    priced: 'Create the return for',
    close: 'Close',
    done: 'The return is created.',
    RETURN_QUANTITY_EXCEEDED: {
      title: 'Fewer items can be returned now',
      detail: 'Other returns of this shipment count, too. The marked fields say how many are left.',
    },
    INVALID_STATE_TRANSITION: {
      title: 'The items of this shipment can no longer be returned',
      detail: `Items can be returned within ${RETURN_DAYS} days after the delivery, as long as the recipient’s data is there.`,
    },
  },
  ar: {
    title: 'إرجاع أصناف',
    what: 'ما الأصناف التي تُرجَع؟',
    left: (left: number) => `يمكن إرجاع: ${left}. اكتب 0 لاستثناء الصنف.`,
    tooMany: 'هذا أكثر مما يمكن إرجاعه.',
    reason: 'السبب',
    when: 'متى يأخذها سائق من المستلم؟',
    where: 'إلى أين تُرجَع؟',
    choose: 'اختر المكان الذي تُرجَع إليه لترى السعر.',
    pay: 'تدفع',
    withVat: 'شاملة الضريبة',
    changed: 'تغيّر السعر ولم يُنشأ الإرجاع. ما كتبته ما زال هنا. الآن:',
    unpriced: 'أنشئ الإرجاع',
    priced: 'أنشئ الإرجاع مقابل',
    close: 'إغلاق',
    done: 'أُنشئ الإرجاع.',
    RETURN_QUANTITY_EXCEEDED: {
      title: 'ما يمكن إرجاعه الآن أقل',
      detail: 'تُحسب أيضًا مرتجعات هذه الشحنة الأخرى. تبيّن الحقول المؤشَّر عليها ما بقي.',
    },
    INVALID_STATE_TRANSITION: {
      title: 'لم يعد إرجاع أصناف هذه الشحنة ممكنًا',
      detail: `يمكن إرجاع الأصناف خلال ${RETURN_DAYS} يومًا من التوصيل، ما دامت بيانات المستلم محفوظة.`,
    },
  },
};

interface ReturnProps {
  readonly shipment: Outputs['shipments']['get'];
  readonly relations: Outputs['resolutions']['relations'];
  /** What the recipient asks for, if this is the answer. */
  readonly asked: RecipientReturn | undefined;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** The dialog that returns items of a delivered shipment. */
export function NewReturn(props: ReturnProps) {
  const loaded = useLoaded('places', () => readAll(service.pickupLocations.list, { status: 'ACTIVE' }));
  return (
    <Dialog title={textsOf(TEXTS).title} onClose={props.onClose}>
      <WhenLoaded loaded={loaded}>{(places) => <ReturnForm {...props} places={places} />}</WhenLoaded>
    </Dialog>
  );
}

/** Says what the return costs, and creates it for at most that amount. */
function ReturnForm(props: ReturnProps & { readonly places: Places }) {
  const { shipment, places, onChanged, onClose } = props;
  const { shipmentId } = shipment;
  const text = textsOf(TEXTS);
  const [draft, setDraft] = useState(() => firstReturn(props, companyNow()));
  const [isChanged, setIsChanged] = useState(false);
  const part = pricedPartOf(shipment, places, draft);
  const price = useLoaded(part, async () =>
    part === '' ? undefined : service.priceEstimates.create.mutate(JSON.parse(part) as Estimate),
  );
  const sent = useRef<{ text: string; key: string; items: ReturnOrder['items'] }>({ text: '', key: '', items: [] });
  const work = useWork(async (priceLimit: string) => {
    const order = returnOrderOf(draft);
    const whole = JSON.stringify([priceLimit, order]);
    // After a lost answer the same return has the same key, so that a retry gets the first answer.
    if (sent.current.text !== whole) sent.current = { text: whole, key: crypto.randomUUID(), items: order.items };
    const idempotencyKey = sent.current.key;
    try {
      await service.resolutions.returnItems.mutate({ shipmentId, priceLimit, idempotencyKey, ...order });
    } catch (error) {
      if (failureOf(error).code !== 'PRICE_LIMIT_EXCEEDED') throw error;
      setIsChanged(true);
      price.reload();
      return;
    }
    showToast(text.done);
    onChanged();
    onClose();
  });
  const total = price.isLoading ? undefined : price.value;
  const create = async () => total === undefined || work.start(total.totalAmount);
  return (
    <Form class="sections" onSubmit={create}>
      <Fields {...props} draft={draft} setDraft={setDraft} work={work} sent={sent.current.items} price={price} />
      <div aria-live="polite">
        {isChanged ? <p class="notice">{text.changed}</p> : null}
        {part === '' ? <p class="quiet">{text.choose}</p> : null}
        {total === undefined ? null : (
          <p class="answer">
            {text.pay} <bdi dir="ltr">{formatMoney(total.totalAmount, total.currency)}</bdi> {text.withVat}
          </p>
        )}
      </div>
      {price.failure === undefined || isShownAtPlace(price.failure) ? null : (
        <ProblemNotice failure={price.failure} retry={price.reload} />
      )}
      {work.failure === undefined ? null : (
        <CreationFailure
          failure={inPlainWords(work.failure)}
          isShownAtField={isShownAtField}
          retry={() => void create()}
          reload={onChanged}
        />
      )}
      <div class="actions">
        <Button type="submit" kind="primary" isForCompany isBusy={work.isBusy} isDisabled={total === undefined}>
          {total === undefined ? (
            text.unpriced
          ) : (
            <>
              {text.priced} <bdi dir="ltr">{formatMoney(total.totalAmount, total.currency)}</bdi>
            </>
          )}
        </Button>
        <Button onClick={onClose}>{text.close}</Button>
      </div>
    </Form>
  );
}

/** What the price depends on, as text; empty while no place is chosen. */
function pricedPartOf(
  { destination }: ReturnProps['shipment'],
  places: Places,
  { pickupLocationCode }: Pick<ReturnDraft, 'pickupLocationCode'>,
): string {
  const to = places.find((place) => place.pickupLocationCode === pickupLocationCode)?.location;
  if (to === undefined) return '';
  const part: Estimate = {
    pickup: { latitude: destination.latitude, longitude: destination.longitude },
    delivery: { latitude: to.latitude, longitude: to.longitude },
    destinationCityCode: to.cityCode,
  };
  return JSON.stringify(part);
}

/** What the service says of these is for programs. */
function inPlainWords(failure: CallFailure): CallFailure {
  const { code } = failure;
  if (code !== 'RETURN_QUANTITY_EXCEEDED' && code !== 'INVALID_STATE_TRANSITION') return failure;
  return { ...failure, ...textsOf(TEXTS)[code] };
}

function isShownAtField(field: string): boolean {
  return /^(?:externalReference|pickupWindow(?:Start|End)|pickupLocationCode|items(?:\[\d+\]\.quantity)?)$/.test(field);
}

interface FieldsProps extends Pick<ReturnProps, 'shipment' | 'relations'> {
  readonly places: Places;
  readonly draft: ReturnDraft;
  readonly setDraft: (change: (before: ReturnDraft) => ReturnDraft) => void;
  readonly work: { readonly failure: CallFailure | undefined };
  /** The items of the last request. Violations name their positions in it. */
  readonly sent: ReturnOrder['items'];
  readonly price: Pick<Loaded<unknown>, 'failure'>;
}

function Fields({ shipment, relations, places, draft, setDraft, work: { failure }, sent, price }: FieldsProps) {
  const text = textsOf(TEXTS);
  const words = textsOf(SHIPMENT_FORM_TEXTS);
  const set = (changes: Partial<ReturnDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const fieldOf = (field: 'externalReference' | 'pickupWindowStart' | 'pickupWindowEnd') => ({
    label: words.fields[field],
    value: draft[field],
    onChange: (value: string) => set({ [field]: value }),
    error: violationAt(failure, field, draft[field]),
  });
  const isTaken = failure?.code === 'EXTERNAL_REFERENCE_CONFLICT';
  const quantityError = (index: number, left: number) => {
    if (failure?.code === EXCEEDED) return Number(draft.quantities[index]) > left ? text.tooMany : undefined;
    const at = sent.findIndex((item) => item.index === index);
    // That nothing is returned is said once.
    const isFirst = index === relations.returnable[0]?.index;
    return violationAt(failure, `items[${at}].quantity`) ?? (isFirst ? violationAt(failure, 'items') : undefined);
  };
  return (
    <>
      <fieldset>
        <legend>{text.what}</legend>
        {relations.returnable.map(({ index, quantity }) => {
          const left = leftIn(failure, index) ?? quantity;
          return (
            <Field
              key={index}
              label={shipment.items[index]?.description ?? ''}
              hint={text.left(left)}
              reads={WHOLE}
              value={draft.quantities[index] ?? ''}
              onChange={(typed) => set({ quantities: { ...draft.quantities, [index]: typed } })}
              error={quantityError(index, left)}
            />
          );
        })}
        <Choice
          label={text.reason}
          value={draft.reasonCode}
          options={RETURN_REASONS.map((value) => ({ value, label: RETURN_REASON_WORDS[value][locale] }))}
          onChange={(reasonCode) => set({ reasonCode })}
        />
      </fieldset>
      <fieldset>
        <legend>{text.when}</legend>
        <div class="pair">
          <Field {...fieldOf('pickupWindowStart')} type="datetime-local" dir="ltr" />
          <Field {...fieldOf('pickupWindowEnd')} type="datetime-local" dir="ltr" />
        </div>
        <p class="small quiet">{words.zone}</p>
      </fieldset>
      <Choice
        label={text.where}
        value={draft.pickupLocationCode}
        options={[
          ...(draft.pickupLocationCode === '' ? [{ value: '', label: words.choose }] : []),
          ...places.map(({ pickupLocationCode: value, name, nameAr }) => ({
            value,
            label: `${locale === 'ar' ? (nameAr ?? name) : name} (${value})`,
          })),
        ]}
        onChange={(pickupLocationCode) => set({ pickupLocationCode })}
        error={violationAt(failure, 'pickupLocationCode') ?? placeError(price.failure)}
      />
      <Field
        {...fieldOf('externalReference')}
        reads={REFERENCE}
        hint={words.referenceHint}
        {...(isTaken ? { error: SENTENCES.EXTERNAL_REFERENCE_CONFLICT[locale] } : {})}
      />
    </>
  );
}

/** What is wrong with the pickup location, according to the price. */
function placeError(failure: CallFailure | undefined): string | undefined {
  const field = failure === undefined ? undefined : wrongWithPlace(failure);
  return field === undefined ? undefined : violationAt(failure, field);
}

const EXCEEDED = 'RETURN_QUANTITY_EXCEEDED';

/** What is left of an item, if the service has just said so. */
function leftIn(failure: CallFailure | undefined, index: number): number | undefined {
  return failure?.problem?.remaining?.find((item) => item.index === index)?.quantity;
}
