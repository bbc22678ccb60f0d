/* Reads print jobs in Zebra's language, as far as the service writes it. */

export interface Picture {
  readonly x: number;
  readonly y: number;
  /** Rows of dots: `1` is black. */
  readonly rows: readonly string[];
}

interface Format {
  readonly pictures: readonly Picture[];
  readonly barcode: string | undefined;
  readonly qr: string | undefined;
  /** The outermost dots of pictures and boxes. */
  readonly lowest: number;
  readonly rightmost: number;
}

/** The formats of a job. Throws if a picture has other dimensions than it says. */
export function readZpl(job: string): Format[] {
  return [...job.matchAll(/\^XA(.*?)\^XZ/gs)].map(([, format = '']) => {
    const fields = [...format.matchAll(/\^FO(\d+),(\d+)(.*?)\^FS/gs)].map(([, x, y, content = '']) => ({
      x: Number(x),
      y: Number(y),
      content,
    }));
    const pictures = fields.flatMap(({ x, y, content }) => {
      const [, bytes, total, rowBytes, data = ''] = /^\^GFA,(\d+),(\d+),(\d+),(.*)$/s.exec(content) ?? [];
      if (rowBytes === undefined) return [];
      const rows = unpack(data, Number(rowBytes) * 2);
      if (bytes !== total || rows.length * Number(rowBytes) !== Number(bytes))
        throw new Error('A picture is not whole');
      return [{ x, y, rows }];
    });
    const boxes = fields.flatMap(({ x, y, content }) => {
      const [, width, height] = /^\^GB(\d+),(\d+),/.exec(content) ?? [];
      return height === undefined ? [] : [{ right: x + Number(width), bottom: y + Number(height) }];
    });
    const edges = pictures.map(({ x, y, rows }) => ({
      right: x + Math.max(...rows.map((row) => row.lastIndexOf('1') + 1)),
      bottom: y + rows.length,
    }));
    return {
      pictures,
      barcode: textOf(fields, /^\^BY\d+\^BCN,\d+,N,N,N,A\^FD(.*)$/),
      qr: textOf(fields, /^\^BQN,2,\d+\^FDMA,(.*)$/),
      lowest: Math.max(...[...boxes, ...edges].map(({ bottom }) => bottom)),
      rightmost: Math.max(...[...boxes, ...edges].map(({ right }) => right)),
    };
  });
}

/** The number of black dots. */
export function inkOf({ rows }: Picture): number {
  return rows.join('').replaceAll('0', '').length;
}

/** The digits in a line of text, from left to right. `templates` are pictures of each digit alone, in the same size. */
export function readDigits(picture: Picture, templates: ReadonlyMap<string, Picture>): string {
  const shapes = [...templates].map(([digit, { rows }]) => ({ digit, shape: shapeOf(rows, 0, rows[0]?.length ?? 0) }));
  return inkRuns(picture.rows)
    .map(([from, to]) => {
      const shape = shapeOf(picture.rows, from, to);
      const ranked = shapes
        .map(({ digit, shape: known }) => ({ digit, difference: differenceOf(shape, known) }))
        .toSorted((one, other) => one.difference - other.difference);
      const [best] = ranked;
      return best !== undefined && best.difference < 0.25 ? best.digit : ' ';
    })
    .join('');
}

/** Columns with ink beside each other. */
function inkRuns(rows: readonly string[]): [from: number, to: number][] {
  const runs: [number, number][] = [];
  const width = rows[0]?.length ?? 0;
  for (let x = 0; x < width; x += 1) {
    if (rows.every((row) => row[x] !== '1')) continue;
    const last = runs.at(-1);
    if (last?.[1] === x) last[1] = x + 1;
    else runs.push([x, x + 1]);
  }
  return runs;
}

/** The ink between two columns, without white edges. */
function shapeOf(rows: readonly string[], from: number, to: number): string[] {
  const cut = rows.map((row) => row.slice(from, to));
  const inked = cut.flatMap((row, y) => (row.includes('1') ? [y] : []));
  const left = Math.min(...cut.map((row) => row.indexOf('1')).filter((x) => x >= 0));
  const right = Math.max(...cut.map((row) => row.lastIndexOf('1')));
  return cut.slice(inked[0], (inked.at(-1) ?? 0) + 1).map((row) => row.slice(left, right + 1));
}

/** The part of the dots that only one of two shapes has, at the best of the places within a dot. */
function differenceOf(one: readonly string[], other: readonly string[]): number {
  const sizes = [one.length - other.length, (one[0]?.length ?? 0) - (other[0]?.length ?? 0)];
  if (sizes.some((more) => Math.abs(more) > 2)) return 1;
  const [width, height] = [
    Math.max(...[one, other].map((rows) => rows[0]?.length ?? 0)),
    Math.max(one.length, other.length),
  ];
  const ink = [...one, ...other].join('').replaceAll('0', '').length;
  const shifts = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));
  return Math.min(
    ...shifts.map(([dx, dy]) => {
      let wrong = 0;
      for (let y = -1; y <= height; y += 1)
        for (let x = -1; x <= width; x += 1)
          if ((one[y]?.[x] === '1') !== (other[y + dy]?.[x + dx] === '1')) wrong += 1;
      return wrong / ink;
    }),
  );
}

function textOf(fields: readonly { readonly content: string }[], pattern: RegExp): string | undefined {
  return fields.map(({ content }) => pattern.exec(content)?.[1]).find((text) => text !== undefined);
}

/** Undoes ZPL's compression of hexadecimal digits. */
function unpack(data: string, digits: number): string[] {
  const rows: string[] = [];
  let [row, count] = ['', 0];
  for (const sign of data) {
    if (/[G-Y]/.test(sign)) count += sign.charCodeAt(0) - 70;
    else if (/[g-z]/.test(sign)) count += (sign.charCodeAt(0) - 102) * 20;
    else if (sign === ':') rows.push(rows.at(-1) ?? '');
    else {
      row = sign === ',' ? row.padEnd(digits, '0') : row + sign.repeat(Math.max(count, 1));
      count = 0;
    }
    if (row.length === digits) {
      rows.push([...row].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join(''));
      row = '';
    }
  }
  if (row !== '') throw new Error('A row of a picture is not whole');
  return rows;
}
