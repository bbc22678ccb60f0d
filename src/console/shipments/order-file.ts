import { loadCode } from '../../ui/browser/service/page-code.ts';
import { type CsvFault, readCsv } from './csv-file.ts';
import type { OrderFile } from './upload-fields.ts';
import type { WorkbookFault } from './workbook-file.ts';

/** Why a chosen file cannot be used. */
export type OrderFileFault = CsvFault | WorkbookFault | 'UNLOADED';

/** Reads a chosen file by what is in it, because its name may say something else. */
export async function readOrderFile(bytes: ArrayBuffer): Promise<OrderFile | OrderFileFault> {
  const [first, second] = new Uint8Array(bytes);
  // An archive of a workbook, and the container of Excel before 2007.
  if (first === 0xd0 && second === 0xcf) return 'WORKBOOK';
  if (first !== 0x50 || second !== 0x4b) return readCsv(bytes);
  const code = await loadCode(() => import('./workbook-file.ts')).catch(() => undefined);
  return code === undefined ? 'UNLOADED' : code.readWorkbook(bytes);
}
