import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Code } from '../kit/copy.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { Link } from '../shell/link.tsx';
import { locale, textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';
import { curlText, restJson } from '../shipments/rest-text.ts';
import { type Readiness, requestOf, sandboxDraft } from '../shipments/shipment-draft.ts';
import { useCreation } from '../shipments/use-creation.ts';

const TEXTS = {
  en: {
    create: 'Create a sample shipment',
    edit: 'Change it first',
    code: 'What is sent',
    body: 'Body',
    curl: 'curl',
    token: 'How to get a token',
  },
  ar: {
    create: 'أنشئ شحنة نموذجية',
    edit: 'عدّلها أولًا',
    code: 'ما سيُرسل',
    body: 'المحتوى',
    curl: 'curl',
    token: 'كيف تحصل على رمز الوصول',
  },
};
const PATH = '/v2/external/shipments';

/** A shipment that can be created as it stands: by a button, or by a program with the same body. */
export function FirstShipment({ readiness }: { readonly readiness: Readiness }) {
  const text = textsOf(TEXTS);
  const [request] = useState(() => requestOf(sandboxDraft(readiness, new Date())));
  const { work, keyOf } = useCreation(({ shipmentId }) => go(addressOf(`shipments/${shipmentId}`)));
  const headers = { 'Idempotency-Key': keyOf(request) };
  return (
    <>
      <div class="actions">
        <Button kind="primary" isBusy={work.isBusy} onClick={() => void work.start(request)}>
          {text.create}
        </Button>
        <Link class="button" to={addressOf('shipments/new', { from: 'sandbox' })}>
          {text.edit}
        </Link>
      </div>
      {work.failure === undefined ? null : (
        <ProblemNotice failure={work.failure} retry={() => void work.start(request)} />
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
