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
  export default class PDFDocument {
    constructor(options: Options);
    addPage(options: { readonly size: readonly [width: number, height: number]; readonly margin: 0 }): this;
    registerFont(name: string, bytes: Uint8Array): this;
    font(name: string): this;
    fontSize(points: number): this;
    widthOfString(text: string): number;
    text(
      text: string,
      x: number,
      y: number,
      options: { readonly lineBreak: false; readonly baseline: 'alphabetic' },
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
    readonly command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath';
    readonly args: readonly number[];
  }
  export interface GlyphRun {
    readonly glyphs: readonly { readonly path: { readonly commands: readonly PathCommand[] } }[];
    readonly positions: readonly {
      readonly xAdvance: number;
      readonly xOffset: number;
      readonly yOffset: number;
    }[];
    readonly advanceWidth: number;
  }
  export interface Font {
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    /** Chooses and places the glyphs of a text in one script, from left to right. */
    layout(text: string): GlyphRun;
  }
  export function create(bytes: Uint8Array): Font;
}
