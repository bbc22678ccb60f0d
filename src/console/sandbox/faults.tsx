import { useState } from 'preact/hooks';
import { FAULT_TARGETS, type FaultTarget } from '../../contract/driver-state.ts';
import { wholeOr } from '../../core/typed/number.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { WHOLE } from '../../ui/browser/kit/number-readers.ts';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: {
    title: 'Inject faults',
    lead: 'The next calls of your company fail as if the provider were down. Use this to test how your systems react.',
    target: 'What fails',
    count: 'How many times',
    make: 'Inject the fault',
    clear: 'Clear all faults',
    cleared: 'All faults are cleared.',
    ordered: (target: string, count: number) => `${target}: the next ${count} calls will fail.`,
    ROUTING: 'Routing',
    STORAGE: 'Document storage',
    WEBHOOK_DELIVERY: 'Webhook delivery',
    ADDRESS: 'Address look-up',
  },
  ar: {
    title: 'افتعال الأعطال',
    lead: 'تفشل الطلبات القادمة لشركتك كأن المزوّد متوقف. استخدم ذلك لاختبار استجابة أنظمتك.',
    target: 'ما الذي يفشل',
    count: 'عدد المرات',
    make: 'افتعل العطل',
    clear: 'إلغاء كل الأعطال',
    cleared: 'أُلغيت كل الأعطال.',
    ordered: (target: string, count: number) => `${target}: عدد الطلبات القادمة التي ستفشل ${count}.`,
    ROUTING: 'حساب المسار',
    STORAGE: 'تخزين المستندات',
    WEBHOOK_DELIVERY: 'تسليم الإشعارات البرمجية',
    ADDRESS: 'البحث عن العناوين',
  },
};

/** Injects faults. No operation reads the remaining count, so the page shows only the newest order. */
export function Faults() {
  const text = textsOf(TEXTS);
  const [target, setTarget] = useState<FaultTarget>('ROUTING');
  const [count, setCount] = useState('1');
  const [ordered, setOrdered] = useState('');
  const make = useWork(async () => {
    const fault = await service.sandbox.setFault.mutate({ target, count: wholeOr(count, 0) });
    setOrdered(text.ordered(text[fault.target], fault.remaining));
  });
  const clear = useWork(async () => {
    await service.sandbox.clearFaults.mutate({});
    setOrdered(text.cleared);
  });
  const countError = violationAt(make.failure, 'count', count);
  const failure = countError === undefined ? (make.failure ?? clear.failure) : undefined;
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p class="quiet">{text.lead}</p>
      <Form onSubmit={() => void make.start(undefined)}>
        <div class="sides">
          <Choice
            label={text.target}
            value={target}
            options={FAULT_TARGETS.map((value) => ({ value, label: text[value] }))}
            onChange={setTarget}
          />
          <Field label={text.count} value={count} onChange={setCount} error={countError} reads={WHOLE} />
        </div>
        {failure === undefined ? null : <ProblemNotice failure={failure} />}
        <p role="status">{ordered}</p>
        <div class="row-actions">
          <Button type="submit" isBusy={make.isBusy}>
            {text.make}
          </Button>
          <Button isBusy={clear.isBusy} onClick={() => void clear.start(undefined)}>
            {text.clear}
          </Button>
        </div>
      </Form>
    </section>
  );
}
