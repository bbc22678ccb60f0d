/** One file of the package. It is CommonJS, so in some runtimes its default export is one level deeper. */
declare module 'jsbarcode/bin/barcodes/CODE128/CODE128_AUTO.js' {
  interface Code128 {
    /** The modules from start to stop: `1` is a bar, `0` is a space. */
    encode(): { readonly data: string };
  }
  type Code128Class = new (text: string, options: Readonly<Record<string, never>>) => Code128;
  const exported: Code128Class | { readonly default: Code128Class };
  export default exported;
}
