import type { Deployment } from '../../core/deployment.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { saveFile } from '../../ui/browser/kit/download.tsx';
import { Secret } from '../../ui/browser/kit/secret.tsx';
import { Copy, Exact } from '../../ui/browser/kit/text.tsx';

const TEXTS = {
  en: { client: 'Client id', secret: 'Client secret' },
  ar: { client: 'معرّف العميل', secret: 'سر العميل' },
};

interface NewSecretProps {
  readonly issued: { readonly clientId: string; readonly clientSecret: string; readonly deployment: Deployment };
  readonly onStored: () => void;
}

/** The client id and the client secret, shown once. */
export function NewSecret({ issued, onStored }: NewSecretProps) {
  const text = textsOf(TEXTS);
  const { clientId, clientSecret } = issued;
  return (
    <>
      <p>
        {text.client}: <Exact>{clientId}</Exact> <Copy text={clientId} what={text.client} />
      </p>
      <Secret title={text.secret} secret={clientSecret} onStored={onStored}>
        <SecretFile {...issued} />
      </Secret>
    </>
  );
}

const SECRET_FILE_TEXTS = { en: 'Download', ar: 'تنزيل' };

interface SecretFileProps {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly deployment: Deployment;
}

/** Downloads the secret as a file of environment variables. The page creates the file; it is not uploaded anywhere. */
function SecretFile({ clientId, clientSecret, deployment }: SecretFileProps) {
  const download = () => {
    const lines = [
      `MIRSAL_URL=${location.origin}`,
      `MIRSAL_CLIENT_ID=${clientId}`,
      `MIRSAL_CLIENT_SECRET=${clientSecret}`,
    ];
    saveFile(`mirsal-${deployment}.env`, new Blob([`${lines.join('\n')}\n`], { type: 'text/plain' }));
  };
  return (
    <button type="button" class="plain" onClick={download}>
      {textsOf(SECRET_FILE_TEXTS)}
    </button>
  );
}
