import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';

interface Glyph {
  readonly unicode: string;
}

/** The text of each page in the order in which it stands: lines from top to bottom, glyphs from left to right. */
export async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const { OPS } = await getResolvedPDFJS();
  const document = await getDocumentProxy(bytes);
  return Promise.all(
    Array.from({ length: document.numPages }, async (_, index) => {
      const { fnArray, argsArray } = await (await document.getPage(index + 1)).getOperatorList();
      const pieces: { x: number; y: number; text: string }[] = [];
      let [x, y] = [0, 0];
      for (const [at, operation] of fnArray.entries()) {
        const [first] = argsArray[at] ?? [];
        if (operation === OPS.setTextMatrix) [x, y] = [Number(first[4]), Number(first[5])];
        if (operation !== OPS.showText) continue;
        const text = (first as readonly (Glyph | number)[]).map((glyph) =>
          typeof glyph === 'number' ? '' : glyph.unicode,
        );
        pieces.push({ x, y: Math.round(y), text: text.join('') });
      }
      const sorted = pieces.toSorted((one, other) => other.y - one.y || one.x - other.x);
      return sorted.map(({ text, y: line }, place) => (sorted[place - 1]?.y === line ? text : `\n${text}`)).join('');
    }),
  );
}
