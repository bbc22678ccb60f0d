import { useState } from 'preact/hooks';
import { SESSIONS_END_REASONS } from '../../contract/driver-state.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { MOBILE } from '../../ui/browser/kit/readers.ts';
import { Exact } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { type DriverDraft, DriverForm, draftOfDriver, termsOfDriver } from './driver-form.tsx';
import { FleetPill } from './fleet-words.tsx';

type Driver = Outputs['operations']['drivers']['get'];

const TEXTS = {
  en: {
    up: 'Drivers',
    create: 'New driver',
    created: 'The driver is added, off duty.',
    saved: 'Saved.',
    goOn: 'Put on duty',
    goOff: 'Take off duty',
    phone: 'Change the phone',
    phoneQuestion: 'Change the phone of this driver?',
    phoneConsequence: 'The old number cannot sign in any more, and all sessions of the driver end.',
    newPhone: 'New mobile',
    sessions: 'End sessions',
    sessionsQuestion: 'End all sessions of this driver?',
    sessionsConsequence: 'The driver has to sign in again by a code. Shipments and duty stay as they are.',
    reason: 'Reason',
    choose: 'Choose',
    PHONE_LOST: 'The phone is lost or stolen',
    MISUSE: 'Somebody else uses the account',
    DRIVER_LEFT: 'The driver has left',
    OTHER: 'Another reason',
    block: 'Block',
    unblock: 'Unblock',
    question: 'Block this driver?',
    consequence:
      'The driver gets no new offers. Shipments that the driver carries stay with the driver until you reassign them.',
  },
  ar: {
    up: 'السائقون',
    create: 'سائق جديد',
    created: 'أُضيف السائق خارج المناوبة.',
    saved: 'تم الحفظ.',
    goOn: 'بدء المناوبة',
    goOff: 'إنهاء المناوبة',
    phone: 'تغيير الجوال',
    phoneQuestion: 'هل تريد تغيير جوال هذا السائق؟',
    phoneConsequence: 'لن يمكن تسجيل الدخول بالرقم القديم، وستنتهي كل جلسات السائق.',
    newPhone: 'الجوال الجديد',
    sessions: 'إنهاء الجلسات',
    sessionsQuestion: 'هل تريد إنهاء كل جلسات هذا السائق؟',
    sessionsConsequence: 'سيسجّل السائق الدخول من جديد برمز تحقق، وتبقى الشحنات والمناوبة كما هي.',
    reason: 'السبب',
    choose: 'اختر',
    PHONE_LOST: 'الجوال مفقود أو مسروق',
    MISUSE: 'شخص آخر يستخدم الحساب',
    DRIVER_LEFT: 'ترك السائق العمل',
    OTHER: 'سبب آخر',
    block: 'حظر',
    unblock: 'رفع الحظر',
    question: 'هل تريد حظر هذا السائق؟',
    consequence: 'لن تصل إلى السائق عروض جديدة. أما الشحنات التي معه فتبقى معه حتى تعيد إسنادها.',
  },
};

export function NewDriverPage({ shard }: { readonly shard: string }) {
  const text = textsOf(TEXTS);
  const back = addressOf('drivers', { shard });
  const work = useWork(async (draft: DriverDraft) => {
    const { phone } = draft;
    const { driverId } = await service.operations.drivers.create.mutate({ shard, phone, ...termsOfDriver(draft) });
    showToast(text.created);
    navigate(addressOf(`drivers/${driverId}`, { shard }));
  });
  return (
    <>
      <PageHead title={text.create} up={{ to: back, label: text.up }} />
      <DriverForm work={work} reload={() => undefined} back={back} />
    </>
  );
}

interface DriverPageProps {
  readonly shard: string;
  readonly driverId: string;
}

/** One driver: duty, block, and the form of all that operators set. */
export function DriverPage({ shard, driverId }: DriverPageProps) {
  const loaded = useLoaded(`driver ${shard} ${driverId}`, () =>
    service.operations.drivers.get.query({ shard, driverId }),
  );
  return (
    <WhenLoaded loaded={loaded}>
      {(driver) => <DriverDetails driver={driver} shard={shard} reload={loaded.reload} />}
    </WhenLoaded>
  );
}

interface DriverDetailsProps {
  readonly driver: Driver;
  readonly shard: string;
  readonly reload: () => void;
}

function DriverDetails({ driver, shard, reload }: DriverDetailsProps) {
  const text = textsOf(TEXTS);
  const { driverId, version } = driver;
  const back = addressOf('drivers', { shard });
  const save = useWork(async (draft: DriverDraft) => {
    await service.operations.drivers.update.mutate({ shard, driverId, version, ...termsOfDriver(draft) });
    showToast(text.saved);
    navigate(back);
  });
  return (
    <>
      <PageHead
        title={<bdi>{driver.firstName}</bdi>}
        up={{ to: back, label: text.up }}
        lead={
          <>
            <FleetPill status={driver.status} /> <Exact>{driver.maskedPhone}</Exact> · <Exact>{driver.cityCode}</Exact>
          </>
        }
      >
        <DutyButton driver={driver} shard={shard} reload={reload} />
        <PhoneButton driver={driver} shard={shard} reload={reload} />
        <SessionsButton driver={driver} shard={shard} reload={reload} />
        <BlockButton driver={driver} shard={shard} reload={reload} />
      </PageHead>
      <DriverForm current={draftOfDriver(driver)} work={save} reload={reload} back={back} />
    </>
  );
}

function DutyButton({ driver, shard, reload }: DriverDetailsProps) {
  const text = textsOf(TEXTS);
  const { driverId, version, onDuty } = driver;
  const work = useWork(async () => {
    await service.operations.drivers.setDuty.mutate({ shard, driverId, version, onDuty: !onDuty });
    showToast(text.saved);
    reload();
  });
  return (
    <>
      <Button isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
        {onDuty ? text.goOff : text.goOn}
      </Button>
      <ChangeFailure work={work} reload={reload} />
    </>
  );
}

/** For a driver who has lost the phone or has a new number. */
function PhoneButton({ driver, shard, reload }: DriverDetailsProps) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const [phone, setPhone] = useState('');
  const { driverId, version } = driver;
  const work = useWork(async () => {
    await service.operations.drivers.changePhone.mutate({ shard, driverId, version, phone });
    showToast(text.saved);
    setPhone('');
    reload();
  });
  const close = () => setIsAsking(false);
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{text.phone}</Button>
      {isAsking ? (
        <Confirm
          title={text.phoneQuestion}
          verb={text.phone}
          work={work}
          isReady={phone !== ''}
          reload={reload}
          fields={['phone']}
          onDone={close}
          onClose={close}
        >
          <p>{text.phoneConsequence}</p>
          <Field
            label={text.newPhone}
            value={phone}
            onChange={setPhone}
            error={violationAt(work.failure, 'phone', phone)}
            reads={MOBILE}
          />
        </Confirm>
      ) : null}
    </>
  );
}

function SessionsButton({ driver: { driverId }, shard, reload }: DriverDetailsProps) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const [chosen, setChosen] = useState('');
  const reasonCode = SESSIONS_END_REASONS.find((one) => one === chosen);
  const work = useWork(async () => {
    if (reasonCode === undefined) return;
    await service.operations.drivers.endSessions.mutate({ shard, driverId, reasonCode });
    showToast(text.saved);
    setChosen('');
    reload();
  });
  const close = () => setIsAsking(false);
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{text.sessions}</Button>
      {isAsking ? (
        <Confirm
          title={text.sessionsQuestion}
          verb={text.sessions}
          work={work}
          isReady={reasonCode !== undefined}
          onDone={close}
          onClose={close}
        >
          <p>{text.sessionsConsequence}</p>
          <Choice
            label={text.reason}
            value={chosen}
            options={[
              { value: '', label: text.choose },
              ...SESSIONS_END_REASONS.map((value) => ({ value, label: text[value] })),
            ]}
            onChange={setChosen}
          />
        </Confirm>
      ) : null}
    </>
  );
}

function BlockButton({ driver, shard, reload }: DriverDetailsProps) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const { driverId, version, status } = driver;
  const isActive = status === 'ACTIVE';
  const work = useWork(async () => {
    const next = isActive ? 'INACTIVE' : 'ACTIVE';
    await service.operations.drivers.update.mutate({ shard, driverId, version, status: next });
    showToast(text.saved);
    reload();
  });
  if (!isActive)
    return (
      <>
        <Button isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
          {text.unblock}
        </Button>
        <ChangeFailure work={work} reload={reload} />
      </>
    );
  const close = () => setIsAsking(false);
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        {text.block}
      </Button>
      {isAsking ? (
        <Confirm title={text.question} verb={text.block} work={work} reload={reload} onDone={close} onClose={close}>
          <p>{text.consequence}</p>
        </Confirm>
      ) : null}
    </>
  );
}
