import { useId, useState } from 'preact/hooks';
import { LOGO_BYTES_MAX, LOGO_CONTENT_TYPES, LOGO_KIBIBYTES_MAX } from '../../contract/media-asset-state.ts';
import { toBase64 } from '../../core/base64url.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Inputs, type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';

export type Brand = Outputs['trackingBrand']['get'];
/** Asks for a change of the version that `ifMatch` names, and shows the answer. Rejects with the error of the change. */
export type ChangeBrand = (ask: (ifMatch: string) => Promise<Brand>) => Promise<void>;
type NewLogo = Inputs['trackingBrand']['setLogo']['logo'];

const TEXTS = {
  en: {
    logo: 'Logo',
    none: 'Recipients see the name of your company.',
    current: 'Your logo',
    choose: 'Choose a logo',
    hint: `PNG, JPEG or WebP, with at least 16 pixels on each side. A file of more than ${LOGO_KIBIBYTES_MAX} kB is made smaller here, before it is sent.`,
    unreadable: 'The browser cannot read this file as a picture. Use PNG, JPEG or WebP.',
    large: `The picture has more than ${LOGO_KIBIBYTES_MAX} kB, even when it is made smaller. Use one with fewer details.`,
    remove: 'Remove the logo',
    saved: 'The logo is saved.',
    removed: 'The logo is removed.',
  },
  ar: {
    logo: 'الشعار',
    none: 'يرى المستلمون اسم شركتك.',
    current: 'شعارك',
    choose: 'اختر شعارًا',
    hint: `PNG أو JPEG أو WebP، بما لا يقل عن 16 بكسل لكل جانب. يُصغَّر هنا قبل الإرسال كل ملف يزيد على ${LOGO_KIBIBYTES_MAX} كيلوبايت.`,
    unreadable: 'لا يستطيع المتصفح قراءة هذا الملف كصورة. استخدم PNG أو JPEG أو WebP.',
    large: `تزيد الصورة على ${LOGO_KIBIBYTES_MAX} كيلوبايت حتى بعد تصغيرها. استخدم صورة أبسط.`,
    remove: 'إزالة الشعار',
    saved: 'تم حفظ الشعار.',
    removed: 'أُزيل الشعار.',
  },
};

interface LogoProps {
  readonly brand: Brand;
  readonly reload: () => void;
  readonly change: ChangeBrand;
}

/** The logo that tracking pages show in place of the company's name. */
export function Logo({ brand, reload, change }: LogoProps) {
  const text = textsOf(TEXTS);
  const id = useId();
  const [fault, setFault] = useState<'unreadable' | 'large'>();
  const work = useWork(async (logo: NewLogo) => {
    await change((ifMatch) => service.trackingBrand.setLogo.mutate({ ifMatch, logo }));
    showToast(logo === null ? text.removed : text.saved);
  });
  const take = async (file: File | undefined) => {
    if (file === undefined || work.isBusy) return;
    const logo = await logoOf(file);
    setFault(typeof logo === 'string' ? logo : undefined);
    if (typeof logo !== 'string') await work.start(logo);
  };
  const { logo } = brand;
  return (
    <section class="part narrow">
      <h2>{text.logo}</h2>
      {logo === null ? (
        <p>{text.none}</p>
      ) : (
        <p>
          <img
            src={new URL(logo.url).pathname}
            width={Math.round((logo.width * SHOWN_HEIGHT) / logo.height)}
            height={SHOWN_HEIGHT}
            alt={text.current}
          />
        </p>
      )}
      <div class="field">
        <label for={id}>{text.choose}</label>
        <input
          id={id}
          type="file"
          accept={LOGO_CONTENT_TYPES.join(',')}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-hint ${id}-fault`}
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            // Otherwise choosing the same file again would fire no event.
            currentTarget.value = '';
          }}
        />
        <p id={`${id}-hint`} class="small quiet">
          {text.hint}
        </p>
        <p id={`${id}-fault`} class="small wrong" aria-live="polite">
          {fault === undefined ? null : text[fault]}
        </p>
      </div>
      <ChangeFailure work={work} reload={reload} fields={[]} />
      {logo === null ? null : (
        <Button isBusy={work.isBusy} onClick={() => void work.start(null)}>
          {text.remove}
        </Button>
      )}
    </section>
  );
}

/** In pixels, as on tracking pages. */
const SHOWN_HEIGHT = 48;
/** As wide as a phone. */
const WIDTH_MAX = 480;
/** Sharp on screens with three pixels for one, with two, and with one. */
const HEIGHTS = [3 * SHOWN_HEIGHT, 2 * SHOWN_HEIGHT, SHOWN_HEIGHT] as const;

/** The file as it is sent: unchanged if it is small enough, otherwise drawn smaller. */
async function logoOf(file: File): Promise<NonNullable<NewLogo> | 'unreadable' | 'large'> {
  const picture = file.size <= LOGO_BYTES_MAX ? file : await drawSmaller(file);
  if (picture === undefined) return 'unreadable';
  const contentType = LOGO_CONTENT_TYPES.find((type) => type === picture.type);
  if (contentType === undefined) return 'unreadable';
  if (picture.size > LOGO_BYTES_MAX) return 'large';
  return { contentType, base64: toBase64(new Uint8Array(await picture.arrayBuffer())) };
}

/** The largest drawing of the picture that is small enough, or the smallest one. Undefined if the browser cannot read it. */
async function drawSmaller(file: File): Promise<Blob | undefined> {
  try {
    const image = await createImageBitmap(file);
    let drawn: Blob | undefined;
    for (const height of HEIGHTS) {
      drawn = await drawAt(image, height);
      if (drawn !== undefined && drawn.size <= LOGO_BYTES_MAX) break;
    }
    return drawn;
  } catch {
    return undefined;
  }
}

function drawAt(image: ImageBitmap, heightMax: number): Promise<Blob | undefined> {
  const scale = Math.min(1, WIDTH_MAX / image.width, heightMax / image.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  // A browser that cannot write WebP writes PNG.
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/webp', 0.9));
}
