import type { AnswerType } from '../../../../routers/request.ts';
import type { Waybill, Waybills } from '../../../contract/shipment.ts';
import { toMillis } from '../../../core/instant.ts';
import { part } from '../../../core/part.ts';
import { Semaphore } from '../../../core/semaphore.ts';
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
const fontsPart = part(() => import('./fonts.ts'));

/** Allows only the page's own styles and fonts: the label has no script. */
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/**
 * Many labels take seconds of processor time, so a process prints for one request at a time, and other requests run between two
 * labels.
 */
function printingOf(services: Services): Semaphore {
  const { monotonicMs } = services;
  const known = semaphores.get(services);
  const printing = known ?? new Semaphore({ places: 1, waitingMax: 8, waitMs: 5000, holdMs: 30_000, monotonicMs });
  semaphores.set(services, printing);
  return printing;
}
const semaphores = new WeakMap<Services, Semaphore>();

/** Labels in the format that the client prefers. */
export async function showLabels(
  waybill: Waybill | Waybills,
  exchange: Exchange,
  mediaType: AnswerType,
): Promise<Response> {
  const labels = labelsOf(waybill, exchange.services.config.baseUrl).map(contentOf);
  const format = FORMATS[mediaType];
  if (format === undefined) throw new Error(`No label has the type ${mediaType}`);
  const isQuick = labels.length === 1 || mediaType === 'text/html';
  const release = isQuick ? () => undefined : await exchange.outside(() => printingOf(exchange.services).acquire());
  if (release === undefined) throw OVERLOADED;
  const { body, headers } = await format(labels, exchange, waybill).finally(release);
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

interface Print {
  readonly body: BodyInit;
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
