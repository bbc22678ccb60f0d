import { useState } from 'preact/hooks';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { Skeleton } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Tabs } from '../../ui/browser/kit/tabs.tsx';
import { Code } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { curlText, restJson } from '../shipments/rest-text.ts';
import { type Readiness, requestOf, sandboxDraft } from '../shipments/shipment-draft.ts';
import { ReadinessRing } from './readiness-ring.tsx';

const TEXTS = {
  en: {
    title: 'Sandbox',
    bootstrap: 'Set up the sandbox',
    why: 'This creates a branch, a pickup location and a driver for testing. None of them is real.',
    ready: 'You have everything that a shipment needs.',
  },
  ar: {
    title: 'البيئة التجريبية',
    bootstrap: 'جهّز البيئة التجريبية',
    why: 'تُنشأ لك بيانات تجريبية غير حقيقية: فرع وموقع استلام وسائق.',
    ready: 'كل ما تحتاجه الشحنة جاهز.',
  },
};

/** What the first shipment still needs, and then the shipment itself: a section of its own, or the content of a step. */
export function SandboxStart({ isStep = false }: { readonly isStep?: boolean }) {
  const text = textsOf(TEXTS);
  const { value, failure, reload } = useLoaded('readiness', () => service.sandbox.readiness.query({}));
  const bootstrap = useWork(async () => {
    await service.sandbox.bootstrap.mutate({});
    reload();
  });
  const content = (
    <>
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      {value === undefined && failure === undefined ? <Skeleton lines={4} /> : null}
      {value === undefined ? null : (
        <>
          {value.canCreateShipment ? (
            <details>
              <summary>{text.ready}</summary>
              <ReadinessRing prerequisites={value.prerequisites} />
            </details>
          ) : (
            <>
              <ReadinessRing prerequisites={value.prerequisites} />
              <p>{text.why}</p>
            </>
          )}
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
    </>
  );
  if (isStep) return content;
  return (
    <section>
      <h2>{text.title}</h2>
      {content}
    </section>
  );
}

const FIRST_SHIPMENT_TEXTS = {
  en: {
    create: 'Create a sample shipment',
    edit: 'Edit it first',
    code: 'The request',
    body: 'Body',
    curl: 'curl',
    token: 'How to get a token',
  },
  ar: {
    create: 'أنشئ شحنة نموذجية',
    edit: 'عدّلها أولًا',
    code: 'الطلب',
    body: 'المحتوى',
    curl: 'curl',
    token: 'كيف تحصل على رمز الوصول',
  },
};
const PATH = '/v2/external/shipments';

/** A sample shipment. A button creates it, and the curl command does the same. */
function FirstShipment({ readiness }: { readonly readiness: Readiness }) {
  const text = textsOf(FIRST_SHIPMENT_TEXTS);
  const [request] = useState(() => requestOf(sandboxDraft(readiness, companyNow())));
  // The same on every retry, and in the curl command.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const work = useWork(async () => {
    const { shipmentId } = await service.shipments.create.mutate({ ...request, idempotencyKey });
    navigate(addressOf(`shipments/${shipmentId}`));
  });
  const headers = { 'Idempotency-Key': idempotencyKey };
  return (
    <>
      <div class="actions">
        <Button kind="primary" isForCompany isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
          {text.create}
        </Button>
        <Link class="button" to={addressOf('shipments/new', { from: 'sandbox' })}>
          {text.edit}
        </Link>
      </div>
      {work.failure === undefined ? null : (
        <ProblemNotice failure={work.failure} retry={() => void work.start(undefined)} />
      )}
      <details>
        <summary>{text.code}</summary>
        <Tabs
          label={text.code}
          tabs={[
            {
              name: text.curl,
              content: () => (
                <>
                  <Code text={curlText({ method: 'POST', path: PATH, headers, body: request })} what={text.curl} />
                  <p class="small">
                    <a href={`/docs?lang=${locale}`}>{text.token}</a>
                  </p>
                </>
              ),
            },
            { name: text.body, content: () => <Code text={restJson(request)} what={text.body} /> },
          ]}
        />
      </details>
    </>
  );
}
