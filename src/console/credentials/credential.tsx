import { useEffect, useState } from 'preact/hooks';
import { COMPANY_SCOPES, GRANTED_ON_REQUEST } from '../../contract/scope.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Check, Field } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { NUMBERED } from '../../ui/browser/kit/readers.ts';
import { OVERLAP_DEFAULT, Overlap, type OverlapSeconds } from '../../ui/browser/kit/secret.tsx';
import { Copy, Countdown, Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { NewSecret } from './new-secret.tsx';

type ApiCredential = Outputs['merchantApiCredential']['get'];

const TEXTS = {
  en: {
    client: 'Client id',
    secret: 'Secret',
    ends: 'ends with',
    used: 'Last used',
    never: 'never',
    scopes: 'Scopes',
    created: 'Issued',
    before: 'Previous secret',
    left: 'still valid for',
    rotate: 'Rotate the secret',
    remove: 'Delete the credential',
  },
  ar: {
    client: 'معرّف العميل',
    secret: 'السر',
    ends: 'ينتهي بـ',
    used: 'آخر استخدام',
    never: 'لم تُستخدم بعد',
    scopes: 'الصلاحيات',
    created: 'تاريخ الإصدار',
    before: 'السر السابق',
    left: 'ما زال صالحًا لمدة',
    rotate: 'تدوير السر',
    remove: 'حذف بيانات الاعتماد',
  },
};

interface CredentialProps {
  readonly credential: ApiCredential;
  readonly reload: () => void;
}

/** The credential and its actions: rotate the secret, delete the credential. */
export function CredentialSection({ credential, reload }: CredentialProps) {
  const text = textsOf(TEXTS);
  const [asked, setAsked] = useState<'rotate' | 'delete'>();
  const [rotated, setRotated] = useState<Rotated>();
  const close = () => setAsked(undefined);
  const stored = () => {
    setRotated(undefined);
    reload();
  };
  if (rotated !== undefined) return <NewSecret issued={rotated} onStored={stored} />;
  return (
    <>
      <Facts credential={credential} />
      {GRANTED_ON_REQUEST.map((scope) => (
        <GrantedScope key={scope} scope={scope} scopes={credential.scopes} reload={reload} />
      ))}
      <div class="actions">
        {credential.previousSecretExpiresAt === null ? (
          <Button onClick={() => setAsked('rotate')}>{text.rotate}</Button>
        ) : null}
        <Button kind="danger" onClick={() => setAsked('delete')}>
          {text.remove}
        </Button>
      </div>
      {asked === 'rotate' ? <RotateDialog onRotated={setRotated} onClose={close} /> : null}
      {asked === 'delete' ? <DeleteDialog clientId={credential.clientId} onDeleted={reload} onClose={close} /> : null}
    </>
  );
}

function Facts({ credential }: { readonly credential: ApiCredential }) {
  const text = textsOf(TEXTS);
  const { clientId, secretHint, scopes, createdAt, lastUsedAt, previousSecretExpiresAt: until } = credential;
  return (
    <dl class="facts">
      <div>
        <dt>{text.client}</dt>
        <dd class="client">
          <Exact>{clientId}</Exact> <Copy text={clientId} what={text.client} />
        </dd>
      </div>
      <div>
        <dt>{text.used}</dt>
        <dd>{lastUsedAt === null ? text.never : <Moment at={lastUsedAt} />}</dd>
      </div>
      <div>
        <dt>{text.secret}</dt>
        <dd>
          {text.ends} <Exact>{`…${secretHint}`}</Exact>
        </dd>
      </div>
      {until === null ? null : (
        <div>
          <dt>{text.before}</dt>
          <dd>
            {text.left} <Countdown until={until} isReal />
          </dd>
        </div>
      )}
      <div>
        <dt>{text.scopes}</dt>
        <dd>
          <Exact>{scopes.join(' ')}</Exact>
        </dd>
      </div>
      <div>
        <dt>{text.created}</dt>
        <dd>
          <Moment at={createdAt} />
        </dd>
      </div>
    </dl>
  );
}

const SCOPE_TEXTS = {
  en: {
    labels: {
      'logs:read': 'Your systems may read the request log (logs:read)',
      'finance:read': 'Your systems may read what drivers have collected, and statements (finance:read)',
    },
    hint: 'It counts for new access tokens. If you take it away, tokens that have it stop working within a minute.',
  },
  ar: {
    labels: {
      'logs:read': 'يجوز لأنظمتك قراءة سجل الطلبات (\u2066logs:read\u2069)',
      'finance:read': 'يجوز لأنظمتك قراءة المبالغ التي حصّلها السائقون وكشوف الحساب (\u2066finance:read\u2069)',
    },
    hint: 'يسري ذلك على رموز الوصول الجديدة. وإذا سحبته تتوقف الرموز التي تشمله خلال دقيقة.',
  },
};

interface GrantedScopeProps extends Pick<ApiCredential, 'scopes'>, Pick<CredentialProps, 'reload'> {
  readonly scope: (typeof GRANTED_ON_REQUEST)[number];
}

/** Grants a scope that a new credential lacks, or takes it away. */
function GrantedScope({ scope, scopes, reload }: GrantedScopeProps) {
  const text = textsOf(SCOPE_TEXTS);
  /** What the person chose, until the credential is read again. */
  const [chosen, setChosen] = useState<boolean>();
  useEffect(() => setChosen(undefined), [scopes]);
  const work = useWork(async (isGranted: boolean) => {
    // Somebody may have changed the other scopes since this page read them.
    const { scopes: now } = await service.merchantApiCredential.get.query({});
    await service.merchantApiCredential.setScopes.mutate({
      scopes: COMPANY_SCOPES.filter((one) => (one === scope ? isGranted : now.includes(one))),
    });
  });
  const change = async (isGranted: boolean) => {
    if (work.isBusy) return;
    setChosen(isGranted);
    if (await work.start(isGranted)) reload();
    else setChosen(undefined);
  };
  return (
    <>
      <Check
        label={text.labels[scope]}
        isOn={chosen ?? scopes.includes(scope)}
        onChange={(isGranted) => void change(isGranted)}
      />
      <p class="small quiet">{text.hint}</p>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
    </>
  );
}

export type Rotated = Outputs['merchantApiCredential']['rotate'];

const ROTATE_DIALOG_TEXTS = {
  en: {
    title: 'Rotate the secret?',
    verb: 'Rotate',
    consequence:
      'The new secret is shown only once. The old secret and its access tokens stay valid for the time that you choose.',
  },
  ar: {
    title: 'هل تريد تدوير السر؟',
    verb: 'تدوير السر',
    consequence: 'يظهر سر جديد مرة واحدة. ويبقى السر القديم، وما صدر به من رموز وصول، صالحًا للمدة التي تختارها.',
  },
};

interface RotateDialogProps {
  readonly onRotated: (rotated: Rotated) => void;
  readonly onClose: () => void;
}

function RotateDialog({ onRotated, onClose }: RotateDialogProps) {
  const text = textsOf(ROTATE_DIALOG_TEXTS);
  const [overlap, setOverlap] = useState<OverlapSeconds>(OVERLAP_DEFAULT);
  const work = useWork(async () => {
    onRotated(await service.merchantApiCredential.rotate.mutate({ overlapSeconds: Number(overlap) }));
  });
  return (
    <Confirm
      title={text.title}
      verb={text.verb}
      work={work}
      isDanger={false}
      isForCompany
      onDone={onClose}
      onClose={onClose}
    >
      <p>{text.consequence}</p>
      <Overlap value={overlap} onChange={setOverlap} />
    </Confirm>
  );
}

const DELETE_DIALOG_TEXTS = {
  en: {
    title: 'Delete the credential?',
    verb: 'Delete',
    consequence:
      'Your systems can no longer sign in. Access tokens that they already have stop working within a minute.',
    confirm: 'Type the last six characters of the client id',
    deleted: 'The credential is deleted.',
  },
  ar: {
    title: 'هل تريد حذف بيانات الاعتماد؟',
    verb: 'حذف',
    consequence: 'لن تستطيع أنظمتك تسجيل الدخول بعد ذلك، وتتوقف رموز الوصول التي لديها خلال دقيقة.',
    confirm: 'اكتب آخر ستة أحرف من معرّف العميل',
    deleted: 'حُذفت بيانات الاعتماد.',
  },
};
const TYPED_LENGTH = 6;

interface DeleteDialogProps {
  readonly clientId: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** The person types the end of the client id, so that the credential is not deleted by accident. */
function DeleteDialog({ clientId, onDeleted, onClose }: DeleteDialogProps) {
  const text = textsOf(DELETE_DIALOG_TEXTS);
  const [typed, setTyped] = useState('');
  const work = useWork(async () => {
    await service.merchantApiCredential.delete.mutate({});
    showToast(text.deleted);
  });
  const done = () => {
    onClose();
    onDeleted();
  };
  return (
    <Confirm
      title={text.title}
      verb={text.verb}
      work={work}
      isReady={typed === clientId.slice(-TYPED_LENGTH)}
      isForCompany
      onDone={done}
      onClose={onClose}
    >
      <p>{text.consequence}</p>
      <p>
        <Exact>{clientId}</Exact>
      </p>
      <Field label={text.confirm} value={typed} onChange={setTyped} reads={NUMBERED} isFirst />
    </Confirm>
  );
}
