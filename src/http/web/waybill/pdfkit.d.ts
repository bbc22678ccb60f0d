/** The parts of pdfkit and fontkit that labels use. Neither package has types. */

declare module 'pdfkit' {
  interface Options {
    /** Null, so that no standard font is loaded. */
    readonly font: null;
    readonly autoFirstPage: false;
    readonly margin: 0;
    readonly lang: string;
    readonly pdfVersion: '1.7';
    readonly displayTitle: true;
    readonly info: { readonly Title: string; readonly CreationDate: Date };
  }
  /** Glyphs from left to right, in units of their font. pdfkit writes into the positions. */
  export interface GlyphRun {
    readonly glyphs: readonly {
      readonly id: number;
      readonly codePoints: readonly number[];
      readonly advanceWidth: number;
    }[];
    readonly positions: { xAdvance: number; xOffset: number; yOffset: number }[];
    readonly advanceWidth: number;
  }
  export default class PDFDocument {
    constructor(options: Options);
    addPage(options: { readonly size: readonly [width: number, height: number]; readonly margin: 0 }): this;
    registerFont(name: string, font: unknown): this;
    font(name: string): this;
    fontSize(points: number): this;
    text(
      text: string,
      x: number,
      y: number,
      options: { readonly lineBreak: false; readonly baseline: 'alphabetic'; readonly features: unknown },
    ): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(color: string): this;
    fillColor(color: string): this;
    end(): void;
  }
}

declare module 'pdfkit/output' {
  import type PDFDocument from 'pdfkit';
  export function toBytes(document: PDFDocument): Promise<Uint8Array<ArrayBuffer>>;
}

declare module 'fontkit' {
  export interface PathCommand {
    readonly command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'closePath';
    readonly args: readonly number[];
  }
  export interface FontGlyph {
    readonly advanceWidth: number;
    readonly path: { readonly commands: readonly PathCommand[] };
  }
  export interface Font {
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    getGlyph(id: number): FontGlyph;
  }
  export function create(bytes: Uint8Array): Font;
}
