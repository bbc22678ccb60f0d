import { useEffect, useState } from 'preact/hooks';
import { formatTime, formatTimeToSecond } from '../shell/locale.ts';

/** An instant of the service in the reader's words; the exact one is there for whoever asks. */
export function Moment({ at, hasSeconds = false }: { readonly at: string; readonly hasSeconds?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      <bdi>{hasSeconds ? formatTimeToSecond(at) : formatTime(at)}</bdi>
    </time>
  );
}

const SECOND_MS = 1000;

interface CountdownProps {
  readonly until: string;
  /** What stands before the time that is left. */
  readonly label?: string;
  /** What is said instead when the instant is past; zero, when this is left out. */
  readonly over?: string;
}

/** How long it is until an instant, each second anew. */
export function Countdown({ until, label, over }: CountdownProps) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / SECOND_MS));
  if (seconds === 0 && over !== undefined) return <span>{over}</span>;
  return (
    <span>
      {label === undefined ? null : `${label} `}
      <bdi dir="ltr" role="timer" aria-live="off" class="countdown">
        {clockOf(seconds)}
      </bdi>
    </span>
  );
}

/** `1:02:03`, `2:03`; days are hours here, so that one unit is compared with the next. */
function clockOf(seconds: number): string {
  const padded = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours === 0 ? `${minutes}:${padded(seconds % 60)}` : `${hours}:${padded(minutes)}:${padded(seconds % 60)}`;
}
