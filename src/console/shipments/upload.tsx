import { useEffect, useState } from 'preact/hooks';
import { ORDER_FILE_ORDERS_MAX } from '../../core/limits.ts';
import { formatCount, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf } from '../../ui/browser/base/navigation.tsx';
import { type DraftInUse, KeptNotice, useAskBeforeLeaving } from '../../ui/browser/kit/draft.tsx';
import { Skeleton, WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { useLoaded, type Work } from '../../ui/browser/service/loading.ts';
import { firstDraft, type Origins, readOrigins } from './shipment-form.tsx';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { UploadCheck } from './upload-check.tsx';
import { UploadColumns } from './upload-columns.tsx';
import { labelOf } from './upload-fields.ts';
import { ChooseFile, type ChosenFile } from './upload-file.tsx';
import { UploadLeftOut } from './upload-left-out.tsx';
import { UploadNumbers } from './upload-numbers.tsx';
import { UploadPayments } from './upload-payment-words.tsx';
import { unknownMethods } from './upload-payments.ts';
import { UploadPlaceSearch } from './upload-place-search.tsx';
import { type FoundPlace, NO_FINDINGS, placedAll, withFound, withoutPlace, withWrong } from './upload-places.ts';
import { UploadResult } from './upload-result.tsx';
import { matchAnew, missingFields } from './upload-rows.ts';
import { SendingNotice, useSending } from './upload-sending.tsx';
import { isWaitingIn, type SentRows, type Sheet, type UploadDraft, useUploadDraft } from './upload-state.ts';
import { verdictOf } from './upload-verdicts.ts';
import type { BatchRead } from './use-batch.ts';

const TEXTS = {
  en: {
    title: 'Shipments from a file',
    all: 'All shipments',
    lead: `One order is one shipment, at most ${formatCount(ORDER_FILE_ORDERS_MAX)} in a file. Exports of Salla, Zid, Shopify and WooCommerce are understood as they are. The rows are checked first; nothing is created before you press the button.`,
    elsewhere: 'This upload is open in another tab. Go on there, or leave the page there to go on here.',
    missing: 'There is no column for:',
  },
  ar: {
    title: 'شحنات من ملف',
    all: 'كل الشحنات',
    lead: `كل طلب شحنة واحدة، وفي الملف ${formatCount(ORDER_FILE_ORDERS_MAX)} طلب على الأكثر. تُفهم ملفات سلة وزد وشوبيفاي ووكومرس كما هي. تُفحص الصفوف أولًا، ولا يُنشأ شيء قبل أن تضغط الزر.`,
    elsewhere: 'هذا الرفع مفتوح في علامة تبويب أخرى. أكمل هناك، أو غادر الصفحة هناك لتكمل هنا.',
    missing: 'لا يوجد عمود لما يلي:',
  },
};

/** The page at `/console/shipments/upload`: a file becomes batches. With `?batch=` it shows that batch. */
export function Upload({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const origins = useLoaded('origins', readOrigins);
  const used = useUploadDraft();
  const work = used === 'elsewhere' ? undefined : used;
  const sending = useSending(work);
  useAskBeforeLeaving(sending.isBusy);
  const [read, setEnded] = useState<{ readonly sent: SentRows | undefined; readonly reads: readonly BatchRead[] }>();
  const sent = work?.draft.sent;
  const asked = query.get('batch');
  const isOther = asked !== null && sent?.batchIds.includes(asked) !== true;
  const batchIds = isOther ? [asked] : (sent?.batchIds ?? []);
  const isWaiting = work !== undefined && isWaitingIn(work.draft);
  const ended = !isWaiting && read?.sent?.batchIds === sent?.batchIds ? read?.reads : undefined;
  const isSending = sending.isBusy || isWaiting;
  const isCreating = isSending || (sent !== undefined && !isOther && ended === undefined);
  return (
    <>
      <PageHead title={text.title} up={{ to: addressOf('shipments'), label: text.all }} lead={text.lead} />
      {used === 'elsewhere' ? (
        <p class="notice" role="status">
          {text.elsewhere}
        </p>
      ) : work === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <>
          <SendingNotice work={work} sending={sending} />
          {batchIds.length === 0 ? null : (
            <UploadResult
              key={batchIds[0]}
              batchIds={batchIds}
              sent={isOther ? undefined : sent}
              isFileHere={sent?.sheet === work.draft.sheet?.count}
              onEnd={(reads) => (isOther ? undefined : setEnded({ sent, reads }))}
            />
          )}
          <WhenLoaded loaded={origins}>
            {(value) => <FromFile origins={value} {...{ work, ended, sending, isSending, isCreating }} />}
          </WhenLoaded>
        </>
      )}
    </>
  );
}

interface FromFileProps {
  readonly origins: Origins;
  readonly work: DraftInUse<UploadDraft>;
  /** The batches of the rows that were sent last, once all have ended. */
  readonly ended: readonly BatchRead[] | undefined;
  readonly sending: Work<SentRows>;
  /** Whether rows are sent, or wait to be sent. */
  readonly isSending: boolean;
  /** Whether rows are sent, wait to be sent, or have no outcome yet. */
  readonly isCreating: boolean;
}

function FromFile({ origins, work, ended, sending, isSending, isCreating }: FromFileProps) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, kept } = work;
  const { sheet, rows } = draft;
  const onFile = ({ file, matching, rows: read }: ChosenFile) => {
    setDraft((before) => {
      // Rows of the file before are sent since this one was chosen.
      if (isWaitingIn(before)) return before;
      return {
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
        places: NO_FINDINGS,
      };
    });
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
    setDraft((before) => ({ ...before, rows: placedAll(before.rows, places) }));
  const onWrong = (place: FoundPlace) =>
    setDraft((before) => ({
      ...before,
      rows: before.rows.map((row) => withoutPlace(row, place)),
      places: withWrong(before.places, place),
    }));
  const onFound = (places: readonly FoundPlace[]) =>
    setDraft((before) => ({ ...before, places: withFound(before.places, places) }));
  // Every row has become a shipment, so that a reload begins with no file.
  useEffect(() => {
    const isDone = ended?.every(({ items }) => items.every((item) => verdictOf(item) === undefined)) === true;
    if (rows.length === 0 && isDone) kept.forget();
  }, [rows, ended]);
  const missing = sheet === undefined ? [] : missingFields(sheet.matching, sheet.defaults);
  const isAsking = sheet !== undefined && unknownMethods(sheet.file, sheet.matching, sheet.payments ?? {}).size > 0;
  return (
    <>
      <KeptNotice kept={isSending ? { ...kept, leftAt: undefined } : kept} />
      <ChooseFile isDisabled={isSending} onFile={onFile} />
      {sheet === undefined ? null : (
        <>
          <UploadLeftOut file={sheet.file} />
          <UploadColumns key={`columns-${sheet.count}`} {...sheet} origins={origins} onChange={change} />
          <UploadNumbers {...sheet} onMark={(mark) => change({ file: { ...sheet.file, mark } })} />
          {sheet.matching.includes('destination.addressLine') ? (
            <UploadPlaceSearch
              key={`places-${sheet.count}`}
              findings={draft.places}
              onConfirm={onPlaces}
              {...{ rows, onFound, onWrong }}
            />
          ) : null}
          <UploadPayments {...sheet} onChange={(payments) => change({ payments })} />
          {missing.length > 0 ? (
            <p class="notice" role="status">
              {text.missing} {missing.map((field) => labelOf(field, textsOf(SHIPMENT_FORM_TEXTS))).join(' · ')}
            </p>
          ) : isAsking ? null : (
            <UploadCheck
              key={sheet.count}
              {...{ work, sheet, origins, ended, sending, isCreating }}
              onLimit={(priceLimit) => change({ priceLimit })}
            />
          )}
        </>
      )}
    </>
  );
}
