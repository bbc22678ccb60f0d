import bidiFactory from 'bidi-js';
import type { Face, Faces, Weight } from './fonts.ts';

/* Lines of text in Arabic and Latin: where they break, and the order of their pieces from left to right (UAX #9). */

const bidi = bidiFactory();
/** Marks that change the direction of text. They have no glyph. */
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Joining marks. The fonts have no glyph for them either. */
const JOINERS = /[\u200b-\u200d\ufeff]/gu;
const ARABIC_LETTER = /\p{Script=Arabic}/u;
/** Stands for a character that no font has. */
const UNKNOWN = '?';

/** Text of one direction in one font. `text` is in the order in which the font takes it. */
export interface Piece {
  readonly face: Face;
  readonly text: string;
  /** In units of the text's size, as `width`. */
  readonly x: number;
}

export interface Line {
  readonly pieces: readonly Piece[];
  readonly width: number;
}

export interface Setting {
  readonly weight: Weight;
  readonly direction: 'ltr' | 'rtl';
  /** The width of a line, in units of the text's size. */
  readonly width: number;
  /** Further lines are cut off, and the last one then ends in an ellipsis. */
  readonly linesMax: number;
}

/** Text from outside within another text: it cannot change the order of the text around it, like `<bdi>` in HTML. */
export function isolate(text: string): string {
  return `\u2068${text.replaceAll(CONTROLS, '')}\u2069`;
}

/** A character of a paragraph, with the font that has it. */
interface Letter {
  readonly text: string;
  readonly face: Face;
  readonly level: number;
}

export class Typesetter {
  readonly #faces: Faces;
  readonly #widthOf: (face: Face, text: string) => number;
  readonly #widths = new Map<string, number>();

  /** `widthOf` measures a text of one direction in one font, in units of the text's size. */
  constructor(faces: Faces, widthOf: (face: Face, text: string) => number) {
    this.#faces = faces;
    this.#widthOf = widthOf;
  }

  /** Breaks a paragraph into lines, at spaces where possible. */
  setParagraph(text: string, { weight, direction, width, linesMax }: Setting): Line[] {
    const letters = this.#lettersOf(
      text.normalize('NFC').replaceAll(JOINERS, '').replaceAll(/\s+/gu, ' '),
      weight,
      direction,
    );
    const lines: Letter[][] = [];
    let rest = letters;
    while (rest.length > 0) {
      const count = this.#countThatFits(rest, width);
      lines.push(withoutSpaces(rest.slice(0, count)));
      rest = withoutSpaces(rest.slice(count));
    }
    if (lines.length > linesMax) lines.splice(linesMax - 1, lines.length, this.#cut(lines[linesMax - 1] ?? [], width));
    return lines.map((line) => this.#place(line));
  }

  #lettersOf(text: string, weight: Weight, direction: 'ltr' | 'rtl'): Letter[] {
    const faces = this.#faces[weight];
    const { levels } = bidi.getEmbeddingLevels(text, direction);
    const letters: Letter[] = [];
    let index = 0;
    for (const character of text) {
      const level = levels[index] ?? 0;
      index += character.length;
      if (character.replaceAll(CONTROLS, '') === '') continue;
      const near = letters.at(-1)?.face;
      const face = [...(near === undefined ? [] : [near]), ...faces].find(({ font }) =>
        font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
      );
      const fallback = faces[1] ?? faces[0];
      if (face !== undefined) letters.push({ text: character, face, level });
      else if (fallback !== undefined) letters.push({ text: UNKNOWN, face: fallback, level });
    }
    return letters;
  }

  /** How many letters the next line takes: at least one. */
  #countThatFits(letters: readonly Letter[], width: number): number {
    let [fits, sum] = [0, 0];
    while (fits < letters.length) {
      const end = endOfWord(letters, fits);
      sum += this.#measure(letters.slice(fits, end));
      if (sum > width) break;
      fits = end;
    }
    if (fits > 0) return fits;
    // A word that is longer than the line.
    return this.#countOf(letters.slice(0, endOfWord(letters, 0)), [], width);
  }

  /** How many of these letters fit with `end` after them: at least one. It measures few of the possible counts. */
  #countOf(letters: readonly Letter[], end: readonly Letter[], width: number): number {
    let [fits, tooMany] = [1, letters.length + 1];
    while (tooMany - fits > 1) {
      const count = Math.floor((fits + tooMany) / 2);
      if (this.#measure([...letters.slice(0, count), ...end]) <= width) fits = count;
      else tooMany = count;
    }
    return fits;
  }

  #cut(line: readonly Letter[], width: number): Letter[] {
    const last = line.at(-1);
    if (last === undefined) return [];
    const faces = [last.face, ...this.#faces[400], ...this.#faces[600]];
    const face = faces.find(({ font }) => font.hasGlyphForCodePoint(0x2026)) ?? last.face;
    const ellipsis = { text: '…', face, level: last.level };
    return [...line.slice(0, this.#countOf(line, [ellipsis], width)), ellipsis];
  }

  #measure(letters: readonly Letter[]): number {
    return runsOf(letters).reduce((sum, run) => sum + this.#widthOfRun(run), 0);
  }

  #place(line: readonly Letter[]): Line {
    let x = 0;
    const pieces: Piece[] = [];
    for (const run of inVisualOrder(runsOf(line))) {
      // A space needs no drawing.
      if (run.text.trim() !== '') pieces.push({ face: run.face, text: inFontOrder(run), x });
      x += this.#widthOfRun(run);
    }
    return { pieces, width: x };
  }

  #widthOfRun({ face, text }: Letter): number {
    const key = `${face.name} ${text}`;
    const width = this.#widths.get(key) ?? this.#widthOf(face, text);
    this.#widths.set(key, width);
    return width;
  }
}

function withoutSpaces(letters: readonly Letter[]): Letter[] {
  const isInk = ({ text }: Letter) => text.trim() !== '';
  return letters.slice(letters.findIndex(isInk), letters.findLastIndex(isInk) + 1);
}

/** The end of the word that starts at `from`, with the spaces after it. */
function endOfWord(letters: readonly Letter[], from: number): number {
  let end = from + 1;
  while (end < letters.length && !(isSpace(letters[end - 1]) && !isSpace(letters[end]))) end += 1;
  return end;
}

function isSpace(letter: Letter | undefined): boolean {
  return letter !== undefined && letter.text.trim() === '';
}

/** Joins neighbours with the same font and level. A space is a run of its own, so that a word is shaped only once. */
function runsOf(letters: readonly Letter[]): Letter[] {
  const runs: Letter[] = [];
  for (const letter of letters) {
    const last = runs.at(-1);
    if (
      last !== undefined &&
      last.face === letter.face &&
      last.level === letter.level &&
      isSpace(last) === isSpace(letter)
    )
      runs[runs.length - 1] = { ...last, text: last.text + letter.text };
    else runs.push(letter);
  }
  return runs;
}

/** Reverses runs of right-to-left text (UAX #9, rule L2). */
function inVisualOrder(runs: readonly Letter[]): Letter[] {
  const order = [...runs];
  const highest = Math.max(0, ...order.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    let start = 0;
    while (start < order.length) {
      let end = start;
      while ((order[end]?.level ?? -1) >= level) end += 1;
      if (end > start) order.splice(start, end - start, ...order.slice(start, end).toReversed());
      start = end + 1;
    }
  }
  return order;
}

/** The font reverses Arabic by itself. Other right-to-left text is signs, which it takes from left to right. */
function inFontOrder({ text, level }: Letter): string {
  if (level % 2 === 0) return text;
  const mirrored = Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character);
  return (ARABIC_LETTER.test(text) ? mirrored : mirrored.toReversed()).join('');
}
