import { useState } from 'preact/hooks';
import { PageHead } from '../kit/page-head.tsx';
import { tell } from '../kit/toasts.tsx';
import { WhenLoaded } from '../kit/when-loaded.tsx';
import { service } from '../service/service.ts';
import { useLoaded, useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';
import { draftOf, type EndpointDraft, EndpointForm, kindsOf } from './endpoint-form.tsx';
import type { Endpoint } from './words.tsx';

const TEXTS = {
  en: { title: 'Edit endpoint', up: 'Endpoint', saved: 'Saved.' },
  ar: { title: 'تعديل نقطة الاستقبال', up: 'نقطة الاستقبال', saved: 'تم الحفظ.' },
};

interface EditEndpointPageProps {
  readonly endpointId: string;
  readonly isLocal: boolean;
}

export function EditEndpointPage({ endpointId, isLocal }: EditEndpointPageProps) {
  const loaded = useLoaded(`endpoint ${endpointId}`, () => service.webhookEndpoints.get.query({ endpointId }));
  return (
    <WhenLoaded loaded={loaded}>
      {(current) => <EditEndpoint current={current} isLocal={isLocal} reload={loaded.reload} />}
    </WhenLoaded>
  );
}

interface EditEndpointProps {
  readonly current: Endpoint;
  readonly isLocal: boolean;
  readonly reload: () => void;
}

/** Keeps what was typed while the endpoint is looked at again. */
function EditEndpoint({ current, isLocal, reload }: EditEndpointProps) {
  const text = textsOf(TEXTS);
  const [start] = useState(() => draftOf(current));
  const { endpointId, version } = current;
  const back = addressOf(`webhooks/${endpointId}`);
  const work = useWork(async (draft: EndpointDraft) => {
    await service.webhookEndpoints.update.mutate({
      endpointId,
      ifMatch: `"${version}"`,
      url: draft.url.trim(),
      description: draft.description === '' ? null : draft.description,
      eventTypes: kindsOf(draft),
    });
    tell(text.saved);
    go(back);
  });
  return (
    <>
      <PageHead title={text.title} up={{ to: back, label: text.up }} />
      <EndpointForm
        start={start}
        current={draftOf(current)}
        isLocal={isLocal}
        work={work}
        reload={reload}
        back={back}
      />
    </>
  );
}
