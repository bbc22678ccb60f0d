import { useEffect, useState } from 'preact/hooks';
import { BATCH_ITEMS_MAX } from '../../core/limits.ts';
import { formatMoney, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { loadCities } from '../../ui/browser/kit/city-field.tsx';
import { type DraftInUse, KeptNotice, useDraft } from '../../ui/browser/kit/draft.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { AMOUNT } from '../../ui/browser/kit/number-readers.ts';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import type { ShipmentDraft } from './shipment-draft.ts';
import { firstDraft, type Origins, readOrigins } from './shipment-form.tsx';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { UploadColumns } from './upload-columns.tsx';
import { labelOf, type Matching, type OrderFile, type UploadField } from './upload-fields.ts';
import { ChooseFile, type ChosenFile } from './upload-file.tsx';
import { UploadLeftOut } from './upload-left-out.tsx';
import { UploadNumbers } from './upload-numbers.tsx';
import { UploadPayments } from './upload-payment-words.tsx';
import { type PaymentAnswers, unknownMethods } from './upload-payments.ts';
import { UploadPlaceSearch } from './upload-place-search.tsx';
import { type FoundPlace, placed, withoutPlace } from './upload-places.ts';
import { type Basis, collectionsOf, requestOfRow } from './upload-request.ts';
import { UploadProgress, UploadResult } from './upload-result.tsx';
import { correctCell, matchAnew, missingFields, type UploadRow } from './upload-rows.ts';
import { UploadTable } from './upload-table.tsx';
import { keyOfRow, numberOf, type SentRows, type Verdict, verdictOf } from './upload-verdicts.ts';
import { type BatchRead, useBatch } from './use-batch.ts';

const TEXTS = {
  en: {
    title: 'Shipments from a file',
    all: 'All shipments',
    lead: `One order is one shipment, at most ${BATCH_ITEMS_MAX} in a file. Exports of Salla, Zid, Shopify and WooCommerce are understood as they are. The rows are checked first; nothing is created before you press the button.`,
    check: 'Check the rows',
    again: 'Check again',
    missing: 'There is no column for:',
    valid: (valid: number, total: number) => `${valid} of ${total} rows can be created.`,
    mend: 'Correct the marked cells and check again, or leave those rows out.',
    mendAll: 'Correct what is marked, and check again.',
    left: 'The other rows are left out. They stay on this page.',
    leaveOut: (count: number) =>
      count === 1 ? 'Leave out the row with errors' : `Leave out ${count} rows with errors`,
    takeBack: 'Show the rows with errors',
    limit: 'At most per shipment (SAR, with VAT)',
    limitHint: 'Optional. A shipment that would cost more is not created.',
    create: (count: number) => (count === 1 ? 'Create 1 shipment' : `Create ${count} shipments`),
    checking: 'Checking the rows',
    collect: (money: string, count: number) =>
      `The drivers collect ${money} for ${count === 1 ? '1 order' : `${count} orders`}.`,
    collectNothing: 'The drivers collect nothing.',
  },
  ar: {
    title: 'شحنات من ملف',
    all: 'كل الشحنات',
    lead: `كل طلب شحنة واحدة، وفي الملف ${BATCH_ITEMS_MAX} طلب على الأكثر. تُفهم ملفات سلة وزد وشوبيفاي ووكومرس كما هي. تُفحص الصفوف أولًا، ولا يُنشأ شيء قبل أن تضغط الزر.`,
    check: 'افحص الصفوف',
    again: 'افحص من جديد',
    missing: 'لا يوجد عمود لما يلي:',
    valid: (valid: number, total: number) => `الصفوف التي يمكن إنشاؤها: ${valid} من ${total}.`,
    mend: 'صحّح الخلايا المؤشَّر عليها ثم افحص من جديد، أو اترك هذه الصفوف.',
    mendAll: 'صحّح ما أُشِّر عليه ثم افحص من جديد.',
    left: 'تُركت الصفوف الأخرى، وتبقى في هذه الصفحة.',
    leaveOut: (count: number) => `اترك الصفوف التي فيها أخطاء (${count})`,
    takeBack: 'أظهر الصفوف التي فيها أخطاء',
    limit: 'الحد الأعلى لكل شحنة (SAR، شاملًا الضريبة)',
    limitHint: 'اختياري. لا تُنشأ شحنة تكلفتها أعلى من ذلك.',
    create: (count: number) => `أنشئ الشحنات (${count})`,
    checking: 'جارٍ فحص الصفوف',
    collect: (money: string, count: number) => `يحصّل السائقون ${money}، وعدد الطلبات: ${count}.`,
    collectNothing: 'لا يحصّل السائقون شيئًا.',
  },
};

/** The page at `/console/shipments/upload`: a file becomes a batch. With `?batch=` it shows the batch. */
export function Upload({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const origins = useLoaded('origins', readOrigins);
  const work = useDraft<UploadDraft>({ sheet: undefined, rows: [], sent: undefined }, { name: 'upload' });
  const { sent } = work.draft;
  const batchId = query.get('batch') ?? sent?.batchId;
  const [read, setEnded] = useState<BatchRead>();
  const ended = read?.batch.batchId === sent?.batchId ? read : undefined;
  const isCreating = sent !== undefined && sent.batchId === batchId && ended === undefined;
  return (
    <>
      <PageHead title={text.title} up={{ to: addressOf('shipments'), label: text.all }} lead={text.lead} />
      {batchId === undefined ? null : <UploadResult key={batchId} batchId={batchId} sent={sent} onEnd={setEnded} />}
      <WhenLoaded loaded={origins}>
        {(value) => <FromFile origins={value} {...{ work, ended, isCreating }} />}
      </WhenLoaded>
    </>
  );
}

/** A file, the fields of its columns, the values of cells without text, and the most that a shipment may cost. */
interface Sheet {
  /** Counts the chosen files. */
  readonly count: number;
  readonly file: OrderFile;
  readonly matching: Matching;
  readonly defaults: ShipmentDraft;
  /** What the person has said about words for payment. */
  readonly payments?: PaymentAnswers;
  /** Kilograms of one piece by product. */
  readonly weights?: Readonly<Record<string, string>>;
  readonly priceLimit: string;
}

/** What a person has done to a file, kept until every row has become a shipment. */
interface UploadDraft {
  readonly sheet: Sheet | undefined;
  readonly rows: readonly UploadRow[];
  /** The rows that were sent last. */
  readonly sent: SentRows | undefined;
}

interface FromFileProps {
  readonly origins: Origins;
  readonly work: DraftInUse<UploadDraft>;
  /** The batch of the rows that were sent last, once it has ended. */
  readonly ended: BatchRead | undefined;
  /** Whether that batch still runs. */
  readonly isCreating: boolean;
}

function FromFile({ origins, work, ended, isCreating }: FromFileProps) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, kept } = work;
  const { sheet, rows } = draft;
  const onFile = ({ file, matching, rows: read }: ChosenFile) => {
    setDraft((before) => ({
      ...before,
      sheet: {
        count: (before.sheet?.count ?? 0) + 1,
        file,
        matching,
        defaults: before.sheet?.defaults ?? firstDraft(origins),
        payments: before.sheet?.payments ?? {},
        weights: before.sheet?.weights ?? {},
        priceLimit: before.sheet?.priceLimit ?? '',
      },
      rows: read,
    }));
  };
  const change = (changes: Partial<Sheet>) =>
    setDraft((before) => {
      if (before.sheet === undefined) return before;
      const next = { ...before.sheet, ...changes };
      const isReadAnew = next.file !== before.sheet.file || next.matching !== before.sheet.matching;
      const anew = isReadAnew
        ? matchAnew(before.rows, { ...before.sheet, file: next.file }, next.matching)
        : before.rows;
      return { ...before, sheet: next, rows: anew };
    });
  const onPlaces = (places: readonly FoundPlace[]) =>
    setDraft((before) => ({ ...before, rows: before.rows.map((row) => placed(row, places)) }));
  const onWrong = (place: FoundPlace) =>
    setDraft((before) => ({ ...before, rows: before.rows.map((row) => withoutPlace(row, place)) }));
  // Every row has become a shipment, so that a reload begins with no file.
  useEffect(() => {
    if (rows.length === 0 && ended?.items.every((item) => verdictOf(item) === undefined) === true) kept.forget();
  }, [rows, ended]);
  const missing = sheet === undefined ? [] : missingFields(sheet.matching, sheet.defaults);
  const isAsking = sheet !== undefined && unknownMethods(sheet.file, sheet.matching, sheet.payments ?? {}).size > 0;
  return (
    <>
      <KeptNotice kept={kept} />
      <ChooseFile onFile={onFile} />
      {sheet === undefined ? null : (
        <>
          <UploadLeftOut file={sheet.file} />
          <UploadColumns key={`columns-${sheet.count}`} {...sheet} origins={origins} onChange={change} />
          <UploadNumbers {...sheet} onMark={(mark) => change({ file: { ...sheet.file, mark } })} />
          {sheet.matching.includes('destination.addressLine') ? (
            <UploadPlaceSearch key={`places-${sheet.count}`} rows={rows} onFound={onPlaces} onWrong={onWrong} />
          ) : null}
          <UploadPayments {...sheet} onChange={(payments) => change({ payments })} />
          {missing.length > 0 ? (
            <p class="notice" role="status">
              {text.missing} {missing.map((field) => labelOf(field, textsOf(SHIPMENT_FORM_TEXTS))).join(' · ')}
            </p>
          ) : isAsking ? null : (
            <Rows
              key={sheet.count}
              work={work}
              sheet={sheet}
              onLimit={(priceLimit) => change({ priceLimit })}
              ended={ended}
              isCreating={isCreating}
            />
          )}
        </>
      )}
    </>
  );
}

interface RowsProps {
  readonly work: DraftInUse<UploadDraft>;
  readonly sheet: Sheet;
  readonly onLimit: (priceLimit: string) => void;
  readonly ended: BatchRead | undefined;
  readonly isCreating: boolean;
}

/** Checks the rows, shows what is wrong in their cells, and creates those that are valid. */
function Rows({ work: { draft, setDraft, id }, sheet, onLimit, ended, isCreating }: RowsProps) {
  const text = textsOf(TEXTS);
  const { rows, sent } = draft;
  const setRows = (change: (before: readonly UploadRow[]) => readonly UploadRow[]) =>
    setDraft((before) => ({ ...before, rows: change(before.rows) }));
  const [checked, setChecked] = useState<{ batchId: string; rows: readonly UploadRow[]; sheet: Sheet }>();
  const [outcome, setOutcome] = useState<ReadonlyMap<number, Verdict | undefined>>();
  const [isLeavingOut, setIsLeavingOut] = useState(false);
  const send = async (mode: 'VALIDATE' | 'CREATE', some: readonly UploadRow[]) => {
    const { priceLimit, defaults, payments = {}, weights = {} } = sheet;
    const basis = { defaults, payments, weights, cities: await loadCities() };
    const items = some.map(async (row) => {
      const shipment = requestOfRow(row, basis);
      // The same row has the same key on every try, also after a reload, so that it is not created twice.
      const key = await keyOfRow(row, id, shipment);
      return { key, shipment, ...(priceLimit === '' ? {} : { priceLimit }) };
    });
    return service.shipmentBatches.create.mutate({ mode, onInvalid: 'SKIP', items: await Promise.all(items) });
  };
  const check = useWork(async () => {
    // Otherwise the earlier check would be read again, and would pass for this one.
    setChecked(undefined);
    setOutcome(undefined);
    setIsLeavingOut(false);
    const { batchId } = await send('VALIDATE', rows);
    setChecked({ batchId, rows, sheet });
  });
  const isCurrent = checked?.rows === rows && checked.sheet === sheet && outcome !== undefined;
  const valid = isCurrent ? rows.filter(({ number }) => outcome.get(number) === undefined) : [];
  const leftOut = rows.flatMap((row) => {
    const verdict = outcome?.get(row.number);
    return verdict === undefined ? [] : [{ row, verdict }];
  });
  const hasChoice = valid.length > 0 && leftOut.length > 0;
  const create = useWork(async () => {
    const { batchId } = await send('CREATE', valid);
    const created = new Set(valid.map(({ number }) => number));
    setDraft((before) => ({
      ...before,
      rows: before.rows.filter(({ number }) => !created.has(number)),
      sent: { batchId, sheet: sheet.count, rows: valid, leftOut },
    }));
    setChecked(undefined);
    setIsLeavingOut(false);
    navigate(addressOf('shipments/upload', { batch: batchId }), { isReplacing: true });
  });
  // What the batch refused returns to the other rows, so that the next batch does not replace the only copy.
  useEffect(() => {
    // Those of an earlier file have nothing to do with this one.
    if (sent?.sheet !== sheet.count || ended === undefined) return;
    const verdicts = new Map(ended.items.map((item) => [numberOf(item), verdictOf(item)]));
    const refused = sent.rows.filter(({ number }) => verdicts.get(number) !== undefined);
    if (refused.length === 0) return;
    setRows((before) => {
      // After a reload they have returned already.
      const missing = refused.filter((row) => !before.some(({ number }) => number === row.number));
      return [...before, ...missing].sort((one, other) => one.number - other.number);
    });
    setOutcome((before) => new Map([...(before ?? []), ...verdicts]));
  }, [ended, sent]);
  const onCell = (number: number, field: UploadField, value: string) =>
    setRows((before) => before.map((row) => (row.number === number ? correctCell(row, field, value) : row)));
  const onCity = (typed: string, name: string) =>
    setRows((before) =>
      before.map((row) =>
        row.values['destination.cityCode'] === typed ? correctCell(row, 'destination.cityCode', name) : row,
      ),
    );
  const onChecked = ({ items }: BatchRead) =>
    setOutcome(new Map(items.map((item) => [numberOf(item), verdictOf(item)])));
  const failure = check.failure ?? create.failure;
  const limitError = violationAt(failure, 'items[0].priceLimit');
  if (rows.length === 0) return null;
  return (
    <section class="part">
      {isCurrent ? (
        <p role="status">
          <strong>{text.valid(valid.length, rows.length)}</strong>{' '}
          {leftOut.length === 0 ? null : !hasChoice ? text.mendAll : isLeavingOut ? text.left : text.mend}
        </p>
      ) : null}
      {checked === undefined || outcome !== undefined ? null : (
        <Checking key={checked.batchId} batchId={checked.batchId} onChecked={onChecked} />
      )}
      {hasChoice && isLeavingOut ? null : (
        <UploadTable refused={leftOut} matching={sheet.matching} onCell={onCell} onCity={onCity} />
      )}
      <Field
        label={text.limit}
        hint={text.limitHint}
        reads={AMOUNT}
        value={sheet.priceLimit}
        onChange={onLimit}
        error={limitError}
      />
      {failure === undefined || limitError !== undefined ? null : <ProblemNotice failure={failure} />}
      {valid.length === 0 ? null : <Collected rows={valid} sheet={sheet} />}
      <div class="actions">
        {valid.length === 0 ? null : (
          <Button kind="primary" isForCompany isBusy={create.isBusy} onClick={() => void create.start(undefined)}>
            {text.create(valid.length)}
          </Button>
        )}
        <Button
          kind={valid.length === 0 ? 'primary' : 'quiet'}
          isBusy={check.isBusy || isCreating || (checked !== undefined && outcome === undefined)}
          onClick={() => void check.start(undefined)}
        >
          {outcome === undefined ? text.check : text.again}
        </Button>
        {hasChoice ? (
          <Button onClick={() => setIsLeavingOut(!isLeavingOut)}>
            {isLeavingOut ? text.takeBack : text.leaveOut(leftOut.length)}
          </Button>
        ) : null}
      </div>
    </section>
  );
}

/** What the drivers collect for rows, before they are created. */
function Collected({ rows, sheet }: { readonly rows: readonly UploadRow[]; readonly sheet: Sheet }) {
  const text = textsOf(TEXTS);
  // Amounts do not depend on the city.
  const basis: Basis = { defaults: sheet.defaults, payments: sheet.payments ?? {}, cities: [] };
  const collections = collectionsOf(rows.map((row) => requestOfRow(row, basis)));
  const sentences = collections.map(({ currency, amount, count }) =>
    text.collect(`\u2068${formatMoney(amount, currency)}\u2069`, count),
  );
  return <p>{sentences.length === 0 ? text.collectNothing : sentences.join(' ')}</p>;
}

interface CheckingProps {
  readonly batchId: string;
  readonly onChecked: (read: BatchRead) => void;
}

function Checking({ batchId, onChecked }: CheckingProps) {
  return <UploadProgress label={textsOf(TEXTS).checking} loaded={useBatch(batchId)} onEnd={onChecked} />;
}
