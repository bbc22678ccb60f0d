import { useState } from 'preact/hooks';
import { Pill } from '../../ui/state.tsx';
import { textsOf } from '../base/locale.ts';
import { Confirm } from '../kit/dialog.tsx';
import { Button } from '../kit/form.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { showToast } from '../kit/toasts.tsx';
import { type Outputs, service } from '../service/calls.ts';
import { useWork } from '../service/loading.ts';
import { forgetDriver } from './driver-session.ts';

export type SandboxReadiness = Outputs['sandbox']['readiness'];

const TEXTS = {
  en: {
    yes: 'Ready: a shipment can be created',
    no: 'Not ready yet',
    make: 'Make what is missing',
    ready: 'Ready',
    missing: 'Missing',
    COMPANY_VERIFIED: 'Company verified',
    BRANCH: 'Branch',
    PICKUP_LOCATION: 'Pickup location',
    CITY: 'City served',
    COMMERCIAL_TERMS: 'Commercial terms',
    DRIVER: 'Driver on duty',
    ROUTING: 'Routing',
  },
  ar: {
    yes: 'جاهزة: يمكن إنشاء شحنة',
    no: 'ليست جاهزة بعد',
    make: 'أكمل الناقص',
    ready: 'جاهز',
    missing: 'ناقص',
    COMPANY_VERIFIED: 'توثيق الشركة',
    BRANCH: 'الفرع',
    PICKUP_LOCATION: 'موقع الاستلام',
    CITY: 'تغطية المدينة',
    COMMERCIAL_TERMS: 'الشروط التجارية',
    DRIVER: 'سائق متاح',
    ROUTING: 'حساب المسار',
  },
};

interface ReadinessProps {
  readonly readiness: SandboxReadiness;
  readonly reload: () => void;
}

/** Whether a shipment can be created, what it needs, and the one button that makes what is missing. */
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
            <span>{text[prerequisite]}</span>
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
    title: 'Begin anew',
    generation: (count: number) => `This is generation ${count} of the fixtures.`,
    reset: 'Reset the sandbox',
    question: 'Reset the sandbox?',
    consequence:
      'Its branch, pickup location and drivers are made anew; hold, faults, scenarios and driver sessions end. Shipments stay what they are.',
    done: 'The sandbox is as new.',
  },
  ar: {
    title: 'البدء من جديد',
    generation: (count: number) => `هذا هو الجيل ${count} من البيانات التجريبية.`,
    reset: 'إعادة ضبط البيئة التجريبية',
    question: 'هل تريد إعادة ضبط البيئة التجريبية؟',
    consequence:
      'يُنشأ الفرع وموقع الاستلام والسائقان من جديد، وينتهي التعليق والأعطال والسيناريوهات وجلسات السائقين. أما الشحنات فتبقى كما هي.',
    done: 'عادت البيئة التجريبية كالجديدة.',
  },
};

interface ResetProps {
  readonly generation: number;
  readonly reload: () => void;
}

/** Makes the fixtures anew, when somebody is sure. */
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
