import { useId, useRef, useState } from 'preact/hooks';
import { Pill } from '../../ui/pill.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { checkDocument, type Objection, type RequiredDocument } from './document-check.ts';
import type { Registration } from './sign-up-draft.ts';
import { type UploadedDocument, uploadDocument } from './upload-document.ts';

const TEXTS = {
  en: {
    NATIONAL_ADDRESS: 'National address',
    COMMERCIAL_REGISTRATION: 'Commercial registration',
    FREELANCE_CERTIFICATE: 'Freelance certificate',
    choose: 'Choose a file or drop it here',
    replace: 'Choose another file',
    uploaded: 'Uploaded',
    uploading: 'Uploading',
    objections: {
      TYPE: 'Only PDF, JPEG and PNG are taken.',
      SIZE: 'The file is larger than 1 MB.',
      EMPTY: 'The file is empty.',
      CONTENT: 'What is in the file is not what its name says, or it is damaged.',
    },
  },
  ar: {
    NATIONAL_ADDRESS: 'العنوان الوطني',
    COMMERCIAL_REGISTRATION: 'السجل التجاري',
    FREELANCE_CERTIFICATE: 'وثيقة العمل الحر',
    choose: 'اختر ملفًا أو أفلته هنا',
    replace: 'اختر ملفًا آخر',
    uploaded: 'تم الرفع',
    uploading: 'جارٍ الرفع',
    objections: {
      TYPE: 'تُقبل ملفات PDF وJPEG وPNG فقط.',
      SIZE: 'حجم الملف أكبر من 1 ميغابايت.',
      EMPTY: 'الملف فارغ.',
      CONTENT: 'محتوى الملف لا يطابق نوعه، أو أن الملف تالف.',
    },
  },
};

interface DropProps {
  readonly registration: Registration;
  readonly required: RequiredDocument;
  readonly fileName: string | undefined;
  readonly onUploaded: (uploaded: UploadedDocument, fileName: string) => void;
}

/** A place for one document: it is looked at first, then sent; what fails on the way is sent again by a button. */
export function DocumentDrop({ registration, required, fileName, onUploaded }: DropProps) {
  const text = textsOf(TEXTS);
  const id = useId();
  const { documentType, contentTypes, state } = required;
  const [isOver, setIsOver] = useState(false);
  const [objection, setObjection] = useState<Objection>();
  const [part, setPart] = useState(0);
  const last = useRef<File | undefined>(undefined);
  const upload = useWork(async (file: File) => {
    setPart(0);
    onUploaded(await uploadDocument({ registration, documentType, file, onProgress: setPart }), file.name);
  });
  const take = async (file: File | undefined) => {
    if (file === undefined || upload.isBusy) return;
    last.current = file;
    upload.forget();
    const found = await checkDocument(file, required);
    setObjection(found);
    if (found === undefined) await upload.start(file);
  };
  return (
    <section class="drop-place" aria-labelledby={id}>
      <h2 id={id}>
        {text[documentType]}
        {state === 'UPLOADED' ? <Pill tone="good">{text.uploaded}</Pill> : null}
      </h2>
      <label
        class={`drop${isOver ? ' over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          void take(event.dataTransfer?.files[0]);
        }}
      >
        <input
          type="file"
          accept={contentTypes.join(',')}
          aria-describedby={`${id}-state`}
          aria-invalid={objection !== undefined}
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            // The same file may be chosen again once it was mended.
            currentTarget.value = '';
          }}
        />
        {fileName === undefined ? null : <bdi class="file-name">{fileName}</bdi>}
        <span class="press">{state === 'UPLOADED' ? text.replace : text.choose}</span>
      </label>
      <div id={`${id}-state`} aria-live="polite">
        {upload.isBusy ? <progress value={part} aria-label={`${text.uploading}: ${text[documentType]}`} /> : null}
        {objection === undefined ? null : <p class="small wrong">{text.objections[objection]}</p>}
      </div>
      {upload.failure === undefined ? null : (
        <ProblemNotice failure={upload.failure} retry={() => void take(last.current)} />
      )}
    </section>
  );
}
