import { useEffect, useRef, useState } from 'preact/hooks';
import { textsOf } from '../ui/browser/base/locale.ts';
import { Field } from '../ui/browser/kit/field.tsx';
import { CODE } from '../ui/browser/kit/readers.ts';
import { judgeBarcodes, judgeLabel, readTyped, TYPED_LENGTH, type Verdict } from './label.ts';
import type { Parcel, Task } from './queue.ts';
import { TapButton } from './tap-button.tsx';

const TEXTS = {
  en: {
    scan: 'Hold the barcode of the label before the camera, or type the end of its number.',
    camera: 'What the camera sees',
    noCamera: 'The camera cannot be used. Type the end of the number on the label.',
    typed: 'Last four characters of the number',
    other: {
      ACCEPTED: 'This is not your parcel. Leave it here.',
      OUT_FOR_DELIVERY: 'This is not the parcel for this door. Do not hand it over.',
    },
    own: {
      ACCEPTED: 'This is another of your parcels. Choose it in the list to take it.',
      OUT_FOR_DELIVERY: 'This is the parcel for another stop. Do not hand it over.',
    },
    unclear: 'Several of your parcels end like this. Compare the whole number.',
    seek: 'Look for',
    back: 'Go on without the check',
  },
  ar: {
    scan: 'ضع باركود الملصق أمام الكاميرا، أو اكتب نهاية رقمه.',
    camera: 'ما تراه الكاميرا',
    noCamera: 'لا يمكن استخدام الكاميرا. اكتب نهاية الرقم المطبوع على الملصق.',
    typed: 'آخر أربع خانات من الرقم',
    other: {
      ACCEPTED: 'هذه ليست شحنتك. اتركها هنا.',
      OUT_FOR_DELIVERY: 'هذه ليست شحنة هذا الباب. لا تسلّمها.',
    },
    own: {
      ACCEPTED: 'هذه شحنة أخرى من شحناتك. اخترها من القائمة لتستلمها.',
      OUT_FOR_DELIVERY: 'هذه شحنة محطة أخرى. لا تسلّمها.',
    },
    unclear: 'تنتهي أكثر من شحنة معك بهذه الخانات. قارن الرقم كاملًا.',
    seek: 'ابحث عن',
    back: 'تابع دون تحقق',
  },
};

interface ScanProps {
  readonly task: Task;
  /** The driver's other parcels. */
  readonly others: readonly Parcel[];
  readonly onEnd: (isRight: boolean) => void;
}

/** Compares the label of the parcel in the driver's hand with the parcel of this step. It needs no network, and not the camera either. */
export function Scan({ task: { parcel, state }, others, onEnd }: ScanProps) {
  const texts = textsOf(TEXTS);
  const [typed, setTyped] = useState('');
  const [verdict, setVerdict] = useState<Verdict<Parcel>>();
  const show = (next: Verdict<Parcel> | undefined) => {
    if (next?.kind === 'right') onEnd(true);
    else if (next !== undefined) setVerdict(next);
  };
  const { video, hasCamera } = useCamera((codes) => show(judgeBarcodes(codes, parcel, others)));
  const at = state === 'ACCEPTED' ? state : 'OUT_FOR_DELIVERY';
  return (
    <div class="proof scan">
      <p>{hasCamera ? texts.scan : texts.noCamera}</p>
      {hasCamera ? <video ref={video} aria-label={texts.camera} muted playsInline /> : null}
      <div role="alert">
        {verdict === undefined || verdict.kind === 'right' ? null : (
          <>
            <p>{verdict.kind === 'unclear' ? texts.unclear : texts[verdict.kind][at]}</p>
            {verdict.kind === 'own' ? <Own parcel={verdict.parcel} isGone={at !== 'ACCEPTED'} /> : null}
          </>
        )}
      </div>
      <p class="small">
        {texts.seek} <bdi dir="ltr">{parcel.shipmentNumber}</bdi>
      </p>
      <Field
        label={texts.typed}
        value={typed}
        reads={CODE}
        maxLength={TYPED_LENGTH}
        onChange={(next) => {
          setTyped(next);
          if (next.length === TYPED_LENGTH) show(judgeLabel(readTyped(next), parcel, others));
          else setVerdict(undefined);
        }}
      />
      <TapButton kind="plain" does={`go on ${parcel.shipmentId}`} onTap={() => onEnd(false)}>
        {texts.back}
      </TapButton>
    </div>
  );
}

interface OwnProps {
  readonly parcel: Parcel;
  /** Whether it has left the pickup location, which parcels often share. */
  readonly isGone: boolean;
}

/** Another parcel of the driver, and where it goes. */
function Own({ parcel: { shipmentNumber, destination }, isGone }: OwnProps) {
  return (
    <p>
      <bdi dir="ltr">{shipmentNumber}</bdi>
      {isGone ? (
        <>
          <br />
          <bdi>{destination?.addressLine}</bdi>
        </>
      ) : null}
    </p>
  );
}

/** What this page uses of the browser's reader of barcodes (Shape Detection API), which Safari and Firefox have not. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
declare const BarcodeDetector:
  | {
      new (options: { readonly formats: readonly string[] }): Detector;
      getSupportedFormats(): Promise<readonly string[]>;
    }
  | undefined;

/** The format of the barcode on labels. */
const FORMAT = 'code_128';
const LOOK_MS = 250;

async function newDetector(): Promise<Detector | undefined> {
  if (typeof BarcodeDetector === 'undefined') return undefined;
  const formats = await BarcodeDetector.getSupportedFormats();
  return formats.includes(FORMAT) ? new BarcodeDetector({ formats: [FORMAT] }) : undefined;
}

/** Reads barcodes as long as the component is shown. Without a reader or a camera, or if the driver forbids it, `hasCamera` is false. */
function useCamera(onRead: (codes: readonly string[]) => void) {
  const video = useRef<HTMLVideoElement>(null);
  const [hasCamera, setHasCamera] = useState(true);
  const latest = useRef(onRead);
  latest.current = onRead;
  useEffect(() => {
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const start = async () => {
      const detector = await newDetector();
      if (detector === undefined) return setHasCamera(false);
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      const screen = video.current;
      // The driver may have gone on before the browser had asked.
      if (isOver || screen === null) return stop();
      screen.srcObject = stream;
      // It may wait for the first picture. Until then, nothing is found.
      screen.play().catch(() => undefined);
      const look = async () => {
        const found = await detector.detect(screen).catch(() => []);
        if (isOver) return;
        latest.current(found.map(({ rawValue }) => rawValue));
        timer = setTimeout(() => void look(), LOOK_MS);
      };
      await look();
    };
    const stop = () => {
      isOver = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    start().catch(() => setHasCamera(false));
    return stop;
  }, []);
  return { video, hasCamera };
}
