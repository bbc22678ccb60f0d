import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import type { DraftInUse } from '../../ui/browser/kit/draft.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { AMOUNT } from '../../ui/browser/kit/number-readers.ts';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork, type Work } from '../../ui/browser/service/loading.ts';
import type { Origins } from './shipment-form.tsx';
import type { UploadField } from './upload-fields.ts';
import { endOf, sendPart } from './upload-parts.ts';
import { type RoutePrices, withoutReasons } from './upload-prices.ts';
import { correctCell, partsOf, type UploadRow } from './upload-rows.ts';
import { isWaitingIn, type SentRows, type Sheet, type UploadDraft } from './upload-state.ts';
import { UploadSummary } from './upload-summary.tsx';
import { UploadTable } from './upload-table.tsx';
import { numberOf, type Verdict, verdictOf } from './upload-verdicts.ts';
import type { BatchRead } from './use-batch.ts';

const TEXTS = {
  en: {
    check: 'Check the rows',
    again: 'Check again',
    valid: (valid: number, total: number) => `${formatCount(valid)} of ${formatCount(total)} rows can be created.`,
    mend: 'Correct the marked cells and check again, or leave those rows out.',
    mendAll: 'Correct what is marked, and check again.',
    left: 'The other rows are left out. They stay on this page.',
    leaveOut: (count: number) =>
      count === 1 ? 'Leave out the row with errors' : `Leave out ${formatCount(count)} rows with errors`,
    takeBack: 'Show the rows with errors',
    limit: 'At most per shipment (SAR, with VAT)',
    limitHint: 'Optional. A shipment that would cost more is not created.',
    create: (count: number) => (count === 1 ? 'Create 1 shipment' : `Create ${formatCount(count)} shipments`),
    checking: 'Checking the rows',
  },
  ar: {
    check: 'افحص الصفوف',
    again: 'افحص من جديد',
    valid: (valid: number, total: number) =>
      `الصفوف التي يمكن إنشاؤها: ${formatCount(valid)} من ${formatCount(total)}.`,
    mend: 'صحّح الخلايا المؤشَّر عليها ثم افحص من جديد، أو اترك هذه الصفوف.',
    mendAll: 'صحّح ما أُشِّر عليه ثم افحص من جديد.',
    left: 'تُركت الصفوف الأخرى، وتبقى في هذه الصفحة.',
    leaveOut: (count: number) => `اترك الصفوف التي فيها أخطاء (${formatCount(count)})`,
    takeBack: 'أظهر الصفوف التي فيها أخطاء',
    limit: 'الحد الأعلى لكل شحنة (SAR، شاملًا الضريبة)',
    limitHint: 'اختياري. لا تُنشأ شحنة تكلفتها أعلى من ذلك.',
    create: (count: number) => `أنشئ الشحنات (${formatCount(count)})`,
    checking: 'جارٍ فحص الصفوف',
  },
};

interface CheckProps {
  readonly work: DraftInUse<UploadDraft>;
  readonly sheet: Sheet;
  readonly origins: Origins;
  readonly onLimit: (priceLimit: string) => void;
  /** The batches of the rows that were sent last, once all have ended. */
  readonly ended: readonly BatchRead[] | undefined;
  readonly sending: Work<SentRows>;
  /** Whether rows are sent, wait to be sent, or have no outcome yet. */
  readonly isCreating: boolean;
}

/** Checks the rows, shows what is wrong in their cells, and creates those that are valid. */
export function UploadCheck({ work, sheet, origins, onLimit, ended, sending, isCreating }: CheckProps) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, id } = work;
  const { rows, sent } = draft;
  const setRows = (change: (before: readonly UploadRow[]) => readonly UploadRow[]) =>
    setDraft((before) => ({ ...before, rows: change(before.rows) }));
  const [checked, setChecked] = useState<{ rows: readonly UploadRow[]; sheet: Sheet }>();
  const [outcome, setOutcome] = useState<ReadonlyMap<number, Verdict | undefined>>();
  // An edit of a cell takes the summary away for the next check, but changes few prices.
  const [prices, setPrices] = useState<RoutePrices>(new Map());
  const [done, setDone] = useState(0);
  const [isLeavingOut, setIsLeavingOut] = useState(false);
  const left = useRef(new AbortController());
  useEffect(() => () => left.current.abort(), []);
  const partly = useRef<{ rows: readonly UploadRow[]; sheet: Sheet; verdicts: Map<number, Verdict | undefined> }>(
    undefined,
  );
  const check = useWork(async () => {
    const { signal } = left.current;
    setChecked(undefined);
    setOutcome(undefined);
    setIsLeavingOut(false);
    setPrices(withoutReasons);
    const { current } = partly;
    const isSame = current?.rows === rows && current.sheet === sheet;
    const verdicts = isSame ? current.verdicts : new Map<number, Verdict | undefined>();
    partly.current = { rows, sheet, verdicts };
    setDone(verdicts.size);
    for (const part of partsOf(rows.slice(verdicts.size))) {
      const before = verdicts.size;
      const batchId = await sendPart(part, { mode: 'VALIDATE', basis: sheet, id, signal });
      const { items } = await endOf(batchId, signal, (some) => setDone(before + some));
      for (const item of items) verdicts.set(numberOf(item), verdictOf(item));
    }
    partly.current = undefined;
    setChecked({ rows, sheet });
    setOutcome(verdicts);
  });
  const isCurrent = checked?.rows === rows && checked.sheet === sheet && outcome !== undefined;
  const valid = useMemo(
    () => (isCurrent ? rows.filter(({ number }) => outcome.get(number) === undefined) : []),
    [isCurrent, rows, outcome],
  );
  const leftOut = rows.flatMap((row) => {
    const verdict = outcome?.get(row.number);
    return verdict === undefined ? [] : [{ row, verdict }];
  });
  const hasChoice = valid.length > 0 && leftOut.length > 0;
  const create = () => {
    // The rows that wait have no other copy.
    if (sending.isBusy || isWaitingIn(draft)) return;
    const created = new Set(valid.map(({ number }) => number));
    const { defaults, payments = {}, weights = {}, priceLimit } = sheet;
    const basis = { defaults, payments, weights, priceLimit };
    const next: SentRows = { batchIds: [], sheet: sheet.count, basis, rows: valid, leftOut };
    setDraft((before) => ({
      ...before,
      rows: before.rows.filter(({ number }) => !created.has(number)),
      sent: next,
    }));
    setChecked(undefined);
    setIsLeavingOut(false);
    navigate(addressOf('shipments/upload'), { isReplacing: true });
    void sending.start(next);
  };
  // What the batches refused returns to the other rows, so that the next ones do not replace the only copy.
  useEffect(() => {
    // Those of an earlier file have nothing to do with this one.
    if (sent?.sheet !== sheet.count || ended === undefined) return;
    const items = ended.flatMap((read) => read.items);
    const verdicts = new Map(items.map((item) => [numberOf(item), verdictOf(item)]));
    const refused = sent.rows.filter(({ number }) => verdicts.get(number) !== undefined);
    if (refused.length === 0) return;
    setRows((before) => {
      // After a reload they have returned already.
      const here = new Set(before.map(({ number }) => number));
      const missing = refused.filter(({ number }) => !here.has(number));
      return [...before, ...missing].sort((one, other) => one.number - other.number);
    });
    setOutcome((before) => new Map([...(before ?? []), ...verdicts]));
  }, [ended, sent?.sheet]);
  const onCell = (number: number, field: UploadField, value: string) =>
    setRows((before) => before.map((row) => (row.number === number ? correctCell(row, field, value) : row)));
  const onCity = (typed: string, name: string) =>
    setRows((before) =>
      before.map((row) =>
        row.values['destination.cityCode'] === typed ? correctCell(row, 'destination.cityCode', name) : row,
      ),
    );
  const { failure } = check;
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
      {check.isBusy ? (
        <p>
          <label>
            {text.checking} <progress max={rows.length} value={done} />
          </label>
        </p>
      ) : null}
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
      {valid.length === 0 ? null : (
        <UploadSummary
          rows={valid}
          onPriced={(priced) => setPrices((before) => new Map([...before, ...priced]))}
          {...{ sheet, origins, prices }}
        />
      )}
      <div class="actions">
        {valid.length === 0 ? null : (
          <Button kind="primary" isForCompany isBusy={isCreating} onClick={create}>
            {text.create(valid.length)}
          </Button>
        )}
        <Button
          kind={valid.length === 0 ? 'primary' : 'quiet'}
          isBusy={check.isBusy || isCreating}
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
