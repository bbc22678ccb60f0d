import { useState } from 'preact/hooks';
import { RECOVERY_HOURS } from '../../core/limits.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { EMAIL, IDENTIFIER, MOBILE } from '../../ui/browser/kit/readers.ts';
import { Moment } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';

type Found = Outputs['operations']['people']['find'][number];
type Recovery = Outputs['operations']['people']['recoveries'][number];

const TEXTS = {
  en: {
    title: 'Recover an account',
    lead: `For a person who has neither the e-mail address nor the mobile any more. Both are replaced in ${RECOVERY_HOURS} hours. We tell both old ones, and each can stop it.`,
    identifier: 'E-mail address or mobile of the account',
    find: 'Find the person',
    nobody: 'No merchant’s person has it.',
    choose: 'Recover this account',
    email: 'New e-mail address',
    mobile: 'New mobile',
    reason: 'How you know that it is this person',
    begin: 'Begin',
    begun: 'Begun. Both old ones were told.',
    waiting: 'Recoveries that wait',
    due: 'Carried out',
    stop: 'Stop',
    question: 'Stop this recovery?',
    stopped: 'Stopped.',
  },
  ar: {
    title: 'استعادة حساب',
    lead: `لمن لم يعد لديه بريده الإلكتروني ولا جواله. يُستبدل كلاهما بعد ${RECOVERY_HOURS} ساعة. نبلّغ القديمين، ويمكن لكل منهما إيقاف ذلك.`,
    identifier: 'البريد الإلكتروني أو رقم الجوال للحساب',
    find: 'ابحث عن الشخص',
    nobody: 'لا يوجد شخص لدى أي تاجر بهذا العنوان.',
    choose: 'استعد هذا الحساب',
    email: 'البريد الإلكتروني الجديد',
    mobile: 'الجوال الجديد',
    reason: 'كيف عرفت أنه هذا الشخص',
    begin: 'ابدأ',
    begun: 'بدأت الاستعادة، وأُبلغ القديمان.',
    waiting: 'استعادات تنتظر',
    due: 'موعد التنفيذ',
    stop: 'أوقفها',
    question: 'هل تريد إيقاف هذه الاستعادة؟',
    stopped: 'تم الإيقاف.',
  },
};

/** Gives a person who has neither factor a new e-mail address and mobile, and lists what waits. */
export function Recoveries() {
  const text = textsOf(TEXTS);
  const [identifier, setIdentifier] = useState('');
  const [found, setFound] = useState<readonly Found[]>();
  const [person, setPerson] = useState<Found>();
  const waiting = useLoaded('recoveries', () => service.operations.people.recoveries.query({}));
  const find = useWork(async () => {
    setPerson(undefined);
    setFound(await service.operations.people.find.query({ identifier }));
  });
  const done = () => {
    setFound(undefined);
    setPerson(undefined);
    setIdentifier('');
    waiting.reload();
  };
  return (
    <section>
      <h2>{text.title}</h2>
      <p>{text.lead}</p>
      <Form onSubmit={() => void find.start(undefined)}>
        <Field
          label={text.identifier}
          value={identifier}
          onChange={setIdentifier}
          error={violationAt(find.failure, 'identifier', identifier)}
          reads={IDENTIFIER}
        />
        <ChangeFailure work={find} reload={() => undefined} fields={['identifier']} />
        <div class="actions">
          <Button type="submit" isBusy={find.isBusy} isDisabled={identifier === ''}>
            {text.find}
          </Button>
        </div>
      </Form>
      {found?.length === 0 ? <p role="status">{text.nobody}</p> : null}
      {found?.map((one) => (
        <p key={one.personId}>
          <bdi>{one.fullName}</bdi> · <bdi>{one.companyName}</bdi>{' '}
          <button type="button" class="plain" onClick={() => setPerson(one)}>
            {text.choose}
          </button>
        </p>
      ))}
      {person === undefined ? null : <NewRecovery key={person.personId} person={person} onBegun={done} />}
      <WhenLoaded loaded={waiting}>
        {(recoveries) =>
          recoveries.length === 0 ? null : (
            <>
              <h3>{text.waiting}</h3>
              {recoveries.map((one) => (
                <Waiting key={one.recoveryId} recovery={one} onStopped={waiting.reload} />
              ))}
            </>
          )
        }
      </WhenLoaded>
    </section>
  );
}

function NewRecovery({ person, onBegun }: { readonly person: Found; readonly onBegun: () => void }) {
  const text = textsOf(TEXTS);
  const [email, setEmail] = useState('');
  const [mobile, setMobile] = useState('');
  const [reason, setReason] = useState('');
  const work = useWork(async () => {
    await service.operations.people.recover.mutate({ personId: person.personId, email, mobile, reason });
    showToast(text.begun);
    onBegun();
  });
  const errorOf = (field: string, value: string) => violationAt(work.failure, field, value);
  return (
    <Form onSubmit={() => work.start(undefined)}>
      <p>
        <strong>
          <bdi>{person.fullName}</bdi> · <bdi>{person.companyName}</bdi>
        </strong>
      </p>
      <Field label={text.email} value={email} onChange={setEmail} error={errorOf('email', email)} reads={EMAIL} />
      <Field label={text.mobile} value={mobile} onChange={setMobile} error={errorOf('mobile', mobile)} reads={MOBILE} />
      <Field label={text.reason} value={reason} onChange={setReason} error={errorOf('reason', reason)} />
      <ChangeFailure work={work} reload={() => undefined} fields={['email', 'mobile', 'reason']} />
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={work.isBusy}>
          {text.begin}
        </Button>
      </div>
    </Form>
  );
}

function Waiting({ recovery, onStopped }: { readonly recovery: Recovery; readonly onStopped: () => void }) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const work = useWork(async () => {
    await service.operations.people.stopRecovery.mutate({ recoveryId: recovery.recoveryId });
    showToast(text.stopped);
    onStopped();
  });
  const close = () => {
    work.clearFailure();
    setIsAsking(false);
  };
  return (
    <>
      <p>
        <bdi>{recovery.fullName}</bdi> · <bdi>{recovery.companyName}</bdi> · {text.due} <Moment at={recovery.dueAt} /> ·{' '}
        <bdi>{recovery.reason}</bdi>{' '}
        <button type="button" class="plain" onClick={() => setIsAsking(true)}>
          {text.stop}
        </button>
      </p>
      {isAsking ? (
        <Confirm title={text.question} verb={text.stop} work={work} onDone={close} onClose={close}>
          <p>
            <bdi>{recovery.fullName}</bdi>
          </p>
        </Confirm>
      ) : null}
    </>
  );
}
