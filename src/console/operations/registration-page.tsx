import { useEffect, useState } from 'preact/hooks';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { LongField } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, PageHead } from '../../ui/browser/kit/page.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { Fact } from '../shipments/shipment-facts.tsx';
import { BASIS_WORDS, DOCUMENT_WORDS, SAME_WORDS, STATUS_WORDS } from './registration-words.ts';

type Registration = Outputs['operations']['registrations']['get'];
type DocumentFacts = Registration['documents'][number];

const TEXTS = {
  en: {
    up: 'Registrations',
    form: 'Form',
    name: 'Person',
    basis: 'Legal basis',
    number: 'Commercial registration number',
    email: 'E-mail address',
    mobile: 'Mobile',
    started: 'Started',
    decision: 'Last decision',
    elsewhere: 'Also elsewhere',
    locked: 'This PDF is protected and may ask for a password.',
    documents: 'Documents',
    none: 'There is no document. The files of rejected registrations are deleted after 30 days.',
    look: 'Look again',
    open: 'Open',
    save: 'Save the file',
    seen: 'Each document that you open is in the audit with your name.',
    reason: 'Reason',
    done: 'Done.',
    approve: {
      verb: 'Approve',
      question: 'Approve this registration?',
      consequence: 'The company may create shipments from now on.',
      hint: 'For the audit, in at least three characters.',
    },
    reject: {
      verb: 'Reject',
      question: 'Reject this registration?',
      consequence: 'The company cannot create shipments. Its documents are deleted after 30 days.',
      hint: 'The company gets it by message.',
    },
  },
  ar: {
    up: 'التسجيلات',
    form: 'النموذج',
    name: 'الشخص',
    basis: 'الصفة النظامية',
    number: 'رقم السجل التجاري',
    email: 'البريد الإلكتروني',
    mobile: 'الجوال',
    started: 'بدأ',
    decision: 'آخر قرار',
    elsewhere: 'في تسجيلات أخرى',
    locked: 'ملف PDF هذا محمي وقد يطلب كلمة مرور.',
    documents: 'المستندات',
    none: 'لا يوجد مستند. تُحذف ملفات التسجيلات المرفوضة بعد 30 يومًا.',
    look: 'حدّث',
    open: 'افتح',
    save: 'احفظ الملف',
    seen: 'كل مستند تفتحه يُسجَّل باسمك في سجل التدقيق.',
    reason: 'السبب',
    done: 'تم.',
    approve: {
      verb: 'موافقة',
      question: 'هل تريد الموافقة على هذا التسجيل؟',
      consequence: 'تستطيع الشركة إنشاء الشحنات من الآن.',
      hint: 'لسجل التدقيق، ثلاثة أحرف على الأقل.',
    },
    reject: {
      verb: 'رفض',
      question: 'هل تريد رفض هذا التسجيل؟',
      consequence: 'لا تستطيع الشركة إنشاء شحنات. وتُحذف مستنداتها بعد 30 يومًا.',
      hint: 'يصل إلى الشركة في رسالة.',
    },
  },
};

/** One registration: the form, its documents beside it, and the decision. */
export function RegistrationPage({ registrationId }: { readonly registrationId: string }) {
  const loaded = useLoaded(`registration ${registrationId}`, () =>
    service.operations.registrations.get.query({ registrationId }),
  );
  return (
    <WhenLoaded loaded={loaded}>
      {(registration) => <Details registration={registration} reload={loaded.reload} />}
    </WhenLoaded>
  );
}

interface DetailsProps {
  readonly registration: Registration;
  readonly reload: () => void;
}

function Details({ registration, reload }: DetailsProps) {
  const text = textsOf(TEXTS);
  const { registrationId, status, storeName, documents, decision, commercialRegistrationNumber } = registration;
  return (
    <>
      <PageHead
        title={<bdi>{storeName}</bdi>}
        up={{ to: addressOf('registrations'), label: text.up }}
        lead={STATUS_WORDS[status][locale]}
      >
        {status === 'PENDING' || status === 'REJECTED' ? (
          <Decision registrationId={registrationId} verdict="approve" onDecided={reload} />
        ) : null}
        {status === 'PENDING' ? <Decision registrationId={registrationId} verdict="reject" onDecided={reload} /> : null}
      </PageHead>
      <div class="sides">
        <section class="part">
          <h2>{text.form}</h2>
          <dl class="facts">
            <Fact name={text.basis}>{BASIS_WORDS[registration.legalBasis][locale]}</Fact>
            {commercialRegistrationNumber === null ? null : (
              <Fact name={text.number}>
                <Exact>{commercialRegistrationNumber}</Exact>
              </Fact>
            )}
            <Fact name={text.name}>
              <bdi>{registration.fullName}</bdi>
            </Fact>
            <Fact name={text.email}>
              <Exact>{registration.email}</Exact>
            </Fact>
            <Fact name={text.mobile}>
              <Exact>{registration.mobile}</Exact>
            </Fact>
            <Fact name={text.started}>
              <Moment at={registration.createdAt} />
            </Fact>
            {registration.elsewhere.map((other) => (
              <Fact key={other.registrationId} name={text.elsewhere}>
                <Link to={addressOf(`registrations/${other.registrationId}`)}>
                  <bdi>{other.storeName}</bdi>
                </Link>{' '}
                · {other.same.map((fact) => SAME_WORDS[fact][locale]).join(locale === 'ar' ? '، ' : ', ')}
              </Fact>
            ))}
            {decision === null ? null : (
              <Fact name={text.decision}>
                <bdi>{decision.reason}</bdi> · <Moment at={decision.decidedAt} />
              </Fact>
            )}
          </dl>
        </section>
        <section class="part">
          <h2>{text.documents}</h2>
          {documents.length === 0 ? (
            <Empty text={text.none}>
              <Button onClick={reload}>{text.look}</Button>
            </Empty>
          ) : (
            <>
              <p class="quiet small">{text.seen}</p>
              {documents.map((document) => (
                <OneDocument key={document.documentType} registrationId={registrationId} document={document} />
              ))}
            </>
          )}
        </section>
      </div>
    </>
  );
}

interface OneDocumentProps {
  readonly registrationId: string;
  readonly document: DocumentFacts;
}

/** A document, loaded when the operator opens it. Pictures are shown; other files can only be saved. */
function OneDocument({ registrationId, document: { documentType, isProtected, uploadedAt } }: OneDocumentProps) {
  const text = textsOf(TEXTS);
  const title = DOCUMENT_WORDS[documentType][locale];
  const [file, setFile] = useState<{ readonly url: string; readonly name: string; readonly isPicture: boolean }>();
  useEffect(() => () => (file === undefined ? undefined : URL.revokeObjectURL(file.url)), [file]);
  const work = useWork(async () => {
    const { base64, contentType, fileName } = await service.operations.registrations.document.query({
      registrationId,
      documentType,
    });
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], { type: contentType }));
    setFile({ url, name: fileName, isPicture: contentType !== 'application/pdf' });
  });
  return (
    <div class="part">
      <h3>{title}</h3>
      <p class="quiet small">
        <Moment at={uploadedAt} />
      </p>
      {isProtected ? <p class="small">{text.locked}</p> : null}
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
      {file === undefined ? (
        <Button isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
          {text.open}
        </Button>
      ) : (
        <>
          {file.isPicture ? <img class="scan" src={file.url} alt={title} /> : null}
          <a class="button" href={file.url} download={file.name}>
            {text.save}
          </a>
        </>
      )}
    </div>
  );
}

interface DecisionProps {
  readonly registrationId: string;
  readonly verdict: 'approve' | 'reject';
  readonly onDecided: () => void;
}

function Decision({ registrationId, verdict, onDecided }: DecisionProps) {
  const text = textsOf(TEXTS);
  const { verb, question, consequence, hint } = text[verdict];
  const [isAsking, setIsAsking] = useState(false);
  const [reason, setReason] = useState('');
  const work = useWork(async () => {
    await service.operations.registrations[verdict].mutate({ registrationId, reason });
    showToast(text.done);
    onDecided();
  });
  const close = () => setIsAsking(false);
  const isDanger = verdict === 'reject';
  return (
    <>
      <Button kind={isDanger ? 'danger' : 'primary'} onClick={() => setIsAsking(true)}>
        {verb}
      </Button>
      {isAsking ? (
        <Confirm
          title={question}
          verb={verb}
          work={work}
          isDanger={isDanger}
          isReady={reason !== ''}
          reload={onDecided}
          fields={['reason']}
          onDone={close}
          onClose={close}
        >
          <p>{consequence}</p>
          <LongField
            label={text.reason}
            hint={hint}
            value={reason}
            onChange={setReason}
            error={violationAt(work.failure, 'reason')}
          />
        </Confirm>
      ) : null}
    </>
  );
}
