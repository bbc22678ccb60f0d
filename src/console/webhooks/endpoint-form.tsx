import { useState } from 'preact/hooks';
import { EVENT_TYPES, type EventType } from '../../contract/event-type.ts';
import { Button } from '../kit/button.tsx';
import { ChangeFailure, changedHint } from '../kit/change-failure.tsx';
import { Check, Checks } from '../kit/checks.tsx';
import { faultAt } from '../kit/fault-at.ts';
import { Field } from '../kit/field.tsx';
import { Form } from '../kit/form.tsx';
import { violationAt } from '../service/failure.ts';
import type { Work } from '../service/use-loaded.ts';
import { Link } from '../shell/link.tsx';
import { textsOf } from '../shell/locale.ts';
import { refusedUrl } from './refused-url.ts';
import type { Endpoint } from './words.tsx';

/** What a person says of an endpoint. */
export interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  readonly isEveryKind: boolean;
  readonly kinds: readonly EventType[];
}

const TEXTS = {
  en: {
    url: 'Address',
    urlHint: 'https, with a public name. Redirects are not followed.',
    urlHintLocal: 'https with a public name, or http://127.0.0.1 on this machine.',
    description: 'Description (optional)',
    every: 'Every kind of event, also those to come',
    kinds: 'Only these kinds',
    save: 'Save',
    cancel: 'Cancel',
  },
  ar: {
    url: 'العنوان',
    urlHint: 'يبدأ بـ https وباسم عام. لا تُتبع عمليات إعادة التوجيه.',
    urlHintLocal: 'يبدأ بـ https وباسم عام، أو http://127.0.0.1 على هذا الجهاز.',
    description: 'الوصف (اختياري)',
    every: 'جميع أنواع الأحداث، بما فيها ما يُضاف لاحقًا',
    kinds: 'هذه الأنواع فقط',
    save: 'حفظ',
    cancel: 'إلغاء',
  },
};
const FIELDS = ['url', 'description', 'eventTypes'];

interface EndpointFormProps {
  readonly start: EndpointDraft;
  readonly current?: EndpointDraft;
  readonly isLocal?: boolean;
  readonly work: Work<EndpointDraft>;
  readonly reload: () => void;
  readonly back: string;
}

/** The fields of an endpoint. */
export function EndpointForm({ start, current = start, isLocal = false, work, reload, back }: EndpointFormProps) {
  const text = textsOf(TEXTS);
  const [draft, setDraft] = useState(start);
  const change = (part: Partial<EndpointDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { failure } = work;
  const urlError = faultAt(failure, 'url', draft.url) ?? refusedUrl(failure);
  return (
    <Form onSubmit={() => void work.start(draft)}>
      <Field
        label={text.url}
        value={draft.url}
        onChange={(url) => change({ url })}
        error={urlError}
        hint={changedHint(start.url, current.url) ?? (isLocal ? text.urlHintLocal : text.urlHint)}
        inputMode="url"
        dir="ltr"
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
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={work.isBusy}>
          {text.save}
        </Button>
        <Link to={back} class="button">
          {text.cancel}
        </Link>
      </div>
    </Form>
  );
}

/** Kinds as the service takes them: `*` stands alone, and is every kind. */
export function kindsOf({ isEveryKind, kinds }: EndpointDraft): (EventType | '*')[] {
  return isEveryKind ? ['*'] : [...kinds];
}

export function draftOf({ url, description, eventTypes }: Endpoint): EndpointDraft {
  const kinds = eventTypes.filter((type) => type !== '*');
  return { url, description: description ?? '', isEveryKind: eventTypes.includes('*'), kinds };
}
