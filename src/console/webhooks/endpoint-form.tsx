import { EVENT_TYPES, type EventType } from '../../contract/event-type.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { useDraft } from '../../ui/browser/kit/draft.tsx';
import { Check, Checks, Field } from '../../ui/browser/kit/field.tsx';
import { Form, SaveOrCancel } from '../../ui/browser/kit/form.tsx';
import { ChangeFailure, changedHint } from '../../ui/browser/kit/problem-notice.tsx';
import { URL_READER } from '../../ui/browser/kit/readers.ts';
import { type CallFailure, violationAt } from '../../ui/browser/service/failure.ts';
import type { Work } from '../../ui/browser/service/loading.ts';
import type { Endpoint } from './words.tsx';

/** The values of the endpoint form. */
export interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  readonly isEveryKind: boolean;
  readonly kinds: readonly EventType[];
}

const TEXTS = {
  en: {
    url: 'Address',
    urlHint: 'An https address with a public host name. Redirects are not followed.',
    urlHintLocal: 'An https address with a public host name, or http://127.0.0.1 on this machine.',
    description: 'Description (optional)',
    every: 'All event types, including future ones',
    kinds: 'Only these event types',
  },
  ar: {
    url: 'العنوان',
    urlHint: 'عنوان https باسم مضيف عام. لا تُتبع عمليات إعادة التوجيه.',
    urlHintLocal: 'عنوان https باسم مضيف عام، أو http://127.0.0.1 على هذا الجهاز.',
    description: 'الوصف (اختياري)',
    every: 'جميع أنواع الأحداث، بما فيها ما يُضاف لاحقًا',
    kinds: 'هذه الأنواع فقط',
  },
};
const FIELDS = ['url', 'description', 'eventTypes'];
const NO_ENDPOINT: EndpointDraft = { url: '', description: '', isEveryKind: true, kinds: [] };

interface EndpointFormProps {
  readonly current?: EndpointDraft;
  readonly isLocal?: boolean;
  readonly work: Work<EndpointDraft>;
  readonly reload: () => void;
  readonly back: string;
}

/** The form of an endpoint. */
export function EndpointForm({ current: stored, isLocal = false, work, reload, back }: EndpointFormProps) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, start, kept } = useDraft(stored ?? NO_ENDPOINT, { isChange: stored !== undefined });
  const current = stored ?? NO_ENDPOINT;
  const change = (part: Partial<EndpointDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { failure } = work;
  const urlError = violationAt(failure, 'url', draft.url) ?? refusedUrl(failure);
  return (
    <Form kept={kept} onSubmit={() => work.start(draft)}>
      <Field
        label={text.url}
        value={draft.url}
        onChange={(url) => change({ url })}
        error={urlError}
        hint={changedHint(start.url, current.url) ?? (isLocal ? text.urlHintLocal : text.urlHint)}
        reads={URL_READER}
        isFirst
      />
      <Field
        label={text.description}
        value={draft.description}
        onChange={(description) => change({ description })}
        error={violationAt(failure, 'description')}
        hint={changedHint(start.description, current.description)}
      />
      <Check label={text.every} isOn={draft.isEveryKind} onChange={(isEveryKind) => change({ isEveryKind })} />
      {draft.isEveryKind ? null : (
        <Checks
          label={text.kinds}
          options={EVENT_TYPES.map((value) => ({ value, label: value, isCode: true }))}
          values={draft.kinds}
          onChange={(kinds) => change({ kinds })}
          error={violationAt(failure, 'eventTypes')}
        />
      )}
      <p class="small quiet">{changedHint(kindsOf(start).join(', '), kindsOf(current).join(', '))}</p>
      {urlError === undefined ? <ChangeFailure work={work} reload={reload} fields={FIELDS} /> : null}
      <SaveOrCancel isBusy={work.isBusy} isForCompany back={back} kept={kept} />
    </Form>
  );
}

/** The event types of a request. `*` means every type and stands alone. */
export function kindsOf({ isEveryKind, kinds }: EndpointDraft): (EventType | '*')[] {
  return isEveryKind ? ['*'] : [...kinds];
}

export function draftOf({ url, description, eventTypes }: Endpoint): EndpointDraft {
  const kinds = eventTypes.filter((type) => type !== '*');
  return { url, description: description ?? '', isEveryKind: eventTypes.includes('*'), kinds };
}

const REFUSED_URL_TEXTS = {
  en: {
    NOT_A_URL: 'This is not a valid address.',
    ENCODING: 'A % must begin two hexadecimal digits. Write % itself as %25.',
    FRAGMENT: 'Remove # and what follows. It is never sent.',
    DIRECTION_MARK: 'The address has invisible marks of direction. Type it instead of copying it.',
    LENGTH: 'The address is too long.',
    SCHEME: 'Use an https address.',
    CREDENTIALS: 'The address must not contain a user name or password.',
    IP_ADDRESS: 'Use a host name, not an IP address.',
    HOST: 'This host name is not public.',
    OWN_ADDRESS: 'This is the service’s own address.',
    PORT: 'This port is not allowed. Use 443, or 1024 and above.',
  },
  ar: {
    NOT_A_URL: 'هذا ليس عنوانًا صحيحًا.',
    ENCODING: 'يجب أن يتبع علامة % رقمان ست عشريان. اكتب % نفسها \u2068%25\u2069.',
    FRAGMENT: 'احذف # وما بعدها، فهي لا تُرسل.',
    DIRECTION_MARK: 'في العنوان علامات اتجاه خفية. اكتبه بدل نسخه.',
    LENGTH: 'العنوان طويل جدًا.',
    SCHEME: 'استخدم عنوان https.',
    CREDENTIALS: 'يجب ألا يحتوي العنوان على اسم مستخدم أو كلمة مرور.',
    IP_ADDRESS: 'استخدم اسم مضيف لا عنوان IP.',
    HOST: 'اسم المضيف هذا ليس عامًا.',
    OWN_ADDRESS: 'هذا عنوان الخدمة نفسها.',
    PORT: 'هذا المنفذ غير مسموح به. استخدم 443 أو 1024 فما فوق.',
  },
};

/** Why the service refused the address, if that was the failure. */
function refusedUrl(failure: CallFailure | undefined): string | undefined {
  if (failure?.code !== 'WEBHOOK_URL_NOT_ALLOWED') return undefined;
  const reasons: Readonly<Record<string, string>> = textsOf(REFUSED_URL_TEXTS);
  return reasons[String(failure.problem?.['reason'])] ?? failure.detail ?? failure.title;
}
