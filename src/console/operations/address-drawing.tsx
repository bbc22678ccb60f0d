import { formatDistance, textsOf } from '../../ui/browser/base/locale.ts';
import { Destination } from '../shipments/route-drawing.tsx';
import { type GeoPoint, sketchOf } from '../shipments/route-geometry.ts';
import '../shipments/shipments.css';

const TEXTS = {
  en: {
    drawing: 'The pin of the destination and the place of the National Address, north up',
    pin: 'Pin of the destination',
    registry: 'Place in the national registry',
    apart: (distance: string) => `The two are ${distance} apart, in a straight line.`,
  },
  ar: {
    drawing: 'نقطة الوجهة وموقع العنوان الوطني، والشمال في الأعلى',
    pin: 'نقطة الوجهة',
    registry: 'الموقع في سجل العناوين الوطنية',
    apart: (distance: string) => `المسافة بينهما في خط مستقيم: ${distance}.`,
  },
};
const FRAME = { width: 480, height: 200, padding: 36 } as const;
/** The start of the scale bar. */
const BAR = { x: 16, y: FRAME.height - 12 } as const;
/** The middle of a marker in the legend. */
const KEY = 10;

interface AddressDrawingProps {
  readonly pin: GeoPoint;
  readonly registry: GeoPoint;
  readonly distanceMeters: number;
}

/** Where the merchant and the registry have the door. Streets are only for members of the company. */
export function AddressDrawing({ pin, registry, distanceMeters }: AddressDrawingProps) {
  const text = textsOf(TEXTS);
  const { spots, scale } = sketchOf<'pin' | 'registry'>({ pin, registry }, FRAME);
  if (spots.pin === undefined || spots.registry === undefined) return null;
  return (
    <figure class="route" dir="ltr">
      <svg viewBox={`0 0 ${FRAME.width} ${FRAME.height}`} role="img" aria-label={text.drawing}>
        <path class="way" d={`M${spots.pin.x} ${spots.pin.y}L${spots.registry.x} ${spots.registry.y}`} />
        <Registry {...spots.registry} />
        <Destination {...spots.pin} />
        <path class="bar" d={`M${BAR.x} ${BAR.y - 5}v5h${scale.length}v-5`} />
        <text x={BAR.x + scale.length + 8} y={BAR.y}>
          {formatDistance(scale.meters)}
        </text>
      </svg>
      <figcaption class="small" dir="auto">
        <ul class="legend">
          <li>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
              <Destination x={KEY} y={17} />
            </svg>
            {text.pin}
          </li>
          <li>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
              <Registry x={KEY} y={KEY} />
            </svg>
            {text.registry}
          </li>
        </ul>
        <span class="quiet">{text.apart(formatDistance(distanceMeters))}</span>
      </figcaption>
    </figure>
  );
}

interface SpotProps {
  readonly x: number;
  readonly y: number;
}

function Registry({ x, y }: SpotProps) {
  return <circle class="driver" cx={x} cy={y} r="6" />;
}
