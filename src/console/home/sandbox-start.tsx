import { Button } from '../kit/button.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Skeleton } from '../kit/skeleton.tsx';
import { service } from '../service/service.ts';
import { useLoaded, useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { FirstShipment } from './first-shipment.tsx';
import { ReadinessRing } from './readiness-ring.tsx';

const TEXTS = {
  en: {
    title: 'Sandbox',
    bootstrap: 'Set the sandbox up',
    why: 'This makes a branch, a pickup location and a driver that are not real.',
    ready: 'Everything is there for a shipment.',
  },
  ar: {
    title: 'البيئة التجريبية',
    bootstrap: 'جهّز البيئة التجريبية',
    why: 'تُنشأ لك بيانات تجريبية: فرع وموقع استلام وسائق.',
    ready: 'كل ما تحتاجه الشحنة جاهز.',
  },
};

/** What is missing for the first shipment, and the shipment. */
export function SandboxStart() {
  const text = textsOf(TEXTS);
  const { value, failure, reload } = useLoaded('readiness', () => service.sandbox.readiness.query({}));
  const bootstrap = useWork(async () => {
    await service.sandbox.bootstrap.mutate({});
    reload();
  });
  return (
    <section>
      <h2>{text.title}</h2>
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      {value === undefined && failure === undefined ? <Skeleton lines={4} /> : null}
      {value === undefined ? null : (
        <>
          <ReadinessRing prerequisites={value.prerequisites} />
          <p>{value.canCreateShipment ? text.ready : text.why}</p>
          {bootstrap.failure === undefined ? null : <ProblemNotice failure={bootstrap.failure} />}
          {value.canCreateShipment ? (
            <FirstShipment readiness={value} />
          ) : (
            <Button kind="primary" isBusy={bootstrap.isBusy} onClick={() => void bootstrap.start(undefined)}>
              {text.bootstrap}
            </Button>
          )}
        </>
      )}
    </section>
  );
}
