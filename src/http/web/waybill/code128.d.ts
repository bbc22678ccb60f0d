/** A part of the package by itself: CommonJS, so that what it exports by default is one level down in some runtimes. */
declare module 'jsbarcode/bin/barcodes/CODE128/CODE128_AUTO.js' {
  interface Code128 {
    /** The modules from start to stop: `1` a bar, `0` a space. */
    encode(): { readonly data: string };
  }
  type Code128Class = new (text: string, options: Readonly<Record<string, never>>) => Code128;
  const exported: Code128Class | { readonly default: Code128Class };
  export default exported;
}
