import { csvOfTable } from '../../../core/csv.ts';
import type { SavedTable } from '../../../core/workbook.ts';
import { locale } from '../base/locale.ts';
import { useWork } from '../service/loading.ts';
import { loadCode } from '../service/page-code.ts';
import { Button } from './form.tsx';
import { ProblemNotice } from './problem-notice.tsx';

/** By then the browser has read the file. */
const KEPT_MS = 10_000;

/** Saves a file that the page has made or read. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

interface DownloadProps {
  readonly label: string;
  /** The name of the file. */
  readonly name: string;
  readonly isDisabled?: boolean;
  readonly read: () => Promise<Blob>;
}

/** A button that reads a file and saves it, and says why if it cannot. */
export function Download({ label, name, isDisabled = false, read }: DownloadProps) {
  const work = useWork(async () => saveFile(name, await read()));
  const start = () => void work.start(undefined);
  return (
    <>
      <Button isBusy={work.isBusy} isDisabled={isDisabled} onClick={start}>
        {label}
      </Button>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} retry={start} />}
    </>
  );
}

interface TableDownloadProps {
  readonly labels: { readonly csv: string; readonly xlsx: string };
  /** The name of the files, without the ending. */
  readonly name: string;
  readonly read: () => Promise<SavedTable>;
}

/** Two buttons that save a table, as CSV and as a workbook. */
export function TableDownload({ labels, name, read }: TableDownloadProps) {
  return (
    <>
      <Download label={labels.csv} name={`${name}.csv`} read={async () => csvFile(await read())} />
      <Download
        label={labels.xlsx}
        name={`${name}.xlsx`}
        read={async () => {
          const { workbookOf } = await loadCode(() => import('../../../core/workbook.ts'));
          return workbookOf(await read(), { name, isRightToLeft: locale === 'ar' });
        }}
      />
    </>
  );
}

function csvFile(table: SavedTable): Blob {
  return new Blob([csvOfTable(table)], { type: 'text/csv' });
}
