import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Proof, ProofDocument } from '../../../contract/proof.ts';
import type { Deployment } from '../../../core/deployment.ts';
import { parseInstant } from '../../../core/instant.ts';
import type { Locale } from '../../../core/locale.ts';
import { cityName } from '../../../core/names.ts';
import { FAILURE_WORDS } from '../../../ui/failure-words.ts';
import { Fonts, Strip } from '../../../ui/frame.tsx';
import type { Exchange } from '../../route-table.ts';
import { type BrowserFiles, fontEntries } from '../asset-paths.ts';
import { browserFiles } from '../asset-text.ts';
import { COMMAS, directionOf, formatMoment, formatNumber } from '../formats.ts';

/** Allows only the page's own styles and fonts, and the pictures. */
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/** What was proven, as a page to print. */
export async function showProof(document: ProofDocument, { services, reply }: Exchange): Promise<Response> {
  const files = await browserFiles(services);
  return new Response(proofPage(document, { deployment: services.config.deployment, files }), {
    headers: {
      ...reply.headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
    },
  });
}

const en = {
  DELIVERY: 'Proof of delivery',
  ATTEMPT: 'Proof of an attempt to deliver',
  merchant: 'Merchant',
  shipment: 'Shipment',
  reference: 'Order',
  recipient: 'Recipient',
  destination: 'Destination',
  at: 'Recorded',
  taken: 'Tapped by the driver',
  reason: 'Reason',
  evidence: 'Evidence',
  COMPLETE: 'complete',
  PARTIAL: 'in part',
  NONE: 'none',
  required: 'Required',
  PIN: 'PIN',
  PHOTO: 'photo',
  SIGNATURE: 'signature',
  pin: 'PIN',
  verified: (time: string) => `right at ${time}`,
  pinMessage: 'Message with the PIN',
  SEEN: 'not needed: seen on the page',
  SENT: 'sent',
  FAILED: 'could not be sent',
  signedBy: 'Signed by',
  arrived: 'Arrived at the door',
  called: 'Called the recipient',
  arrivalTaken: 'Arrival tapped by the driver',
  waited: (minutes: string) => `${minutes} min before this`,
  place: 'Position of the driver',
  meters: (meters: string) => `${meters} m from the destination`,
  released: 'Released by an operator',
  media: 'Pictures',
  DELIVERY_PHOTO: 'Delivery',
  ATTEMPT_PHOTO: 'Attempt',
  DAMAGE_PHOTO: 'Damage',
  hash: 'SHA-256 of the record',
  nothing: 'none',
  note: 'The service wrote this record with the event of the shipment, which has the same hash.',
};
const ar: typeof en = {
  DELIVERY: 'إثبات التوصيل',
  ATTEMPT: 'إثبات محاولة توصيل',
  merchant: 'المتجر',
  shipment: 'الشحنة',
  reference: 'الطلب',
  recipient: 'المستلم',
  destination: 'الوجهة',
  at: 'وقت التسجيل',
  taken: 'وقت ضغط السائق',
  reason: 'السبب',
  evidence: 'الدليل',
  COMPLETE: 'كامل',
  PARTIAL: 'جزئي',
  NONE: 'لا يوجد',
  required: 'المطلوب',
  PIN: 'الرمز',
  PHOTO: 'صورة',
  SIGNATURE: 'توقيع',
  pin: 'رمز التسليم',
  verified: (time) => `صحيح عند ${time}`,
  pinMessage: 'رسالة الرمز',
  SEEN: 'غير لازمة: ظهر الرمز في الصفحة',
  SENT: 'أُرسلت',
  FAILED: 'تعذّر إرسالها',
  signedBy: 'وقّع عليه',
  arrived: 'الوصول إلى الباب',
  called: 'الاتصال بالمستلم',
  arrivalTaken: 'وقت ضغط السائق عند الوصول',
  waited: (minutes) => `قبل التسجيل بدقائق: ${minutes}`,
  place: 'موقع السائق',
  meters: (meters) => `البعد عن الوجهة بالأمتار: ${meters}`,
  released: 'إعفاء من المشغّل',
  media: 'الصور',
  DELIVERY_PHOTO: 'التوصيل',
  ATTEMPT_PHOTO: 'المحاولة',
  DAMAGE_PHOTO: 'التلف',
  hash: 'بصمة SHA-256 للسجل',
  nothing: 'لا يوجد',
  note: 'كتبت الخدمة هذا السجل مع حدث الشحنة، وللحدث البصمة نفسها.',
};
const WORDS: Readonly<Record<Locale, typeof en>> = { en, ar };

interface Place {
  readonly deployment: Deployment;
  readonly files: BrowserFiles;
}

function proofPage({ locale, proof, ...about }: ProofDocument, { deployment, files }: Place): string {
  const words = WORDS[locale];
  const { destination } = about;
  const page = (
    <html lang={locale} dir={directionOf(locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{`${words[proof.kind]} ${about.shipmentNumber}`}</title>
        <Fonts addresses={fontEntries(locale).map((font) => files.entries[font])} />
        <link rel="stylesheet" href={files.entries['proof.css']} />
      </head>
      <body>
        <Strip deployment={deployment} locale={locale} />
        <main>
          <h1>{words[proof.kind]}</h1>
          <dl>
            <Row name={words.merchant}>{about.merchantName}</Row>
            <Row name={words.shipment}>{about.shipmentNumber}</Row>
            <Row name={words.reference}>{about.externalReference ?? words.nothing}</Row>
            <Row name={words.recipient}>{about.recipientName}</Row>
            <Row
              name={words.destination}
            >{`${destination.addressLine}, ${cityName(destination.cityCode, locale)}`}</Row>
            <Facts proof={proof} locale={locale} />
          </dl>
          <p class="note">{words.note}</p>
        </main>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}

function Facts({ proof, locale }: { readonly proof: Proof; readonly locale: Locale }) {
  const words = WORDS[locale];
  const { place, arrivedAt, arrivalTakenAt, waitedSeconds, calledAt, releasedAt, reasonCode, takenAt } = proof;
  const minutes = waitedSeconds === null ? '' : formatNumber(Math.floor(waitedSeconds / 60), locale);
  return (
    <>
      <Row name={words.at}>{momentOf(proof.recordedAt, locale)}</Row>
      {takenAt === null ? null : <Row name={words.taken}>{momentOf(takenAt, locale)}</Row>}
      {reasonCode === null ? null : <Row name={words.reason}>{FAILURE_WORDS[reasonCode][locale]}</Row>}
      <Row name={words.evidence}>{words[proof.evidence]}</Row>
      <Row name={words.required}>{proof.required.map((kind) => words[kind]).join(COMMAS[locale]) || words.nothing}</Row>
      <Row name={words.pin}>
        {proof.pin === null ? words.nothing : words.verified(momentOf(proof.pin.verifiedAt, locale))}
      </Row>
      {proof.pinMessage === null ? null : <Row name={words.pinMessage}>{words[proof.pinMessage]}</Row>}
      <Row name={words.signedBy}>{proof.signedBy ?? words.nothing}</Row>
      <Row name={words.arrived}>
        {arrivedAt === null ? words.nothing : `${momentOf(arrivedAt, locale)} (${words.waited(minutes)})`}
      </Row>
      {arrivalTakenAt === null ? null : <Row name={words.arrivalTaken}>{momentOf(arrivalTakenAt, locale)}</Row>}
      {calledAt === null ? null : <Row name={words.called}>{momentOf(calledAt, locale)}</Row>}
      <Row name={words.place}>
        {place === null
          ? words.nothing
          : `${place.latitude}, ${place.longitude} (${words.meters(formatNumber(place.metersFromDestination, locale))})`}
      </Row>
      {releasedAt === null ? null : <Row name={words.released}>{momentOf(releasedAt, locale)}</Row>}
      <Row name={words.media}>
        {proof.media.length === 0
          ? words.nothing
          : proof.media.map((picture) => <Picture key={picture.mediaAssetId} picture={picture} locale={locale} />)}
      </Row>
      <Row name={words.hash}>
        <code dir="ltr">{proof.sha256}</code>
      </Row>
    </>
  );
}

/** A picture with its time and hash; without the picture once that is deleted. Its address is relative to that of the page. */
function Picture({ picture, locale }: { readonly picture: Proof['media'][number]; readonly locale: Locale }) {
  const { mediaAssetId, purpose, recordedAt, sha256, availableUntil } = picture;
  const name = WORDS[locale][purpose];
  return (
    <figure>
      {availableUntil === null ? null : <img src={`media/${mediaAssetId}`} alt={name} />}
      <figcaption>
        {`${name}, ${momentOf(recordedAt, locale)}: `}
        <code dir="ltr">{sha256}</code>
      </figcaption>
    </figure>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </>
  );
}

function momentOf(text: string, locale: Locale): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : formatMoment(instant, locale);
}
