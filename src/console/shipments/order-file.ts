import { loadCode } from '../../ui/browser/service/page-code.ts';
import type { CsvFault } from './csv-file.ts';
import type { OrderFile } from './upload-fields.ts';
import type { WorkbookFault } from './workbook-file.ts';

/** Why a chosen file cannot be used. */
export type OrderFileFault = CsvFault | WorkbookFault | 'UNLOADED';

/** Reads a chosen file by what is in it, because its name may say something else. */
export async function readOrderFile(bytes: ArrayBuffer): Promise<OrderFile | OrderFileFault> {
  const [first, second] = new Uint8Array(bytes);
  // An archive of a workbook, and the container of Excel before 2007.
  if (first === 0xd0 && second === 0xcf) return 'WORKBOOK';
  const isArchive = first === 0x50 && second === 0x4b;
  const read = await loadCode(isArchive ? workbookReader : csvReader).catch(() => undefined);
  return read === undefined ? 'UNLOADED' : read(bytes);
}

type Reader = (bytes: ArrayBuffer) => OrderFile | OrderFileFault | Promise<OrderFile | OrderFileFault>;

async function workbookReader(): Promise<Reader> {
  return (await import('./workbook-file.ts')).readWorkbook;
}

async function csvReader(): Promise<Reader> {
  return (await import('./csv-file.ts')).readCsv;
}
