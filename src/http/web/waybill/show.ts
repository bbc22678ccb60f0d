import * as z from 'zod';
import type { AnswerType } from '../../../../routers/request.ts';
import { proofDocument } from '../../../contract/proof.ts';
import { type Waybill, type Waybills, waybill, waybills } from '../../../contract/shipment.ts';
import { toBase64Url } from '../../../core/base64url.ts';
import { sha256 } from '../../../core/crypto.ts';
import { toMillis } from '../../../core/instant.ts';
import { Kept } from '../../../core/kept.ts';
import { part } from '../../../core/part.ts';
import { Semaphore } from '../../../core/semaphore.ts';
import { pause } from '../../../core/timer.ts';
import type { Services } from '../../../service/services.ts';
import { noticeOf } from '../../../ui/frame.tsx';
import { OVERLOADED } from '../../admission.ts';
import type { Exchange } from '../../route-table.ts';
import { browserFiles } from '../asset-text.ts';
import { type Content, contentOf } from './content.ts';
import { labelsOf } from './label.ts';
import { waybillPage } from './page.tsx';
import { WORDS } from './words.ts';

const pdfPart = part(() => import('./pdf.ts'));
const zplPart = part(() => import('./zpl.ts'));
const proofPart = part(() => import('../proof/page.tsx'));
const fontsPart = part(() => import('./fonts.ts'));

/** Allows only the page's own styles and fonts: the label has no script. */
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/** How many prints wait, and how many of one company. Beyond that a print is refused before it costs processor time. */
const WAITING_MAX = 32;
const WAITING_OF_COMPANY_MAX = 8;
/** After a print the others wait for as long as it took, at most this long, so that other requests get half of the processor. */
const REST_MS_MAX = 200;

/**
 * A label takes up to a third of a second of processor time, so a process prints for one request at a time, in turns between
 * companies, and other requests run between two labels.
 */
function printingOf({ services }: Exchange): Printing {
  const { monotonicMs } = services;
  const limits = { places: 1, waitingMax: WAITING_MAX, waitingOfOwnerMax: WAITING_OF_COMPANY_MAX };
  const printing = printings.get(services) ?? {
    queue: new Semaphore({ ...limits, waitMs: 5000, holdMs: 30_000, monotonicMs }),
    kept: new Kept<string, Print>({ entriesMax: KEPT_MAX, keptMs: KEPT_MS, nowMs: monotonicMs }),
  };
  printings.set(services, printing);
  return printing;
}
const printings = new WeakMap<Services, Printing>();

interface Printing {
  readonly queue: Semaphore;
  /** By everything that a print shows. */
  readonly kept: Kept<string, Print>;
}
/** People print again when the printer had no paper. Sixteen prints of at most a quarter of a megabyte. */
const KEPT_MAX = 16;
const KEPT_MS = 120_000;
const KEPT_BYTES_MAX = 256 * 1024;

const labels = z.union([waybill, waybills]);
/** What an operation answers to be printed: labels, or the page of a proof. */
export async function showPrinted(output: unknown, exchange: Exchange, mediaType: AnswerType): Promise<Response> {
  const proven = proofDocument.safeParse(output);
  return proven.success
    ? (await proofPart()).showProof(proven.data, exchange)
    : showLabels(labels.parse(output), exchange, mediaType);
}

/** Labels in the format that the client prefers. */
async function showLabels(about: Waybill | Waybills, exchange: Exchange, mediaType: AnswerType): Promise<Response> {
  const format = FORMATS[mediaType];
  if (format === undefined) throw new Error(`No label has the type ${mediaType}`);
  const shown = labelsOf(about, exchange.services.config.baseUrl);
  const print = () => format(shown.map(contentOf), exchange, about);
  const isPage = mediaType === 'text/html';
  const { body, headers } = isPage ? await print() : await printInTurn(exchange, [mediaType, about], print);
  return new Response(body, {
    headers: {
      ...exchange.reply.headers,
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
      vary: 'Accept',
      ...headers,
    },
  });
}

/** The print that was made a moment ago of the same content, or a new one when it is its turn. */
async function printInTurn(exchange: Exchange, about: unknown, print: () => Promise<Print>): Promise<Print> {
  const { queue, kept } = printingOf(exchange);
  const { monotonicMs } = exchange.services;
  const key = toBase64Url(await sha256(JSON.stringify(about)));
  const known = kept.get(key);
  if (known !== undefined) return known;
  const release = await exchange.outside(() => queue.acquire(exchange.log.companyId ?? ''));
  if (release === undefined) throw OVERLOADED;
  const startedAtMs = monotonicMs();
  try {
    const made = kept.get(key) ?? (await print());
    const size = typeof made.body === 'string' ? made.body.length : made.body.byteLength;
    if (size <= KEPT_BYTES_MAX) kept.set(key, made);
    return made;
  } finally {
    exchange.later(pause(Math.min(monotonicMs() - startedAtMs, REST_MS_MAX)).then(release));
  }
}

interface Print {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}
type Format = (labels: readonly Content[], exchange: Exchange, about: Waybill | Waybills) => Promise<Print>;

const FORMATS: Readonly<Partial<Record<AnswerType, Format>>> = {
  'text/html': async (labels, { services }, { locale }) => {
    const files = await browserFiles(services);
    return {
      body: waybillPage(labels, locale, { deployment: services.config.deployment, files }),
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
      },
    };
  },
  'application/pdf': async (labels, { services }, { locale }) => {
    const [{ makePdf }, { readFaces }] = await Promise.all([pdfPart(), fontsPart()]);
    const notice = noticeOf(services.config.deployment, locale);
    const about = { locale, title: WORDS[locale].title, at: new Date(toMillis(services.clock.now())) };
    return {
      body: await makePdf({ labels, faces: await readFaces(services, labels), notice }, about),
      headers: { 'content-type': 'application/pdf', 'content-disposition': 'inline; filename="waybills.pdf"' },
    };
  },
  'application/zpl': async (labels, { services }, { locale }) => {
    const [{ makeZpl }, { readFaces }] = await Promise.all([zplPart(), fontsPart()]);
    const notice = noticeOf(services.config.deployment, locale);
    return {
      body: await makeZpl({ labels, faces: await readFaces(services, labels), notice }),
      headers: { 'content-type': 'application/zpl', 'content-disposition': 'attachment; filename="waybills.zpl"' },
    };
  },
};
