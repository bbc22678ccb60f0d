import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { Secret } from '../../ui/browser/kit/secret.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { draftOf, type EndpointDraft, EndpointForm, kindsOf } from './endpoint-form.tsx';
import { type Endpoint, inFlightWords } from './words.tsx';

const TEXTS = {
  en: { title: 'New endpoint', up: 'Webhooks', secret: 'Signing secret' },
  ar: { title: 'نقطة استقبال جديدة', up: 'الإشعارات البرمجية', secret: 'سر التوقيع' },
};

/** Creates an endpoint and then shows only its secret, until the person has stored it. */
export function NewEndpointPage({ isLocal }: { readonly isLocal: boolean }) {
  const text = textsOf(TEXTS);
  const [made, setMade] = useState<Outputs['webhookEndpoints']['create']>();
  const back = addressOf('webhooks');
  const work = useWork(async (draft: EndpointDraft) => {
    const { url, description } = draft;
    setMade(
      await service.webhookEndpoints.create.mutate({
        url,
        description: description === '' ? null : description,
        eventTypes: kindsOf(draft),
      }),
    );
  });
  return (
    <>
      <PageHead title={text.title} up={{ to: back, label: text.up }} />
      {made === undefined ? (
        <EndpointForm isLocal={isLocal} work={work} reload={() => undefined} back={back} />
      ) : (
        <>
          <p>
            <bdi dir="ltr">{made.url}</bdi>
          </p>
          <Secret
            title={text.secret}
            secret={made.signingSecret}
            onStored={() => navigate(addressOf(`webhooks/${made.endpointId}`))}
          />
        </>
      )}
    </>
  );
}

const EDIT_ENDPOINT_PAGE_TEXTS = {
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

/** Keeps what was typed when the endpoint is loaded again. */
function EditEndpoint({ current, isLocal, reload }: EditEndpointProps) {
  const text = textsOf(EDIT_ENDPOINT_PAGE_TEXTS);
  const { endpointId, version } = current;
  const back = addressOf(`webhooks/${endpointId}`);
  const work = useWork(async (draft: EndpointDraft) => {
    const { inFlight } = await service.webhookEndpoints.update.mutate({
      endpointId,
      ifMatch: `"${version}"`,
      url: draft.url,
      description: draft.description === '' ? null : draft.description,
      eventTypes: kindsOf(draft),
    });
    showToast(`${text.saved}${inFlightWords(inFlight)}`);
    navigate(back);
  });
  return (
    <>
      <PageHead title={text.title} up={{ to: back, label: text.up }} />
      <EndpointForm current={draftOf(current)} isLocal={isLocal} work={work} reload={reload} back={back} />
    </>
  );
}
