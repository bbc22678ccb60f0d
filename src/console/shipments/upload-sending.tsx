import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import type { DraftInUse } from '../../ui/browser/kit/draft.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { useWork, type Work } from '../../ui/browser/service/loading.ts';
import { endOf, sendPart } from './upload-parts.ts';
import { partsOf, waitingRows } from './upload-rows.ts';
import type { SentRows, UploadDraft } from './upload-state.ts';

const TEXTS = {
  en: {
    stopped: (sent: number, total: number) =>
      `${formatCount(sent)} of ${formatCount(total)} rows were sent. The others wait here, for a day at most. Send them or move them back before you choose another file.`,
    goOn: 'Send the others',
    takeBack: 'Move them back to the table',
    stop: 'Stop after this part',
    stopping: 'No further part is sent. Wait until this one has ended.',
    running: 'Keep this page open until all rows are sent. If you leave it, come back in this browser to go on.',
  },
  ar: {
    stopped: (sent: number, total: number) =>
      `الصفوف المرسلة: ${formatCount(sent)} من ${formatCount(total)}. تنتظر البقية هنا يومًا على الأكثر. أرسلها أو أعِدها إلى الجدول قبل أن تختار ملفًا آخر.`,
    goOn: 'أرسل البقية',
    takeBack: 'أعِدها إلى الجدول',
    stop: 'أوقف الإرسال بعد هذه الدفعة',
    stopping: 'لن تُرسل دفعة أخرى. انتظر حتى تنتهي هذه الدفعة.',
    running: 'أبقِ هذه الصفحة مفتوحة حتى تُرسل كل الصفوف. وإن غادرتها فعُد إليها في هذا المتصفح لتكمل.',
  },
};

export interface Sending extends Work<SentRows> {
  /** Whether the person has asked for no further part. */
  readonly isStopping: boolean;
  readonly stop: () => void;
}

/**
 * Sends the parts of the rows that wait, one after the other. It ends when the page is left, when the person starts afresh, and
 * after the part that is under way when the person stops it. It goes on where it was.
 */
export function useSending(work: DraftInUse<UploadDraft> | undefined): Sending {
  const [isStopping, setStopping] = useState(false);
  const isStopped = useRef(false);
  const left = useRef(new AbortController());
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => () => left.current.abort(), [work?.id]);
  const setStopped = (value: boolean) => {
    isStopped.current = value;
    setStopping(value);
  };
  const sending = useWork(async (start: SentRows) => {
    setStopped(false);
    const id = latest.current?.id;
    left.current = new AbortController();
    const { signal } = left.current;
    let sent = start;
    for (;;) {
      const [part] = partsOf(waitingRows(sent));
      if (part === undefined || id === undefined || signal.aborted || isStopped.current) return;
      const batchId = await sendPart(part, { mode: 'CREATE', basis: sent.basis, id, signal });
      if (latest.current?.id !== id) return;
      sent = { ...sent, batchIds: [...sent.batchIds, batchId] };
      const { batchIds } = sent;
      latest.current.setDraft((before) =>
        before.sent?.rows === start.rows ? { ...before, sent: { ...before.sent, batchIds } } : before,
      );
      if (batchIds.length === 1 && !signal.aborted)
        navigate(addressOf('shipments/upload', { batch: batchId }), { isReplacing: true });
      if (waitingRows(sent).length > 0) await endOf(batchId, signal);
    }
  });
  return { ...sending, isStopping, stop: () => setStopped(true) };
}

interface NoticeProps {
  readonly work: DraftInUse<UploadDraft>;
  readonly sending: Sending;
}

/** Lets the person stop the sending, and says that rows wait: they can be sent or taken back. */
export function SendingNotice({ work: { draft, setDraft }, sending }: NoticeProps) {
  const text = textsOf(TEXTS);
  const { sent } = draft;
  const waiting = sent === undefined ? [] : waitingRows(sent);
  if (sent === undefined || waiting.length === 0) return null;
  if (sending.isBusy)
    return (
      <>
        <p class="small quiet" role="status">
          {sending.isStopping ? text.stopping : text.running}
        </p>
        {sending.isStopping ? null : <Button onClick={sending.stop}>{text.stop}</Button>}
      </>
    );
  const takeBack = () =>
    setDraft((before) => ({
      ...before,
      rows: [...before.rows, ...waiting].sort((one, other) => one.number - other.number),
      sent: sent.batchIds.length === 0 ? undefined : { ...sent, rows: sent.rows.slice(0, -waiting.length) },
    }));
  return (
    <section class="notice">
      {sending.failure === undefined ? null : <ProblemNotice failure={sending.failure} />}
      <p role="status">{text.stopped(sent.rows.length - waiting.length, sent.rows.length)}</p>
      <div class="actions">
        <Button kind="primary" isForCompany onClick={() => void sending.start(sent)}>
          {text.goOn}
        </Button>
        <Button onClick={takeBack}>{text.takeBack}</Button>
      </div>
    </section>
  );
}
