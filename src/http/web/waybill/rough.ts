import type { LineSetter } from './layout.ts';

/*
 * Lines as a browser will break them, as far as a server can tell without the reader's fonts. The page chooses its sizes by
 * them, so a guess is rather too wide. Widths are in units of the text's size.
 */

const NO_WIDTH = /[\p{Mn}\p{Cf}]/u;
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[\s\-'.,:;!|()[\]{}ijlftrI/،ا١٠رز]/u, 0.4],
  [/[WMmw@%&—…سشصض]|[ЖШЩЮЫФжшщюыф]/u, 0.97],
  [/[\p{Script=Latin}\p{Script=Cyrillic}]/u, 0.62],
  [/[\p{Script=Arabic}\p{Nd}\p{P}\p{S}]/u, 0.62],
  [/[\p{Script=Devanagari}\p{Script=Bengali}]/u, 0.75],
  [/./su, 1.15],
];

function widthOf(text: string): number {
  return Array.from(text).reduce((sum, character) => {
    if (NO_WIDTH.test(character)) return sum;
    return sum + (WIDTHS.find(([letters]) => letters.test(character))?.[1] ?? 1);
  }, 0);
}

export const roughLines: LineSetter<{ readonly width: number }> = {
  setParagraph: (text, { width: most, linesMax }) => {
    const lines = [0];
    for (const word of text.split(' ').map(widthOf)) {
      const line = lines.at(-1) ?? 0;
      const joined = line === 0 ? word : line + widthOf(' ') + word;
      if (joined <= most) lines[lines.length - 1] = joined;
      else {
        // A word that is longer than a line is broken.
        if (line > 0) lines.push(0);
        for (let rest = word; rest > 0; rest -= most) {
          if (rest < word) lines.push(0);
          lines[lines.length - 1] = Math.min(rest, most);
        }
      }
    }
    return lines.slice(0, linesMax).map((width) => ({ width }));
  },
};
