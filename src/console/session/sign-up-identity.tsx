import type { LegalBasis } from '../../contract/registration-state.ts';
import { readMobile } from '../../core/typed/phone.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { useDraft } from '../../ui/browser/kit/draft.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { EMAIL, MOBILE, REGISTRATION_NUMBER } from '../../ui/browser/kit/readers.ts';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { deviceReference } from './sign-in.tsx';
import type { SignUpDraft } from './sign-up-draft.ts';

const TEXTS = {
  en: {
    storeName: 'Store name',
    legalBasis: 'Legal form',
    COMMERCIAL_ENTITY: 'Commercial entity',
    FREELANCER: 'Freelancer',
    commercialRegistrationNumber: 'Commercial registration number',
    commercialRegistrationHint: 'Ten digits.',
    fullName: 'Your full name',
    email: 'E-mail address',
    mobileNumber: 'Mobile',
    mobileHint: 'A Saudi mobile such as 0501234567. We send a code to this number.',
    submit: 'Continue to the documents',
  },
  ar: {
    storeName: 'اسم المتجر',
    legalBasis: 'صفتك النظامية',
    COMMERCIAL_ENTITY: 'منشأة تجارية',
    FREELANCER: 'ممارس عمل حر',
    commercialRegistrationNumber: 'رقم السجل التجاري',
    commercialRegistrationHint: 'عشرة أرقام.',
    fullName: 'اسمك الكامل',
    email: 'البريد الإلكتروني',
    mobileNumber: 'رقم الجوال',
    mobileHint: 'رقم جوال سعودي مثل 0501234567. سنرسل رمز تحقق إلى هذا الرقم.',
    submit: 'التالي: المستندات',
  },
};

/** The values of the form. They survive a reload and a change of the language. */
interface IdentityDraft {
  readonly legalBasis: LegalBasis;
  readonly storeName: string;
  readonly commercialRegistrationNumber: string;
  readonly fullName: string;
  readonly email: string;
  readonly mobileNumber: string;
}

const BLANK: IdentityDraft = {
  legalBasis: 'COMMERCIAL_ENTITY',
  storeName: '',
  commercialRegistrationNumber: '',
  fullName: '',
  email: '',
  mobileNumber: '',
};
const KEPT = 'sign-up';

/** The first step: the company and the person. The next steps work on the registration that the service answers. */
export function SignUpIdentity({ onRegistered }: { readonly onRegistered: (draft: SignUpDraft) => void }) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, kept } = useDraft(BLANK, { name: KEPT });
  const { legalBasis, ...values } = draft;
  const set = (changes: Partial<IdentityDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const work = useWork(async () => {
    const request = requestOf(draft);
    const registration = await service.registrations.create.mutate(request);
    const { mobileNumber } = request;
    kept.forget();
    onRegistered({ registration, mobileNumber, fileNames: {}, isPastDocuments: false });
  });
  const fieldOf = (name: keyof typeof values) => ({
    label: text[name],
    value: values[name],
    error: violationAt(work.failure, name, values[name]),
    onChange: (value: string) => set({ [name]: value }),
  });
  return (
    <Form kept={kept} onSubmit={() => work.start(undefined)}>
      <Field {...fieldOf('storeName')} autocomplete="organization" isFirst />
      <Choice
        label={text.legalBasis}
        value={legalBasis}
        options={(['COMMERCIAL_ENTITY', 'FREELANCER'] as const).map((value) => ({ value, label: text[value] }))}
        onChange={(chosen) => set({ legalBasis: chosen })}
      />
      {legalBasis === 'FREELANCER' ? null : (
        <Field
          {...fieldOf('commercialRegistrationNumber')}
          hint={text.commercialRegistrationHint}
          reads={REGISTRATION_NUMBER}
        />
      )}
      <Field {...fieldOf('fullName')} autocomplete="name" />
      <Field {...fieldOf('email')} reads={EMAIL} autocomplete="email" />
      <Field {...fieldOf('mobileNumber')} hint={text.mobileHint} reads={MOBILE} autocomplete="tel" />
      {work.failure === undefined || work.failure.violations.length > 0 ? null : (
        <ProblemNotice failure={work.failure} retry={() => void work.start(undefined)} />
      )}
      <Button type="submit" kind="primary" isBusy={work.isBusy}>
        {text.submit}
      </Button>
    </Form>
  );
}

/** The digits of a mobile number after its zero. */
const NINE_DIGITS = 9;

/** A freelancer has no commercial registration, so the hidden field is ignored. */
function requestOf(draft: IdentityDraft) {
  const { commercialRegistrationNumber, mobileNumber, ...identity } = draft;
  const mobile = readMobile(mobileNumber);
  return {
    ...identity,
    mobileNumber: mobile === undefined ? mobileNumber : mobile.slice(-NINE_DIGITS),
    deviceReference: deviceReference(),
    ...(draft.legalBasis === 'FREELANCER' ? {} : { commercialRegistrationNumber }),
  };
}
