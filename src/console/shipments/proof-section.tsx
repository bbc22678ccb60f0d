import { useState } from 'preact/hooks';
import type { ProofKind, ProofMediaPurpose } from '../../contract/proof-state.ts';
import { DOOR_METERS } from '../../core/limits.ts';
import { formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Button } from '../../ui/browser/kit/form.tsx';
import { Skeleton } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { FAILURE_WORDS } from '../../ui/failure-words.ts';
import { Fact } from './shipment-facts.tsx';

type Proof = Outputs['proofs']['get'];

const TEXTS = {
  en: {
    title: 'Proof',
    show: 'What was proven',
    none: 'The driver has proven nothing: nothing was asked for.',
    evidence: 'Evidence',
    COMPLETE: 'Complete',
    PARTIAL: 'In part',
    NONE: 'None',
    reason: 'Reason',
    pin: 'PIN',
    right: (time: string) => `✓ ${time}`,
    missing: 'not given',
    unsent: 'It could not be sent to the recipient.',
    signedBy: 'Signed by',
    place: 'Place',
    meters: (meters: number) => `${meters} m from the pin`,
    arrived: 'At the door',
    called: 'Called the recipient',
    lacks: 'Missing',
    PIN: 'PIN',
    PHOTO: 'photo',
    ARRIVAL: 'no arrival at the door was reported',
    AWAY: 'the driver was not at the door',
    WAIT: 'the wait was shorter than asked for',
    waited: (minutes: number) => `${minutes} min waited`,
    released: 'Released by an operator',
    print: 'Print',
    DELIVERY_PHOTO: 'Delivery',
    SIGNATURE: 'Signature',
    ATTEMPT_PHOTO: 'Attempt',
    DAMAGE_PHOTO: 'Damage',
    gone: 'deleted',
  },
  ar: {
    title: 'الإثبات',
    show: 'ما الذي أُثبت؟',
    none: 'لم يُثبت السائق شيئًا، فلم يُطلب منه شيء.',
    evidence: 'الدليل',
    COMPLETE: 'كامل',
    PARTIAL: 'جزئي',
    NONE: 'لا يوجد',
    reason: 'السبب',
    pin: 'رمز التسليم',
    right: (time: string) => `✓ ${time}`,
    missing: 'لم يُعطَ',
    unsent: 'تعذّر إرساله إلى المستلم.',
    signedBy: 'وقّع عليه',
    place: 'الموقع',
    meters: (meters: number) => `البعد عن الوجهة بالأمتار: ${meters}`,
    arrived: 'عند الباب',
    called: 'اتصل بالمستلم',
    lacks: 'الناقص',
    PIN: 'رمز التسليم',
    PHOTO: 'صورة',
    ARRIVAL: 'لم يُسجَّل وصول إلى الباب',
    AWAY: 'لم يكن السائق عند الباب',
    WAIT: 'كان الانتظار أقصر من المطلوب',
    waited: (minutes: number) => `دقائق الانتظار: ${minutes}`,
    released: 'إعفاء من المشغّل',
    print: 'طباعة',
    DELIVERY_PHOTO: 'التوصيل',
    SIGNATURE: 'التوقيع',
    ATTEMPT_PHOTO: 'المحاولة',
    DAMAGE_PHOTO: 'التلف',
    gone: 'حُذفت',
  },
} satisfies Record<
  'en' | 'ar',
  Record<Proof['evidence'] | ProofMediaPurpose | Missing, string> & Record<string, unknown>
>;

interface Ended {
  readonly shipmentId: string;
  readonly state: string;
  readonly requirements: readonly string[];
}

/** What the driver has proven. Most deliveries have nothing to prove, so their record is looked for only if somebody asks. */
export function ProofSection({ shipment: { shipmentId, state, requirements } }: { readonly shipment: Ended }) {
  const text = textsOf(TEXTS);
  const isRecorded = state === 'DELIVERY_FAILED' || requirements.some((name) => name.startsWith('PROOF_'));
  const [isAsked, ask] = useState(isRecorded);
  if (isAsked) return <Record shipmentId={shipmentId} isExpected={isRecorded} />;
  return (
    <p class="part">
      <Button onClick={() => ask(true)}>{text.show}</Button>
    </p>
  );
}

function Record({ shipmentId, isExpected }: { readonly shipmentId: string; readonly isExpected: boolean }) {
  const text = textsOf(TEXTS);
  const { value: proof, failure, reload } = useLoaded(shipmentId, () => service.proofs.get.query({ shipmentId }));
  if (failure?.code === 'RESOURCE_NOT_FOUND') return isExpected ? null : <p class="part quiet">{text.none}</p>;
  if (failure !== undefined) return <ProblemNotice failure={failure} retry={reload} />;
  if (proof === undefined) return <Skeleton lines={3} />;
  const { place, arrivedAt, arrivalTakenAt, waitedSeconds, calledAt, reasonCode, releasedAt } = proof;
  const cameAt = arrivalTakenAt ?? arrivedAt;
  const missing = missingOf(proof);
  return (
    <section class="part" id="proof">
      <h2>{text.title}</h2>
      <dl class="facts">
        <Fact name={text.evidence}>
          {text[proof.evidence]} · <time dateTime={proof.recordedAt}>{formatTime(proof.recordedAt)}</time>
        </Fact>
        {reasonCode === null ? null : <Fact name={text.reason}>{FAILURE_WORDS[reasonCode][locale]}</Fact>}
        {proof.pinMessage === null && proof.pin === null ? null : (
          <Fact name={text.pin}>
            {proof.pin === null ? text.missing : text.right(formatTime(proof.pin.verifiedAt))}
            {proof.pinMessage === 'FAILED' ? <p class="small quiet">{text.unsent}</p> : null}
          </Fact>
        )}
        {proof.signedBy === null ? null : (
          <Fact name={text.signedBy}>
            <bdi>{proof.signedBy}</bdi>
          </Fact>
        )}
        {place === null ? null : <Fact name={text.place}>{text.meters(place.metersFromDestination)}</Fact>}
        {cameAt === null ? null : (
          <Fact name={text.arrived}>
            <time dateTime={cameAt}>{formatTime(cameAt)}</time>
            {waitedSeconds === null ? null : ` · ${text.waited(Math.floor(waitedSeconds / 60))}`}
          </Fact>
        )}
        {calledAt === null ? null : (
          <Fact name={text.called}>
            <time dateTime={calledAt}>{formatTime(calledAt)}</time>
          </Fact>
        )}
        {missing.length === 0 ? null : (
          <Fact name={text.lacks}>
            <strong class="wrong">{missing.map((one) => text[one]).join(locale === 'ar' ? '، ' : ', ')}</strong>
          </Fact>
        )}
        {releasedAt === null ? null : (
          <Fact name={text.released}>
            <time dateTime={releasedAt}>{formatTime(releasedAt)}</time>
          </Fact>
        )}
      </dl>
      {proof.media.length === 0 ? null : (
        <ul class="pictures">
          {proof.media.map((picture) => (
            <li key={picture.mediaAssetId}>
              <ProofPicture shipmentId={shipmentId} picture={picture} />
            </li>
          ))}
        </ul>
      )}
      <p class="small">
        <a href={`/v2/external/shipments/${shipmentId}/proof/document?lang=${locale}`} target="_blank" rel="noreferrer">
          {text.print}
        </a>
      </p>
    </section>
  );
}

type Missing = ProofKind | 'ARRIVAL' | 'AWAY' | 'WAIT';

/** What a record lacks: the required kinds of a delivery; of an attempt, that the driver was at the door for long enough. */
function missingOf({ kind, evidence, required, pin, media, arrivedAt, place }: Proof): readonly Missing[] {
  if (evidence === 'COMPLETE') return [];
  if (kind === 'DELIVERY') {
    const hasPicture = (purpose: ProofMediaPurpose) => media.some((picture) => picture.purpose === purpose);
    const has = { PIN: pin !== null, PHOTO: hasPicture('DELIVERY_PHOTO'), SIGNATURE: hasPicture('SIGNATURE') };
    return required.filter((one) => !has[one]);
  }
  if (arrivedAt === null) return ['ARRIVAL'];
  return place === null || place.metersFromDestination > DOOR_METERS ? ['AWAY'] : ['WAIT'];
}

interface ProofPictureProps {
  readonly shipmentId: string;
  readonly picture: Proof['media'][number];
}

/** A small picture. It loads when somebody asks for it, because it may show people. A click saves it in its full size. */
function ProofPicture({ shipmentId, picture: { mediaAssetId, purpose, availableUntil } }: ProofPictureProps) {
  const text = textsOf(TEXTS);
  const [isOpen, setIsOpen] = useState(false);
  if (availableUntil === null) return <span class="quiet">{`${text[purpose]} (${text.gone})`}</span>;
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{text[purpose]}</summary>
      {isOpen ? <Loaded shipmentId={shipmentId} mediaAssetId={mediaAssetId} name={text[purpose]} /> : null}
    </details>
  );
}

function Loaded({
  name,
  ...about
}: {
  readonly shipmentId: string;
  readonly mediaAssetId: string;
  readonly name: string;
}) {
  const { value, failure, reload } = useLoaded(about.mediaAssetId, () => service.proofs.readMedia.query(about));
  if (failure !== undefined) return <ProblemNotice failure={failure} retry={reload} />;
  if (value === undefined) return <Skeleton lines={3} />;
  const address = `data:${value.contentType};base64,${value.base64}`;
  return (
    <a href={address} download={value.fileName}>
      <img src={address} alt={name} />
    </a>
  );
}
