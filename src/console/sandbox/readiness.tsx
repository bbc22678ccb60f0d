import { useState } from 'preact/hooks';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { Pill } from '../../ui/state.tsx';
import { forgetDriver } from './driver-session.ts';
import { PREREQUISITE_WORDS } from './prerequisite-words.ts';

export type SandboxReadiness = Outputs['sandbox']['readiness'];

const TEXTS = {
  en: {
    yes: 'Ready: you can create a shipment',
    no: 'Not ready yet',
    make: 'Create what is missing',
    ready: 'Ready',
    missing: 'Missing',
  },
  ar: {
    yes: 'جاهزة: يمكنك إنشاء شحنة',
    no: 'ليست جاهزة بعد',
    make: 'أنشئ ما ينقص',
    ready: 'جاهز',
    missing: 'ناقص',
  },
};

interface ReadinessProps {
  readonly readiness: SandboxReadiness;
  readonly reload: () => void;
}

/** Whether a shipment can be created, its prerequisites, and a button that creates what is missing. */
export function Readiness({ readiness, reload }: ReadinessProps) {
  const text = textsOf(TEXTS);
  const { canCreateShipment, prerequisites } = readiness;
  const work = useWork(async () => {
    await service.sandbox.bootstrap.mutate({});
    reload();
  });
  return (
    <section class="readiness">
      <p class="answer" role="status">
        {canCreateShipment ? text.yes : text.no}
      </p>
      <ul class="prerequisites calm">
        {prerequisites.map(({ prerequisite, ready }) => (
          <li key={prerequisite}>
            <span>{PREREQUISITE_WORDS[prerequisite][locale]}</span>
            <Pill tone={ready ? 'good' : 'waiting'}>{ready ? text.ready : text.missing}</Pill>
          </li>
        ))}
      </ul>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
      {canCreateShipment ? null : (
        <Button kind="primary" isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
          {text.make}
        </Button>
      )}
    </section>
  );
}

const RESET_TEXTS = {
  en: {
    title: 'Reset',
    generation: (count: number) => `Generation of the fixtures: ${count}`,
    reset: 'Reset the sandbox',
    question: 'Reset the sandbox?',
    consequence:
      'This creates a new branch, pickup location and drivers, and ends the hold, faults, scenarios and driver sessions. Shipments do not change.',
    done: 'The sandbox is reset.',
  },
  ar: {
    title: 'إعادة الضبط',
    generation: (count: number) => `رقم نسخة البيانات التجريبية: ${count}`,
    reset: 'إعادة ضبط البيئة التجريبية',
    question: 'هل تريد إعادة ضبط البيئة التجريبية؟',
    consequence:
      'يُنشأ فرع وموقع استلام وسائقون من جديد، وينتهي التعليق والأعطال والسيناريوهات وجلسات السائقين. أما الشحنات فلا تتغير.',
    done: 'أُعيد ضبط البيئة التجريبية.',
  },
};

interface ResetProps {
  readonly generation: number;
  readonly reload: () => void;
}

/** Resets the fixtures after a confirmation. */
export function Reset({ generation, reload }: ResetProps) {
  const text = textsOf(RESET_TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const work = useWork(async () => {
    await service.sandbox.reset.mutate({});
    forgetDriver();
  });
  const done = () => {
    setIsAsking(false);
    showToast(text.done);
    reload();
  };
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p class="quiet">{text.generation(generation)}</p>
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        {text.reset}
      </Button>
      {isAsking ? (
        <Confirm title={text.question} verb={text.reset} work={work} onDone={done} onClose={() => setIsAsking(false)}>
          <p>{text.consequence}</p>
        </Confirm>
      ) : null}
    </section>
  );
}
