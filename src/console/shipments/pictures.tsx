import { useState } from 'preact/hooks';
import { MEDIA_ASSETS_MAX } from '../../contract/media-asset-state.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Skeleton } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: { title: 'Pictures', picture: (number: number) => `Picture ${number}` },
  ar: { title: 'الصور', picture: (number: number) => `الصورة ${number}` },
};

/** The pictures that were uploaded for a shipment. They load when somebody opens them, because each may have a megabyte. */
export function Pictures({ externalReference }: { readonly externalReference: string }) {
  const text = textsOf(TEXTS);
  const [isOpen, setIsOpen] = useState(false);
  const { value, failure, reload } = useLoaded(externalReference, () =>
    service.mediaAssets.list.query({ externalReference, limit: MEDIA_ASSETS_MAX }),
  );
  if (failure !== undefined) return <ProblemNotice failure={failure} retry={reload} />;
  if (value === undefined || value.data.length === 0) return null;
  const pictures = value.data.toSorted((left, right) => left.sortOrder - right.sortOrder);
  return (
    <details class="part" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{`${text.title} (${pictures.length})`}</summary>
      {isOpen ? (
        <ul class="pictures">
          {pictures.map(({ mediaAssetId }, index) => (
            <li key={mediaAssetId}>
              <Picture mediaAssetId={mediaAssetId} name={text.picture(index + 1)} read={readOwn} />
            </li>
          ))}
        </ul>
      ) : null}
    </details>
  );
}

/** Reads a picture of the own company. */
export function readOwn(mediaAssetId: string) {
  return service.mediaAssets.read.query({ mediaAssetId });
}

interface PictureProps {
  readonly mediaAssetId: string;
  readonly name: string;
  readonly read: typeof readOwn;
}

/** A small picture. A click saves it in its full size. */
export function Picture({ mediaAssetId, name, read }: PictureProps) {
  const { value, failure, reload } = useLoaded(mediaAssetId, () => read(mediaAssetId));
  if (failure !== undefined) return <ProblemNotice failure={failure} retry={reload} />;
  if (value === undefined) return <Skeleton lines={3} />;
  const address = `data:${value.contentType};base64,${value.base64}`;
  return (
    <a href={address} download={value.fileName}>
      <img src={address} alt={name} />
    </a>
  );
}
