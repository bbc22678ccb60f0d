import { Pill } from '../../ui/pill.tsx';
import { Button } from '../kit/button.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { type Outputs, service } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';

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
