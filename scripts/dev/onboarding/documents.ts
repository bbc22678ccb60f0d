import { crc32, deflateSync } from 'node:zlib';

/* The smallest valid files: a PDF with one empty page, and a PNG with one grey pixel. */

export interface DocumentFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export function pdfFile(name: string): DocumentFile {
  return { name, contentType: 'application/pdf', bytes: tinyPdf() };
}

export function pngFile(name: string): DocumentFile {
  return { name, contentType: 'image/png', bytes: tinyPng() };
}

/** The cross-reference table holds the byte offset of each object (ISO 32000-1 section 7.5.4). */
function tinyPdf(): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const start = text.length;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${table}`;
  text += `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(text);
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** One by one pixel, eight bits of grey. */
const PNG_HEADER = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0];
/** No filter, then the pixel. */
const PNG_ROW = [0, 0x80];

function tinyPng(): Uint8Array {
  return Buffer.concat([
    Buffer.from(PNG_SIGNATURE),
    pngChunk('IHDR', Buffer.from(PNG_HEADER)),
    pngChunk('IDAT', deflateSync(Buffer.from(PNG_ROW))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Length, name, contents, and a checksum of name and contents (W3C PNG section 5.3). */
function pngChunk(name: string, contents: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(contents.length);
  const named = Buffer.concat([Buffer.from(name, 'ascii'), contents]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
