import PDFDocument, { type GlyphRun } from 'pdfkit';
import { toBytes } from 'pdfkit/output';
import type { Locale } from '../../../core/locale.ts';
import { pause } from '../../../core/timer.ts';
import type { Content } from './content.ts';
import type { Face, Faces } from './fonts.ts';
import { HEIGHT, layoutLabel, type Mark, WIDTH } from './layout.ts';
import { type Line, type Piece, Typesetter } from './typeset.ts';

/** A6, in millimetres. */
const PAGE = { width: 105, height: 148 } as const;
const MARGIN = { x: (PAGE.width - WIDTH) / 2, y: (PAGE.height - HEIGHT) / 2 } as const;
/** A point is 1/72 inch. */
const pointsOf = (millimetres: number) => (millimetres * 72) / 25.4;

export interface Sheets {
  readonly labels: readonly Content[];
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
  for (const face of Object.values(faces).flat()) document.registerFont(face.name, fontOf(face));
  const typesetter = new Typesetter(faces);
  for (const label of labels) {
    document.addPage({ size: [pointsOf(PAGE.width), pointsOf(PAGE.height)], margin: 0 });
    for (const mark of layoutLabel(label, notice, typesetter).marks) draw(document, mark);
    // Lets other requests of the process run: many labels take a second or more.
    await pause(0);
  }
  document.end();
  return bytes;
}

/** A font whose texts are placed already: pdfkit asks it for the glyphs of a piece, and hands the piece on as `features`. */
function fontOf({ font, name }: Face): unknown {
  return Object.create(font, {
    // pdfkit takes two fonts of one name for the same.
    postscriptName: { value: name },
    layout: { value: (_text: string, piece: Piece) => glyphsOf(piece) },
  });
}

function glyphsOf({ face: { font }, text, glyphs }: Piece): GlyphRun {
  const ends = [...new Set(glyphs.map(({ cluster }) => cluster)), text.length].toSorted((one, other) => one - other);
  const drawn = new Set<number>();
  return {
    glyphs: glyphs.map(({ id, cluster }) => {
      // Programs that copy text from the document read these. The first glyph of a cluster stands for all its characters.
      const end = ends[ends.indexOf(cluster) + 1] ?? text.length;
      const codePoints = drawn.has(cluster) ? [] : codePointsOf(text.slice(cluster, end));
      drawn.add(cluster);
      return { id, codePoints, advanceWidth: font.getGlyph(id).advanceWidth };
    }),
    positions: glyphs.map(({ xAdvance, xOffset, yOffset }) => ({ xAdvance, xOffset, yOffset })),
    advanceWidth: glyphs.reduce((sum, { xAdvance }) => sum + xAdvance, 0),
  };
}

function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function draw(document: PDFDocument, mark: Mark<Line>): void {
  const [x, y] = [pointsOf(MARGIN.x + mark.x), pointsOf(MARGIN.y + mark.y)];
  if (mark.kind === 'text') {
    const size = pointsOf(mark.size);
    document.fillColor('#000');
    for (const piece of mark.line.pieces) {
      const options = { lineBreak: false, baseline: 'alphabetic', features: piece } as const;
      document
        .font(piece.face.name)
        .fontSize(size)
        .text(piece.text, x + piece.x * size, y, options);
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
