import { renderToString } from 'preact-render-to-string';
import type { Shipment } from '../../../contract/shipment.ts';
import type { Deployment } from '../../../core/deployment.ts';
import { parseInstant } from '../../../core/instant.ts';
import type { Locale } from '../../../core/locale.ts';
import { cityName } from '../../../core/names.ts';
import { Fonts, Strip } from '../../../ui/frame.tsx';
import { type BrowserFiles, fontEntries } from '../asset-paths.ts';
import { directionOf, formatDay, formatMoney, formatNumber, formatTime } from '../formats.ts';
import { type DrawnCode, drawBarcode, drawQr } from './codes.ts';
import { isCollected, type Label, piecesOf } from './label.ts';
import { WORDS } from './words.ts';

interface Place {
  readonly deployment: Deployment;
  readonly files: BrowserFiles;
}

/** Sizes of the address in millimetres, and the classes of the label that give it this size and make all other text small. */
const SIZES = [
  { className: 'label long large', address: 5 },
  { className: 'label long', address: 4.4 },
  { className: 'label long small', address: 3.4 },
] as const;
const USUAL_ADDRESS = 5;
const LINE_WIDTH = 92;
const LINE_HEIGHT = 1.25;
/** Of a character, in units of the size of the text. Most texts are narrower. */
const CHARACTER_WIDTH = 0.56;
/** The room for the address on a label with nothing else of unusual length: in the usual size, and if all other text is small. */
const ROOM = { usual: 13, long: 36 } as const;

interface Part {
  readonly shipment: Shipment;
  readonly locale: Locale;
}

/** Labels as a whole document, each 100 by 150 mm. */
export function waybillPage(labels: readonly Label[], locale: Locale, { deployment, files }: Place): string {
  const words = WORDS[locale];
  const numbers = [...new Set(labels.map(({ shipment }) => shipment.shipmentNumber))];
  const page = (
    <html lang={locale} dir={directionOf(locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{`${words.title} ${numbers.length === 1 ? numbers[0] : ''}`.trim()}</title>
        <Fonts addresses={fontEntries(locale).map((font) => files.entries[font])} />
        <link rel="stylesheet" href={files.entries['waybill.css']} />
      </head>
      <body>
        <header class="hint">{words.hint}</header>
        <main>
          {labels.map((label) => (
            <Sheet label={label} deployment={deployment} />
          ))}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}

function Sheet({ label, deployment }: { readonly label: Label; readonly deployment: Deployment }) {
  const { locale, merchantName, shipment, consoleAddress, part } = label;
  const words = WORDS[locale];
  return (
    <article class={classOf(label)}>
      <Strip deployment={deployment} locale={locale} />
      <h1>
        <span class="unseen">{words.title} </span>
        <bdi>{merchantName}</bdi>{' '}
        {part === undefined ? null : (
          <bdi class="part" dir="ltr">
            {part.number}/{part.of}
          </bdi>
        )}
      </h1>
      <Recipient shipment={shipment} locale={locale} />
      <div class="row">
        <Money shipment={shipment} locale={locale} />
        <Code code={drawQr(consoleAddress)} name="qr" label={words.qr} />
      </div>
      <Load shipment={shipment} locale={locale} part={part} />
      <Sender shipment={shipment} locale={locale} />
      <div class="bars">
        <Code code={drawBarcode(shipment.shipmentNumber)} name="barcode" label={words.barcode} />
        <bdi class="number" dir="ltr">
          {shipment.shipmentNumber}
        </bdi>
      </div>
    </article>
  );
}

/**
 * The class of the largest address that fits. All other text gets smaller before the address does, and nothing of an address
 * may be cut off.
 */
function classOf(label: Label): string {
  const { addressLine } = label.shipment.destination;
  const heightIn = (size: number) =>
    Math.ceil((addressLine.length * size * CHARACTER_WIDTH) / LINE_WIDTH) * size * LINE_HEIGHT;
  const rest = heightOfMore(label);
  if (rest === 0 && heightIn(USUAL_ADDRESS) <= ROOM.usual) return 'label';
  const fitting = SIZES.find(({ address }) => heightIn(address) + rest <= ROOM.long);
  return fitting?.className ?? 'label long smallest';
}

/** The height of what not every label has, in small text. */
function heightOfMore({ shipment, merchantName, part }: Label): number {
  const { recipientName, requirements, externalReference, destination, pickup } = shipment;
  const parts: readonly (readonly [isThere: boolean, height: number])[] = [
    [recipientName.length > 36, Math.ceil(recipientName.length / 50) * 3.75],
    [requirements.length > 0, 8],
    [part !== undefined, 12],
    [(externalReference ?? '').length > 30, 3.5],
    [(pickup?.addressLine ?? '').length > 45, 3.5],
    [destination.cityCode.length > 8, 5.4],
    [merchantName.length > 28, 6],
  ];
  return parts.reduce((sum, [isThere, height]) => (isThere ? sum + height : sum), 0);
}

function Recipient({ shipment: { recipientName, maskedRecipientPhone, destination }, locale }: Part) {
  const city = cityName(destination.cityCode, locale);
  return (
    <section class="recipient">
      <h2>{WORDS[locale].to}</h2>
      <p class="city">
        <bdi>{city}</bdi> {city === destination.cityCode ? null : <bdi class="code">{destination.cityCode}</bdi>}
      </p>
      <p class="name">
        <bdi>{recipientName}</bdi>
      </p>
      <p class="address">
        <bdi>{destination.addressLine}</bdi>
      </p>
      <p>
        <bdi dir="ltr">{maskedRecipientPhone}</bdi>
      </p>
    </section>
  );
}

function Money({ shipment, locale }: Part) {
  const words = WORDS[locale];
  const { codAmount, currency } = shipment;
  const isDue = isCollected(shipment);
  return (
    <section class="money">
      <h2>{words.collect}</h2>
      {isDue ? <p class="amount">{formatMoney(codAmount, currency, locale)}</p> : <p class="paid">{words.paid}</p>}
    </section>
  );
}

/** Pieces, weight, the merchant's reference and handling requirements: of the shipment, or of one of its items. */
function Load({ shipment, locale, part }: Part & { readonly part: Label['part'] }) {
  const words = WORDS[locale];
  const { totalWeightKilograms, requirements, externalReference } = shipment;
  const pieces = part?.item.quantity ?? piecesOf(shipment);
  return (
    <dl class="load">
      {part === undefined ? null : (
        <div class="reference">
          <dt>{words.item}</dt>
          <dd>
            <bdi>{part.item.description}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt>{words.pieces}</dt>
        <dd>{formatNumber(pieces, locale)}</dd>
      </div>
      <div>
        <dt>{words.weight}</dt>
        <dd>
          {formatNumber(part?.item.weightKilograms ?? totalWeightKilograms, locale)} {words.kilograms}
        </dd>
      </div>
      <div class="reference">
        <dt>{words.reference}</dt>
        <dd>
          <bdi>{externalReference}</bdi>
        </dd>
      </div>
      {requirements.length === 0 ? null : (
        <div class="requirements">
          <dt>{words.requirements}</dt>
          <dd dir="ltr">{requirements.join(' · ')}</dd>
        </div>
      )}
    </dl>
  );
}

function Sender({ shipment: { pickup, pickupWindowStart, pickupWindowEnd }, locale }: Part) {
  const words = WORDS[locale];
  const [from, to] = [parseInstant(pickupWindowStart), parseInstant(pickupWindowEnd)];
  return (
    <section class="sender">
      <h2>{words.from}</h2>
      {pickup === null ? null : (
        <p>
          <bdi>{pickup.addressLine}</bdi> · <bdi>{cityName(pickup.cityCode, locale)}</bdi>
        </p>
      )}
      {from === undefined || to === undefined ? null : (
        <p>
          {words.window} {formatDay(from, locale)} {formatTime(from, locale)} – {formatTime(to, locale)}
        </p>
      )}
    </section>
  );
}

function Code({ code, name, label }: { readonly code: DrawnCode; readonly name: string; readonly label: string }) {
  const { width, height, path } = code;
  return (
    <svg class={name} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}
