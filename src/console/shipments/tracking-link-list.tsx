import { useState } from 'preact/hooks';
import { formatTime, textsOf } from '../../ui/browser/base/locale.ts';
import { Dialog } from '../../ui/browser/kit/dialog.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Code } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { Pill } from '../../ui/state.tsx';

type Link = Outputs['trackingLinks']['list']['data'][number];

const TEXTS = {
  en: {
    unnamed: 'No label',
    until: 'until',
    views: (count: number) => `Views: ${count}`,
    copy: 'Copy again',
    copyOf: (label: string) => `Copy again: ${label}`,
    copied: 'Copied.',
    shown: 'The browser did not allow copying. Select the address and copy it yourself.',
    url: 'Address of the link',
    revoke: 'Revoke',
    confirm: 'Revoke this link? People who have it can no longer track the shipment.',
    keep: 'Keep the link',
    revoked: 'The link is revoked.',
    states: { ACTIVE: 'Active', REVOKED: 'Revoked', EXPIRED: 'Expired' },
  },
  ar: {
    unnamed: 'بلا تسمية',
    until: 'حتى',
    views: (count: number) => `المشاهدات: ${count}`,
    copy: 'انسخ مرة أخرى',
    copyOf: (label: string) => `انسخ مرة أخرى: ${label}`,
    copied: 'تم النسخ.',
    shown: 'لم يسمح المتصفح بالنسخ. حدد العنوان وانسخه بنفسك.',
    url: 'عنوان الرابط',
    revoke: 'إبطال',
    confirm: 'هل تريد إبطال هذا الرابط؟ لن يستطيع من لديه الرابط تتبع الشحنة بعد ذلك.',
    keep: 'الإبقاء على الرابط',
    revoked: 'أُبطل الرابط.',
    states: { ACTIVE: 'فعّال', REVOKED: 'مُبطل', EXPIRED: 'منتهٍ' },
  },
};
const activeFirst = (first: Link, second: Link) => Number(second.state === 'ACTIVE') - Number(first.state === 'ACTIVE');
const TONES = { ACTIVE: 'running', REVOKED: 'over', EXPIRED: 'over' } as const;

interface ListProps {
  readonly shipmentId: string;
  readonly links: readonly Link[];
  readonly onChanged: () => void;
}

/** The links of a shipment, the active ones first, with buttons to copy and revoke them. */
export function TrackingLinkList({ shipmentId, links, onChanged }: ListProps) {
  const text = textsOf(TEXTS);
  const [revoking, setRevoking] = useState<Link>();
  return (
    <>
      <ul class="links">
        {links.toSorted(activeFirst).map((link) => (
          <li key={link.linkId}>
            <Pill tone={TONES[link.state]}>{text.states[link.state]}</Pill>
            <bdi class="reference">{link.label ?? text.unnamed}</bdi>
            <span class="small quiet">
              {text.until} {formatTime(link.expiresAt)} · {text.views(link.viewCount)}
            </span>
            {link.state === 'ACTIVE' ? (
              <>
                <CopyAgain shipmentId={shipmentId} link={link} />
                <button type="button" class="plain" onClick={() => setRevoking(link)}>
                  {text.revoke}
                </button>
              </>
            ) : null}
          </li>
        ))}
      </ul>
      {revoking === undefined ? null : (
        <Revocation
          shipmentId={shipmentId}
          link={links.find(({ linkId }) => linkId === revoking.linkId) ?? revoking}
          onReload={onChanged}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

/** Copies the address of an active link. If the browser refuses, it shows the address. */
function CopyAgain({ shipmentId, link: { linkId, label } }: { readonly shipmentId: string; readonly link: Link }) {
  const text = textsOf(TEXTS);
  const [shown, setShown] = useState<string>();
  const work = useWork(async () => {
    const { url } = await service.trackingLinks.getUrl.query({ shipmentId, linkId });
    try {
      await navigator.clipboard.writeText(url);
      showToast(text.copied);
    } catch {
      // Some browsers allow copying only at the moment of the click.
      setShown(url);
    }
  });
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label={text.copyOf(label ?? text.unnamed)}
        onClick={() => void work.start(undefined)}
      >
        {text.copy}
      </button>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
      {shown === undefined ? null : (
        <Dialog title={text.url} onClose={() => setShown(undefined)}>
          <p>{text.shown}</p>
          <Code text={shown} what={text.url} />
        </Dialog>
      )}
    </>
  );
}

interface RevocationProps {
  readonly shipmentId: string;
  readonly link: Link;
  readonly onReload: () => void;
  readonly onClose: () => void;
}

function Revocation({ shipmentId, link, onReload, onClose }: RevocationProps) {
  const text = textsOf(TEXTS);
  const work = useWork(async () => {
    await service.trackingLinks.revoke.mutate({ shipmentId, linkId: link.linkId, ifMatch: `"${link.version}"` });
    showToast(text.revoked);
    onReload();
    onClose();
  });
  return (
    <Dialog title={text.revoke} onClose={onClose}>
      <p>
        <bdi class="reference">{link.label ?? text.unnamed}</bdi>
      </p>
      <p>{text.confirm}</p>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} reload={onReload} />}
      <div class="actions">
        <Button kind="danger" isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
          {text.revoke}
        </Button>
        <Button onClick={onClose}>{text.keep}</Button>
      </div>
    </Dialog>
  );
}
