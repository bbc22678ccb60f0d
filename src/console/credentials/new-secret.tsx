import type { Deployment } from '../../core/deployment.ts';
import { Copy } from '../kit/copy.tsx';
import { Exact } from '../kit/exact.tsx';
import { Secret } from '../kit/secret.tsx';
import { textsOf } from '../shell/locale.ts';
import { SecretFile } from './secret-file.tsx';

const TEXTS = {
  en: { client: 'Client id', secret: 'Client secret' },
  ar: { client: 'معرّف العميل', secret: 'سر العميل' },
};

interface NewSecretProps {
  readonly issued: { readonly clientId: string; readonly clientSecret: string; readonly deployment: Deployment };
  readonly onStored: () => void;
}

/** The two halves of what a system signs in with. */
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
