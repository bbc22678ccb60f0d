import PDFDocument from 'pdfkit';
import { toBytes } from 'pdfkit/output';
import type { Locale } from '../../../core/locale.ts';
import { pause } from '../../../core/timer.ts';
import type { Faces } from './fonts.ts';
import type { Label } from './label.ts';
import { HEIGHT, layoutLabel, type Mark, WIDTH } from './layout.ts';
import { Typesetter } from './typeset.ts';

/** A6, in millimetres. */
const PAGE = { width: 105, height: 148 } as const;
const MARGIN = { x: (PAGE.width - WIDTH) / 2, y: (PAGE.height - HEIGHT) / 2 } as const;
/** A point is 1/72 inch. */
const pointsOf = (millimetres: number) => (millimetres * 72) / 25.4;
/** A size at which widths are measured, as a font has about 1000 units. */
const MEASURED = 1000;

export interface Sheets {
  readonly labels: readonly Label[];
  readonly faces: Faces;
  readonly notice: string | undefined;
}

/** The labels as a PDF document, one on each page. The fonts in it contain the letters that it uses. */
export async function makePdf(
  { labels, faces, notice }: Sheets,
  about: { readonly locale: Locale; readonly title: string; readonly at: Date },
): Promise<Uint8Array<ArrayBuffer>> {
  const document = new PDFDocument({
    font: null,
    autoFirstPage: false,
    margin: 0,
    lang: about.locale,
    pdfVersion: '1.7',
    displayTitle: true,
    info: { Title: about.title, CreationDate: about.at },
  });
  const bytes = toBytes(document);
  for (const { name, bytes: font } of Object.values(faces).flat()) document.registerFont(name, font);
  const typesetter = new Typesetter(
    faces,
    (face, text) => document.font(face.name).fontSize(MEASURED).widthOfString(text) / MEASURED,
  );
  for (const label of labels) {
    document.addPage({ size: [pointsOf(PAGE.width), pointsOf(PAGE.height)], margin: 0 });
    for (const mark of layoutLabel(label, notice, typesetter)) draw(document, mark);
    // Lets other requests of the process run: many labels take a second or more.
    await pause(0);
  }
  document.end();
  return bytes;
}

function draw(document: PDFDocument, mark: Mark): void {
  const [x, y] = [pointsOf(MARGIN.x + mark.x), pointsOf(MARGIN.y + mark.y)];
  if (mark.kind === 'text') {
    const size = pointsOf(mark.size);
    document.fillColor('#000');
    for (const { face, text, x: left } of mark.line.pieces) {
      const options = { lineBreak: false, baseline: 'alphabetic' } as const;
      document
        .font(face.name)
        .fontSize(size)
        .text(text, x + left * size, y, options);
    }
    return;
  }
  const [width, height] = [pointsOf(mark.width), pointsOf(mark.height)];
  if (mark.kind === 'ink') {
    document.rect(x, y, width, height);
  } else {
    const { code } = mark;
    const [across, down] = [width / code.width, height / code.height];
    for (const run of code.runs) document.rect(x + run.x * across, y + run.y * down, run.length * across, down);
  }
  document.fill('#000');
}
