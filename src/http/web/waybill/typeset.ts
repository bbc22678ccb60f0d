import bidiFactory from 'bidi-js';
import type { Face, Faces, Weight } from './fonts.ts';
import type { LineSetter, Setting } from './layout.ts';
import type { Glyph } from './shaper.ts';

/* Lines of text in any direction: where they break, and the order of their glyphs from left to right (UAX #9). */

const bidi = bidiFactory();
/** Marks that change the direction of text. They have no glyph. */
const CONTROLS = /[\u2066-\u2069]/gu;
/** A letter with its marks and joiners. They are in one font, if one has them all. */
const CLUSTER = /\P{M}[\p{M}\u200c\u200d]*|[\p{M}\u200c\u200d]+/gu;
const JOINERS = /[\u200c\u200d]/gu;
const ELLIPSIS = '…';
/** Stands for a character that no font has. */
const UNKNOWN = '?';

/** Glyphs of one font. */
export interface Piece {
  readonly face: Face;
  readonly text: string;
  readonly glyphs: readonly Glyph[];
  /** In units of the text's size, as `width`. */
  readonly x: number;
}

export interface Line {
  readonly pieces: readonly Piece[];
  readonly width: number;
}

/** Characters of a paragraph in one font, at one level of direction. */
interface Letter {
  readonly text: string;
  readonly face: Face;
  readonly level: number;
}

interface Shaped {
  readonly glyphs: readonly Glyph[];
  readonly width: number;
}

export class Typesetter implements LineSetter<Line> {
  readonly #faces: Faces;
  /** By font, direction and text, which decide the glyphs alone. */
  readonly #runs = new Map<string, Shaped>();

  constructor(faces: Faces) {
    this.#faces = faces;
  }

  /** Breaks a paragraph into lines, at spaces where possible. */
  setParagraph(text: string, { weight, direction, width, linesMax }: Setting): Line[] {
    const lines: Letter[][] = [];
    let rest = this.#lettersOf(text, weight, direction);
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
    for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
      const characters = cluster.replaceAll(CONTROLS, '');
      if (characters === '') continue;
      const level = levels[index] ?? 0;
      const near = letters.at(-1)?.face;
      const face = faceWith(faces, characters, near);
      if (face === undefined) letters.push(...lettersApart(faces, characters, level));
      else letters.push({ text: characters, face, level });
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
    const face = faceWith([...this.#faces[400], ...this.#faces[600]], ELLIPSIS, last.face) ?? last.face;
    const ellipsis = { text: ELLIPSIS, face, level: last.level };
    return [...line.slice(0, this.#countOf(line, [ellipsis], width)), ellipsis];
  }

  #measure(letters: readonly Letter[]): number {
    return runsOf(letters).reduce((sum, run) => sum + this.#shape(run).width, 0);
  }

  #place(line: readonly Letter[]): Line {
    let x = 0;
    const pieces: Piece[] = [];
    for (const run of inVisualOrder(runsOf(line))) {
      const { glyphs, width } = this.#shape(run);
      // A space needs no drawing.
      if (!isSpace(run)) pieces.push({ face: run.face, text: run.text, glyphs, x });
      x += width;
    }
    return { pieces, width: x };
  }

  #shape({ face, text, level }: Letter): Shaped {
    const direction = level % 2 === 0 ? 'ltr' : 'rtl';
    const key = `${face.name} ${direction} ${text}`;
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    const glyphs = face.shape({ text, script: face.script, direction });
    const width = glyphs.reduce((sum, { xAdvance }) => sum + xAdvance, 0) / face.font.unitsPerEm;
    this.#runs.set(key, { glyphs, width });
    return { glyphs, width };
  }
}

/** The font that has these characters: the one beside them, or else the first of all. */
function faceWith(faces: readonly Face[], text: string, near?: Face): Face | undefined {
  const characters = Array.from(text.replaceAll(JOINERS, ''), (character) => character.codePointAt(0) ?? 0);
  const hasAll = ({ font }: Face) => characters.every((character) => font.hasGlyphForCodePoint(character));
  return near !== undefined && hasAll(near) ? near : faces.find(hasAll);
}

/** Each character in a font of its own. A mark that no font has is left out. */
function lettersApart(faces: readonly Face[], text: string, level: number): Letter[] {
  return Array.from(text).flatMap((character, index): Letter[] => {
    const face = faceWith(faces, character);
    if (face !== undefined) return [{ text: character, face, level }];
    const fallback = faceWith(faces, UNKNOWN);
    return index > 0 || fallback === undefined ? [] : [{ text: UNKNOWN, face: fallback, level }];
  });
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
