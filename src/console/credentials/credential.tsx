import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { Exact } from '../kit/exact.tsx';
import { Countdown, Moment } from '../kit/moment.tsx';
import type { Outputs } from '../service/service.ts';
import { textsOf } from '../shell/locale.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { NewSecret } from './new-secret.tsx';
import { RotateDialog, type Rotated } from './rotate-dialog.tsx';

type ApiCredential = Outputs['merchantApiCredential']['get'];

const TEXTS = {
  en: {
    client: 'Client id',
    secret: 'Secret',
    ends: 'ends in',
    used: 'Last used',
    never: 'never',
    scopes: 'It may',
    created: 'Issued',
    before: 'Secret before it',
    left: 'valid for another',
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
    left: 'صالح لمدة',
    rotate: 'تدوير السر',
    remove: 'حذف بيانات الاعتماد',
  },
};

interface CredentialProps {
  readonly credential: ApiCredential;
  readonly reload: () => void;
}

/** The credential as it stands, and what can be done with it. */
export function Credential({ credential, reload }: CredentialProps) {
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
            {text.left} <Countdown until={until} />
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
