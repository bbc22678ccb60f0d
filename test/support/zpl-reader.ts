/* Reads print jobs in Zebra's language, as far as the service writes it. */

interface Picture {
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
