import { useId, useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { tell } from '../kit/toasts.tsx';
import type { Outputs } from '../service/service.ts';
import { textsOf } from '../shell/locale.ts';

type Shipment = Outputs['shipments']['get'];
interface Position {
  readonly latitude: string;
  readonly longitude: string;
}

const TEXTS = {
  en: {
    title: 'Where the driver is',
    along: 'How far along the way',
    report: 'Report the position',
    told: 'The position is told.',
  },
  ar: { title: 'أين السائق', along: 'المسافة المقطوعة من الطريق', report: 'إرسال الموقع', told: 'أُرسل الموقع.' },
};
const PERCENT_MAX = 100;
const STEP_PERCENT = 5;
/** A tenth of a metre. */
const DIGITS = 6;

interface ReportPositionProps {
  readonly shipment: Shipment;
  readonly isBusy: boolean;
  /** Whether it went well. */
  readonly report: (position: Position) => Promise<boolean>;
}

/** Puts the driver somewhere between the two ends of his way, as the crow flies. */
export function ReportPosition({ shipment, isBusy, report }: ReportPositionProps) {
  const text = textsOf(TEXTS);
  const id = useId();
  const [percent, setPercent] = useState(0);
  const send = async () => {
    if (await report(positionAt(shipment, percent))) tell(text.told);
  };
  return (
    <details class="phone-more">
      <summary>{text.title}</summary>
      <div class="field">
        <label for={id}>
          {text.along}: <bdi dir="ltr">{percent} %</bdi>
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={PERCENT_MAX}
          step={STEP_PERCENT}
          value={percent}
          onInput={(event) => setPercent(event.currentTarget.valueAsNumber)}
        />
      </div>
      <Button isBusy={isBusy} onClick={() => void send()}>
        {text.report}
      </Button>
    </details>
  );
}

function positionAt({ pickup, destination }: Shipment, percent: number): Position {
  const from = pickup ?? destination;
  const between = (a: string, b: string) =>
    (Number(a) + ((Number(b) - Number(a)) * percent) / PERCENT_MAX).toFixed(DIGITS);
  return {
    latitude: between(from.latitude, destination.latitude),
    longitude: between(from.longitude, destination.longitude),
  };
}
