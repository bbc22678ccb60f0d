import { useId } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import type { SandboxReadiness } from './readiness.tsx';

const TEXTS = {
  en: {
    title: 'Hold the next shipment',
    lead: 'The next shipment is not offered to any driver until you release it on its page.',
    switch: 'Hold the next shipment',
    on: 'On',
    off: 'Off',
  },
  ar: {
    title: 'تعليق الشحنة القادمة',
    lead: 'لن تُعرض الشحنة القادمة على أي سائق حتى تلغي تعليقها من صفحتها.',
    switch: 'تعليق الشحنة القادمة',
    on: 'مفعّل',
    off: 'غير مفعّل',
  },
};

interface HoldProps {
  readonly readiness: SandboxReadiness;
  readonly reload: () => void;
}

/** The switch that holds the next shipment. */
export function Hold({ readiness: { nextShipmentDispatchHeld: isHeld }, reload }: HoldProps) {
  const text = textsOf(TEXTS);
  const id = useId();
  const work = useWork(async () => {
    await service.sandbox.setDispatchHold.mutate({ held: !isHeld });
    reload();
  });
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p id={id} class="quiet">
        {text.lead}
      </p>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={isHeld}
        aria-label={text.switch}
        aria-describedby={id}
        aria-busy={work.isBusy}
        onClick={() => void work.start(undefined)}
      >
        <span class="switch-track" aria-hidden="true" />
        <span aria-hidden="true">{isHeld ? text.on : text.off}</span>
      </button>
    </section>
  );
}
