import type { Deployment } from '../../core/deployment.ts';
import { textsOf } from '../shell/locale.ts';

const TEXTS = { en: 'Download', ar: 'تنزيل' };
/** The browser has taken the file by then. */
const KEPT_MS = 10_000;

interface SecretFileProps {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly deployment: Deployment;
}

/** Takes a secret along as lines for an environment. The file is made on this page, and leaves it only as a download. */
export function SecretFile({ clientId, clientSecret, deployment }: SecretFileProps) {
  const download = () => {
    const lines = [
      `MIRSAL_URL=${location.origin}`,
      `MIRSAL_CLIENT_ID=${clientId}`,
      `MIRSAL_CLIENT_SECRET=${clientSecret}`,
    ];
    const url = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `mirsal-${deployment}.env`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
  };
  return (
    <button type="button" class="plain" onClick={download}>
      {textsOf(TEXTS)}
    </button>
  );
}
