import { useRef, useState } from 'preact/hooks';
import { riyadhInstant, riyadhText } from '../../core/riyadh.ts';
import { readNumber, wholeOr } from '../../core/typed/number.ts';
import { readCode, readText } from '../../core/typed/text.ts';
import { serviceNow } from '../../ui/browser/base/company-clock.ts';
import { formatMoney, formatPercent, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { useDraft } from '../../ui/browser/kit/draft.tsx';
import { Field, LongField } from '../../ui/browser/kit/field.tsx';
import { Button, CancelLink, Form, focusFirstInvalid } from '../../ui/browser/kit/form.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { AMOUNT, WHOLE } from '../../ui/browser/kit/number-readers.ts';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Inputs, type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { Pill } from '../../ui/state.tsx';
import { TariffPreview } from './tariff-preview.tsx';

type Tariff = Outputs['operations']['tariffs']['list'][number];
type Preview = Outputs['operations']['tariffs']['preview'];
type TariffOrder = Inputs['operations']['tariffs']['publish'];

const TEXTS = {
  en: {
    title: 'Tariffs',
    lead: 'A shipment keeps the tariff of its creation. A version that has started never changes.',
    publish: 'Publish a new version',
    published: 'The new version is published.',
    preview: 'Preview',
    previewHint: 'The preview shows what the shipments of the last seven days would have cost. It changes nothing.',
    commit: 'Publish',
    cancel: 'Cancel',
    empty: 'There is no tariff yet, so nobody can ship.',
    version: 'Version',
    effectiveFrom: 'Starts',
    startHint: 'In Riyadh time, at least two minutes ahead and after every other version.',
    baseAmount: 'Base (SAR)',
    kilometreAmount: 'Per kilometre (SAR)',
    cancellationAmount: 'Cancellation (SAR)',
    cancellationGraceSeconds: 'Free after acceptance (seconds)',
    lateCancellationSeconds: 'Free once the driver is late (seconds)',
    lateHint: 'Counted from the end of the pickup window. Empty: never free.',
    lockSecondsMax: 'Price locked at most (seconds)',
    amendmentFreeMeters: 'Moving the destination is free (metres)',
    returnRate: 'Return',
    redeliveryRate: 'Another attempt',
    shareHint: 'A share of the price of the delivery, from 0 to 2.',
    vatRate: 'VAT',
    vatHint: 'As a rate: 0.15 is 15 %.',
    cities: 'Cities',
    citiesHint: 'One city in a line: its code and its surcharge, such as RUH 0.',
    withdraw: 'Withdraw',
    withdrawn: 'The version is withdrawn.',
    question: (version: number) => `Withdraw version ${version}?`,
    consequence: 'It will not begin, and the version before it goes on. You can publish another one at once.',
    action: 'Action',
    current: 'In force',
    coming: 'Starts later',
    over: 'Replaced',
  },
  ar: {
    title: 'التعرفة',
    lead: 'تحتفظ الشحنة بتعرفة وقت إنشائها. ولا يتغير أي إصدار بعد بدئه.',
    publish: 'انشر إصدارًا جديدًا',
    published: 'نُشر الإصدار الجديد.',
    preview: 'معاينة',
    previewHint: 'تعرض المعاينة كم كانت ستكلف شحنات الأيام السبعة الماضية، ولا تغيّر شيئًا.',
    commit: 'نشر',
    cancel: 'إلغاء',
    empty: 'لا توجد تعرفة بعد، فلا يستطيع أحد الشحن.',
    version: 'الإصدار',
    effectiveFrom: 'يبدأ',
    startHint: 'بتوقيت الرياض، بعد دقيقتين على الأقل وبعد كل إصدار آخر.',
    baseAmount: 'السعر الأساسي (ريال)',
    kilometreAmount: 'لكل كيلومتر (ريال)',
    cancellationAmount: 'رسوم الإلغاء (ريال)',
    cancellationGraceSeconds: 'إلغاء مجاني بعد القبول (ثانية)',
    lateCancellationSeconds: 'إلغاء مجاني عند تأخر السائق (ثانية)',
    lateHint: 'تُحسب من نهاية فترة الاستلام. اتركها فارغة إن لم يكن مجانيًا أبدًا.',
    lockSecondsMax: 'أطول مدة لتثبيت السعر (ثانية)',
    amendmentFreeMeters: 'مسافة نقل موقع التسليم مجانًا (متر)',
    returnRate: 'الإرجاع',
    redeliveryRate: 'محاولة أخرى',
    shareHint: 'نسبة من سعر التوصيل، من 0 إلى 2.',
    vatRate: 'ضريبة القيمة المضافة',
    vatHint: 'نسبة عشرية: 0.15 تعني 15٪.',
    cities: 'المدن',
    citiesHint: 'مدينة في كل سطر: رمزها ثم رسومها، مثل RUH 0.',
    withdraw: 'سحب',
    withdrawn: 'سُحب الإصدار.',
    question: (version: number) => `هل تسحب الإصدار ${version}؟`,
    consequence: 'لن يبدأ، ويستمر الإصدار السابق. ويمكنك نشر إصدار آخر فورًا.',
    action: 'الإجراء',
    current: 'سارٍ',
    coming: 'يبدأ لاحقًا',
    over: 'استُبدل',
  },
};

/** The versions of the tariff, and the form that publishes the next one. */
export function Tariffs({ address: { id, part } }: AreaProps) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded('tariffs', () => service.operations.tariffs.list.query({}));
  if (part !== undefined || (id !== undefined && id !== 'new')) return <NoSuchPage />;
  if (id === 'new') return <WhenLoaded loaded={loaded}>{(known) => <PublishPage latest={known.at(-1)} />}</WhenLoaded>;
  const publish = (
    <Link to={addressOf('tariffs/new')} class="button primary">
      {text.publish}
    </Link>
  );
  return (
    <>
      <PageHead title={text.title} lead={text.lead}>
        {publish}
      </PageHead>
      <WhenLoaded loaded={loaded}>
        {(tariffs) =>
          tariffs.length === 0 ? (
            <Empty text={text.empty}>{publish}</Empty>
          ) : (
            <Versions tariffs={tariffs} onWithdrawn={loaded.reload} />
          )
        }
      </WhenLoaded>
    </>
  );
}

interface VersionsProps {
  readonly tariffs: readonly Tariff[];
  readonly onWithdrawn: () => void;
}

function Versions({ tariffs, onWithdrawn }: VersionsProps) {
  const text = textsOf(TEXTS);
  const now = serviceNow();
  const current = tariffs.findLast(({ effectiveFrom }) => Date.parse(effectiveFrom) <= now)?.version ?? 0;
  return (
    <Listing
      caption={text.title}
      rows={tariffs.toReversed()}
      keyOf={({ version }) => String(version)}
      columns={[
        {
          label: text.version,
          cell: ({ version }) => (
            <span class="calm">
              <Exact>{version}</Exact>{' '}
              <Pill tone={version === current ? 'good' : version > current ? 'waiting' : 'over'}>
                {version === current ? text.current : version > current ? text.coming : text.over}
              </Pill>
            </span>
          ),
        },
        { label: text.effectiveFrom, isShort: true, cell: ({ effectiveFrom }) => <Moment at={effectiveFrom} /> },
        { label: text.baseAmount, cell: (tariff) => money(tariff, tariff.baseAmount) },
        { label: text.kilometreAmount, cell: (tariff) => money(tariff, tariff.kilometreAmount) },
        { label: text.cancellationAmount, cell: (tariff) => money(tariff, tariff.cancellationAmount) },
        { label: text.vatRate, isShort: true, cell: ({ vatRate }) => <bdi dir="ltr">{formatPercent(vatRate)}</bdi> },
        {
          label: `${text.returnRate} / ${text.redeliveryRate}`,
          isShort: true,
          cell: ({ returnRate, redeliveryRate }) => (
            <bdi dir="ltr">
              {formatPercent(returnRate)} / {formatPercent(redeliveryRate)}
            </bdi>
          ),
        },
        {
          label: text.cities,
          cell: ({ cities }) => <Exact>{cities.map((city) => `${city.cityCode} +${city.surcharge}`).join(', ')}</Exact>,
        },
        {
          label: text.action,
          cell: ({ version }) =>
            version > current ? <WithdrawButton version={version} onWithdrawn={onWithdrawn} /> : null,
        },
      ]}
    />
  );
}

function WithdrawButton({ version, onWithdrawn }: { readonly version: number; readonly onWithdrawn: () => void }) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const work = useWork(async () => {
    await service.operations.tariffs.withdraw.mutate({ version });
    showToast(text.withdrawn);
    onWithdrawn();
  });
  const close = () => {
    work.clearFailure();
    setIsAsking(false);
  };
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{text.withdraw}</Button>
      {isAsking ? (
        <Confirm title={text.question(version)} verb={text.withdraw} work={work} onDone={close} onClose={close}>
          <p>{text.consequence}</p>
        </Confirm>
      ) : null}
    </>
  );
}

function money({ currency }: Tariff, amount: string) {
  return <bdi dir="ltr">{formatMoney(amount, currency)}</bdi>;
}

const AMOUNTS = [
  'baseAmount',
  'kilometreAmount',
  'cancellationAmount',
  'vatRate',
  'returnRate',
  'redeliveryRate',
] as const;
const WHOLES = [
  'cancellationGraceSeconds',
  'lateCancellationSeconds',
  'lockSecondsMax',
  'amendmentFreeMeters',
] as const;
const FIELDS = ['effectiveFrom', 'cities', ...AMOUNTS, ...WHOLES] as const;
type Draft = Readonly<Record<(typeof FIELDS)[number], string>>;

/** Long enough ahead to read the form once more. */
const START_AHEAD_MS = 3_600_000;

/** The next version starts as a copy of the latest one. */
function draftAfter(latest: Tariff | undefined): Draft {
  const effectiveFrom = riyadhText(serviceNow() + START_AHEAD_MS);
  if (latest === undefined) {
    const amounts = { baseAmount: '', kilometreAmount: '', cancellationAmount: '', vatRate: '0.15' };
    const seconds = { cancellationGraceSeconds: '0', lateCancellationSeconds: '3600', lockSecondsMax: '86400' };
    const rates = { returnRate: '1', redeliveryRate: '1' };
    return { effectiveFrom, ...amounts, ...seconds, amendmentFreeMeters: '0', ...rates, cities: '' };
  }
  const { baseAmount, kilometreAmount, cancellationAmount, vatRate, returnRate, redeliveryRate } = latest;
  const cities = latest.cities.map(({ cityCode, surcharge }) => `${cityCode} ${surcharge}`).join('\n');
  const wholes = {
    cancellationGraceSeconds: String(latest.cancellationGraceSeconds),
    lateCancellationSeconds: String(latest.lateCancellationSeconds ?? ''),
    lockSecondsMax: String(latest.lockSecondsMax),
    amendmentFreeMeters: String(latest.amendmentFreeMeters),
  };
  const amounts = { baseAmount, kilometreAmount, cancellationAmount, vatRate, returnRate, redeliveryRate };
  return { effectiveFrom, ...amounts, ...wholes, cities };
}

/** What the service refuses as a whole number. An empty one of a late cancellation means "never". */
const NO_NUMBER = -1;

function orderOf({ effectiveFrom, lateCancellationSeconds: late, cities, ...draft }: Draft): TariffOrder {
  return {
    ...draft,
    effectiveFrom: riyadhInstant(effectiveFrom),
    cancellationGraceSeconds: wholeOr(draft.cancellationGraceSeconds, NO_NUMBER),
    lateCancellationSeconds: late === '' ? null : wholeOr(late, NO_NUMBER),
    lockSecondsMax: wholeOr(draft.lockSecondsMax, NO_NUMBER),
    amendmentFreeMeters: wholeOr(draft.amendmentFreeMeters, NO_NUMBER),
    cities: cities
      .split('\n')
      .map(readText)
      .filter((line) => line !== '')
      .map((line) => {
        const [cityCode = '', surcharge = ''] = line.split(/\s+/);
        return { cityCode: readCode(cityCode), surcharge: readNumber(surcharge)?.value ?? surcharge };
      }),
  };
}

function PublishPage({ latest }: { readonly latest: Tariff | undefined }) {
  const text = textsOf(TEXTS);
  const back = addressOf('tariffs');
  const { draft, setDraft, kept } = useDraft(() => draftAfter(latest), {
    name: `tariff after ${latest?.version ?? 0}`,
  });
  const form = useRef<HTMLFormElement>(null);
  const [preview, setPreview] = useState<Preview>();
  const show = useWork(async () => {
    const { effectiveFrom: _start, ...terms } = orderOf(draft);
    setPreview(await service.operations.tariffs.preview.mutate(terms));
  });
  const publish = useWork(async () => {
    await service.operations.tariffs.publish.mutate(orderOf(draft));
    kept.forget();
    showToast(text.published);
    navigate(back);
  });
  const start = (work: typeof show, other: typeof show) => {
    other.clearFailure();
    void work.start(undefined).then((isDone) => {
      if (!isDone && form.current !== null) focusFirstInvalid(form.current);
    });
  };
  const field = (name: (typeof FIELDS)[number], hint?: string) => ({
    label: text[name],
    value: draft[name],
    onChange: (value: string) => {
      setDraft({ ...draft, [name]: value });
      // It was the preview of another tariff.
      if (name !== 'effectiveFrom') setPreview(undefined);
    },
    error: violationAt(publish.failure ?? show.failure, name, draft[name]),
    hint,
  });
  return (
    <>
      <PageHead title={text.publish} up={{ to: back, label: text.title }} lead={text.lead} />
      <Form formRef={form} kept={kept} onSubmit={() => start(show, publish)}>
        <Field {...field('effectiveFrom', text.startHint)} type="datetime-local" dir="ltr" isFirst />
        <div class="pair">
          <Field {...field('baseAmount')} reads={AMOUNT} />
          <Field {...field('kilometreAmount')} reads={AMOUNT} />
          <Field {...field('cancellationAmount')} reads={AMOUNT} />
          <Field {...field('vatRate', text.vatHint)} reads={AMOUNT} />
          <Field {...field('cancellationGraceSeconds')} reads={WHOLE} />
          <Field {...field('lateCancellationSeconds', text.lateHint)} reads={WHOLE} />
          <Field {...field('lockSecondsMax')} reads={WHOLE} />
          <Field {...field('amendmentFreeMeters')} reads={WHOLE} />
          <Field {...field('returnRate', text.shareHint)} reads={AMOUNT} />
          <Field {...field('redeliveryRate', text.shareHint)} reads={AMOUNT} />
        </div>
        <LongField {...field('cities', text.citiesHint)} />
        <p class="small quiet">{text.previewHint}</p>
        <div class="actions">
          <Button type="submit" isBusy={show.isBusy}>
            {text.preview}
          </Button>
        </div>
        <ChangeFailure work={show} reload={() => undefined} fields={FIELDS} />
      </Form>
      {preview === undefined ? null : <TariffPreview preview={preview} />}
      <ChangeFailure work={publish} reload={() => undefined} fields={FIELDS} />
      <div class="actions">
        <Button kind="primary" isBusy={publish.isBusy} onClick={() => start(publish, show)}>
          {text.commit}
        </Button>
        <CancelLink back={back} kept={kept}>
          {text.cancel}
        </CancelLink>
      </div>
    </>
  );
}
