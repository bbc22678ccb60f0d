import { useState } from 'preact/hooks';
import { EVENTS_KEPT_DAYS } from '../../core/limits.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { useIsOwner } from '../session/session.tsx';
import { type Endpoint, EndpointPill, inFlightWords } from './words.tsx';

const TEXTS = {
  en: {
    up: 'Webhooks',
    edit: 'Edit',
    enable: 'Enable',
    disable: 'Disable',
    enabled: 'Events are sent again.',
    disabled: 'Events are recorded but not sent.',
    remove: 'Delete',
    removed: 'The endpoint is deleted.',
    question: 'Delete this endpoint?',
    consequence: `Deliveries that are still waiting are skipped, and the secret is deleted. You can read its deliveries for ${EVENTS_KEPT_DAYS} days.`,
    givenUp:
      'The service disabled this endpoint after days of failures. Fix your receiver, enable the endpoint, then replay the missed events.',
  },
  ar: {
    up: 'الإشعارات البرمجية',
    edit: 'تعديل',
    enable: 'تفعيل',
    disable: 'إيقاف',
    enabled: 'عاد إرسال الأحداث.',
    disabled: 'تُسجّل الأحداث ولا تُرسل.',
    remove: 'حذف',
    removed: 'حُذفت نقطة الاستقبال.',
    question: 'هل تريد حذف نقطة الاستقبال هذه؟',
    consequence: `تُتخطى عمليات التسليم المنتظرة، ويُحذف السر. ويمكنك قراءة عمليات تسليمها مدة ${EVENTS_KEPT_DAYS} يومًا.`,
    givenUp:
      'أوقفت الخدمة هذه النقطة بعد أيام من الفشل. أصلح نظامك المستقبِل، ثم فعّل النقطة، ثم أعد إرسال الأحداث الفائتة.',
  },
};
const TITLE_MAX = 40;

/** The head of an endpoint's page: its address, state and actions. */
export function EndpointHead({ endpoint, reload }: { readonly endpoint: Endpoint; readonly reload: () => void }) {
  const text = textsOf(TEXTS);
  const { endpointId, url, description, state, version } = endpoint;
  const isEnabled = state === 'ENABLED';
  const isOwner = useIsOwner();
  const toggle = useWork(async () => {
    const order = { endpointId, ifMatch: `"${version}"`, enabled: !isEnabled };
    const { inFlight } = await service.webhookEndpoints.update.mutate(order);
    showToast(isEnabled ? `${text.disabled}${inFlightWords(inFlight)}` : text.enabled);
    reload();
  });
  return (
    <>
      <PageHead
        title={<bdi dir="ltr">{url}</bdi>}
        isLong={url.length > TITLE_MAX}
        up={{ to: addressOf('webhooks'), label: text.up }}
        lead={
          <>
            <EndpointPill endpoint={endpoint} /> {description === null ? null : <bdi>{description}</bdi>}
          </>
        }
      >
        {isOwner ? (
          <>
            {' '}
            <Link to={addressOf(`webhooks/${endpointId}/edit`)} class="button">
              {text.edit}
            </Link>
            <Button isBusy={toggle.isBusy} onClick={() => void toggle.start(undefined)}>
              {isEnabled ? text.disable : text.enable}
            </Button>
            <Delete endpoint={endpoint} reload={reload} />
          </>
        ) : null}
      </PageHead>
      <ChangeFailure work={toggle} reload={reload} fields={[]} />
      {state === 'AUTO_DISABLED' ? <p class="notice bad">{text.givenUp}</p> : null}
    </>
  );
}

function Delete({ endpoint, reload }: { readonly endpoint: Endpoint; readonly reload: () => void }) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const { endpointId, url, version } = endpoint;
  const work = useWork(() => service.webhookEndpoints.delete.mutate({ endpointId, ifMatch: `"${version}"` }));
  const done = () => {
    showToast(text.removed);
    navigate(addressOf('webhooks'));
  };
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        {text.remove}
      </Button>
      {isAsking ? (
        <Confirm
          title={text.question}
          verb={text.remove}
          work={work}
          reload={reload}
          onDone={done}
          onClose={() => setIsAsking(false)}
        >
          <p>
            <bdi dir="ltr">{url}</bdi>
          </p>
          <p>{text.consequence}</p>
        </Confirm>
      ) : null}
    </>
  );
}
