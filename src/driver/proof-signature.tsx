import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../ui/browser/kit/field.tsx';
import { contentOf } from './proof-media.ts';
import { proofWords } from './proof-words.ts';
import { TapButton } from './tap-button.tsx';

interface SignatureProps {
  readonly shipmentId: string;
  readonly onSigned: (content: Blob, signedBy: string) => void;
}

const LINE_WIDTH = 2.5;
/** Fewer movements are a slip of the finger. */
const MOVES_MIN = 3;

/** The recipient signs with a finger, and the driver writes the name. */
export function Signature({ shipmentId, onSigned }: SignatureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [name, setName] = useState('');
  const [moves, setMoves] = useState(0);
  const [isIncomplete, setIsIncomplete] = useState(false);
  const clear = () => {
    if (canvas.current !== null) prepare(canvas.current);
    setMoves(0);
  };
  useEffect(clear, []);
  const draw = (event: PointerEvent & { readonly currentTarget: HTMLCanvasElement }, isStart: boolean) => {
    const { currentTarget: field } = event;
    const pen = field.getContext('2d');
    if (pen === null || (!isStart && !field.hasPointerCapture(event.pointerId))) return;
    if (isStart) {
      field.setPointerCapture(event.pointerId);
      pen.beginPath();
      return pen.moveTo(event.offsetX, event.offsetY);
    }
    pen.lineTo(event.offsetX, event.offsetY);
    pen.stroke();
    setMoves((before) => before + 1);
  };
  const keep = async () => {
    const field = canvas.current;
    const isComplete = field !== null && name !== '' && moves >= MOVES_MIN;
    setIsIncomplete(!isComplete);
    const content = isComplete ? await contentOf(field, 'image/png') : undefined;
    if (content !== undefined) onSigned(content, name);
  };
  return (
    <div class="signature">
      <Field label={proofWords.signedBy} value={name} onChange={setName} maxLength={120} />
      <p id="sign">{proofWords.signHere}</p>
      <canvas
        ref={canvas}
        role="img"
        aria-labelledby="sign"
        onPointerDown={(event) => draw(event, true)}
        onPointerMove={(event) => draw(event, false)}
      />
      {isIncomplete ? <p role="alert">{proofWords.signatureNeeds}</p> : null}
      <div class="ways">
        <TapButton does={`clear ${shipmentId}`} onTap={clear}>
          {proofWords.signatureClear}
        </TapButton>
        <TapButton kind="primary" does={`sign ${shipmentId}`} onTap={() => void keep()}>
          {proofWords.signatureKeep}
        </TapButton>
      </div>
    </div>
  );
}

/** An empty white field with as many points as the screen has: dark ink on nothing could not be read on a dark page. */
function prepare(canvas: HTMLCanvasElement): void {
  const { clientWidth, clientHeight } = canvas;
  canvas.width = clientWidth * devicePixelRatio;
  canvas.height = clientHeight * devicePixelRatio;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.scale(devicePixelRatio, devicePixelRatio);
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, clientWidth, clientHeight);
  pen.lineWidth = LINE_WIDTH;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  pen.strokeStyle = '#000';
}
