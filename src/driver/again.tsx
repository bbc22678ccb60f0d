import { useMemo, useState } from 'preact/hooks';
import { useNow } from '../ui/browser/base/company-clock.ts';
import { reasonOf } from './lost.tsx';
import { proofWords } from './proof-words.ts';
import { TapButton } from './tap-button.tsx';
import { AGAIN_MS, type DriverWork, type Failed } from './use-work.ts';

interface AgainProps {
  readonly failed: Failed;
  readonly work: Pick<DriverWork, 'now' | 'attemptAgain'>;
}

const MINUTE_MS = 60_000;

/** A delivery that failed a moment ago, for a driver who reported it too early. */
export function Again({ failed: { shipmentId, shipmentNumber, failedMs }, work }: AgainProps) {
  const nowMs = useNow(work.now);
  const actionId = useMemo(() => crypto.randomUUID(), []);
  const [isBusy, setIsBusy] = useState(false);
  const [notice, setNotice] = useState<string>();
  const leftMs = failedMs + AGAIN_MS - nowMs;
  if (leftMs <= 0) return null;
  const begin = async () => {
    setIsBusy(true);
    const failure = await work.attemptAgain({ shipmentId, actionId });
    setIsBusy(false);
    if (failure !== undefined) setNotice(failure.code === 'NETWORK' ? proofWords.network : reasonOf(failure));
  };
  return (
    <section class="again" aria-label={proofWords.again}>
      <p>
        {proofWords.failed} <bdi dir="ltr">{shipmentNumber}</bdi>
        <br />
        <span class="quiet small">{proofWords.againMinutes(Math.ceil(leftMs / MINUTE_MS))}</span>
      </p>
      <p role="alert">{notice}</p>
      <TapButton does={`again ${shipmentId}`} isBusy={isBusy} onTap={() => void begin()}>
        {proofWords.again}
      </TapButton>
    </section>
  );
}
