import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { tell } from '../kit/toasts.tsx';
import { service } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { forgetDriver } from './driver-session.ts';

const TEXTS = {
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
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const work = useWork(async () => {
    await service.sandbox.reset.mutate({});
    forgetDriver();
  });
  const done = () => {
    setIsAsking(false);
    tell(text.done);
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
