/** The part of subset-font that `fonts.ts` uses. Its types in DefinitelyTyped lack these settings. */
declare module 'subset-font' {
  interface Settings {
    readonly targetFormat: 'woff2' | 'sfnt';
    /** Tags of OpenType features. */
    readonly keepFeatures?: readonly string[];
    readonly noHinting: boolean;
  }

  /** The font with the characters of `text` only. */
  export default function subsetFont(font: Buffer, text: string, settings: Settings): Promise<Buffer>;
}
