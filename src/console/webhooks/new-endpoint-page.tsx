import { useState } from 'preact/hooks';
import { PageHead } from '../kit/page-head.tsx';
import { Secret } from '../kit/secret.tsx';
import { type Outputs, service } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';
import { type EndpointDraft, EndpointForm, kindsOf } from './endpoint-form.tsx';

const TEXTS = {
  en: { title: 'New endpoint', up: 'Webhooks', secret: 'Signing secret' },
  ar: { title: 'نقطة استقبال جديدة', up: 'الإشعارات البرمجية', secret: 'سر التوقيع' },
};
const START: EndpointDraft = { url: '', description: '', isEveryKind: true, kinds: [] };

/** Makes an endpoint, and shows its secret: nothing else on the page until it is stored. */
export function NewEndpointPage({ isLocal }: { readonly isLocal: boolean }) {
  const text = textsOf(TEXTS);
  const [made, setMade] = useState<Outputs['webhookEndpoints']['create']>();
  const back = addressOf('webhooks');
  const work = useWork(async (draft: EndpointDraft) => {
    const { url, description } = draft;
    setMade(
      await service.webhookEndpoints.create.mutate({
        url: url.trim(),
        description: description === '' ? null : description,
        eventTypes: kindsOf(draft),
      }),
    );
  });
  return (
    <>
      <PageHead title={text.title} up={{ to: back, label: text.up }} />
      {made === undefined ? (
        <EndpointForm start={START} isLocal={isLocal} work={work} reload={() => undefined} back={back} />
      ) : (
        <>
          <p>
            <bdi dir="ltr">{made.url}</bdi>
          </p>
          <Secret
            title={text.secret}
            secret={made.signingSecret}
            onStored={() => go(addressOf(`webhooks/${made.endpointId}`))}
          />
        </>
      )}
    </>
  );
}
