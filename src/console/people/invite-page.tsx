import { ROLES } from '../../contract/person-role.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { useDraft } from '../../ui/browser/kit/draft.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, CancelLink, Form } from '../../ui/browser/kit/form.tsx';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { EMAIL, MOBILE } from '../../ui/browser/kit/readers.ts';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Inputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { ROLE_WORDS, worded } from './member.tsx';

const TEXTS = {
  en: {
    title: 'Invite a person',
    up: 'People',
    name: 'Name',
    email: 'E-mail address',
    emailHint: 'The invitation goes there. The person accepts it with a code.',
    mobile: 'Mobile',
    mobileHint: 'The second factor of the person.',
    role: 'Role',
    roleHint:
      'A member works with shipments. An owner also manages people, the API credential and webhooks, with a second factor.',
    send: 'Send the invitation',
    cancel: 'Cancel',
    sent: 'The invitation is sent.',
    full: 'Your company has as many people as it can have. Remove somebody first.',
  },
  ar: {
    title: 'دعوة شخص',
    up: 'الأشخاص',
    name: 'الاسم',
    email: 'البريد الإلكتروني',
    emailHint: 'تصل إليه الدعوة، ويقبلها الشخص برمز تحقق.',
    mobile: 'رقم الجوال',
    mobileHint: 'عامل التحقق الثاني لهذا الشخص.',
    role: 'الدور',
    roleHint:
      'يعمل العضو على الشحنات. ويدير المالك أيضًا الأشخاص وبيانات اعتماد API والإشعارات البرمجية بعامل تحقق ثانٍ.',
    send: 'إرسال الدعوة',
    cancel: 'إلغاء',
    sent: 'أُرسلت الدعوة.',
    full: 'بلغت شركتك أقصى عدد من الأشخاص. أزل أحدهم أولًا.',
  },
};

type Draft = Inputs['people']['add'];

const NOBODY: Draft = { fullName: '', email: '', mobile: '', role: 'MEMBER' };

/** The form that invites a person. */
export function InvitePage() {
  const text = textsOf(TEXTS);
  const back = addressOf('people');
  const { draft, setDraft, kept } = useDraft(NOBODY);
  const work = useWork(async () => {
    await service.people.add.mutate(draft);
    showToast(text.sent);
    navigate(back);
  });
  const field = (name: 'fullName' | 'email' | 'mobile') => ({
    value: draft[name],
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    error: violationAt(work.failure, name, draft[name]),
  });
  return (
    <>
      <PageHead title={text.title} up={{ to: back, label: text.up }} />
      <Form kept={kept} onSubmit={() => work.start(undefined)}>
        <Field label={text.name} isFirst {...field('fullName')} />
        <Field label={text.email} hint={text.emailHint} reads={EMAIL} {...field('email')} />
        <Field label={text.mobile} hint={text.mobileHint} reads={MOBILE} {...field('mobile')} />
        <Choice
          label={text.role}
          hint={text.roleHint}
          value={draft.role}
          options={ROLES.toReversed().map((value) => ({ value, label: ROLE_WORDS[value][locale] }))}
          onChange={(role) => setDraft((before) => ({ ...before, role }))}
        />
        <ChangeFailure
          work={{ ...work, failure: worded(work.failure, { INVALID_STATE_TRANSITION: text.full }) }}
          reload={() => undefined}
          fields={Object.keys(NOBODY)}
        />
        <div class="actions">
          <Button type="submit" kind="primary" isForCompany isBusy={work.isBusy}>
            {text.send}
          </Button>
          <CancelLink back={back} kept={kept}>
            {text.cancel}
          </CancelLink>
        </div>
      </Form>
    </>
  );
}
