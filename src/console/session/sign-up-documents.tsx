import { useId, useRef, useState } from 'preact/hooks';
import { isProblem, isRecord } from '../../client/problem.ts';
import { isOfType, isProtectedPdf } from '../../contract/file-type.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { RestError } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { Pill } from '../../ui/state.tsx';
import { isHeic, isPicture, shrunkPicture } from './shrunk-picture.ts';
import { isComplete, type Registration, type SignUpDraft } from './sign-up-draft.ts';

const TEXTS = {
  en: {
    lead: 'Upload a scan or a photograph of each document: PDF, JPEG or PNG, up to 1 MB. Larger photographs are made smaller.',
    next: 'Continue to the code',
  },
  ar: {
    lead: 'ارفع صورة أو نسخة ممسوحة من كل مستند: PDF أو JPEG أو PNG، حتى 1 ميغابايت. تُصغَّر الصور الأكبر.',
    next: 'التالي: رمز التحقق',
  },
};

interface DocumentsProps {
  readonly draft: SignUpDraft;
  readonly keep: (draft: SignUpDraft | undefined) => void;
}

/** A drop zone for each document that the registration needs. */
export function SignUpDocuments({ draft, keep }: DocumentsProps) {
  const text = textsOf(TEXTS);
  const { registration, fileNames } = draft;
  const keepUpload = ({ documentType, requiredDocuments }: UploadedDocument, fileName: string) =>
    keep({
      ...draft,
      registration: { ...registration, requiredDocuments },
      fileNames: { ...fileNames, [documentType]: fileName },
    });
  return (
    <>
      <p>{text.lead}</p>
      {registration.requiredDocuments.map((required) => (
        <DocumentDrop
          key={required.documentType}
          registration={registration}
          required={required}
          fileName={fileNames[required.documentType]}
          onUploaded={keepUpload}
        />
      ))}
      <div class="actions">
        <Button
          kind="primary"
          isDisabled={!isComplete(draft)}
          onClick={() => keep({ ...draft, isPastDocuments: true })}
        >
          {text.next}
        </Button>
      </div>
    </>
  );
}

const DOCUMENT_DROP_TEXTS = {
  en: {
    NATIONAL_ADDRESS: 'National address',
    COMMERCIAL_REGISTRATION: 'Commercial registration',
    FREELANCE_CERTIFICATE: 'Freelance certificate',
    choose: 'Choose a file or drop it here',
    replace: 'Choose another file',
    uploaded: 'Uploaded',
    uploading: 'Uploading',
    objections: {
      TYPE: 'Use a PDF, JPEG or PNG file.',
      SIZE: 'The file is larger than 1 MB.',
      EMPTY: 'The file is empty.',
      CONTENT: 'The content does not match the file type, or the file is damaged.',
      HEIC: 'This browser cannot read HEIC. Save the photograph as JPEG, or take a picture of the screen.',
      PICTURE: 'This is no picture that the browser can read. Save it as JPEG or PNG.',
    },
    locked:
      'This PDF is protected. If it asks for a password, save it without one and upload it again: nobody could read it.',
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
      HEIC: 'لا يستطيع هذا المتصفح قراءة HEIC. احفظ الصورة بصيغة JPEG أو التقط صورة للشاشة.',
      PICTURE: 'هذه ليست صورة يستطيع المتصفح قراءتها. احفظها بصيغة JPEG أو PNG.',
    },
    locked: 'ملف PDF هذا محمي. إذا كان يطلب كلمة مرور فاحفظه من دونها وارفعه من جديد، وإلا فلن يستطيع أحد قراءته.',
  },
};

interface DropProps {
  readonly registration: Registration;
  readonly required: RequiredDocument;
  readonly fileName: string | undefined;
  readonly onUploaded: (uploaded: UploadedDocument, fileName: string) => void;
}

/** The drop zone of one document. It checks the file, uploads it, and offers a retry if the upload fails. */
function DocumentDrop({ registration, required, fileName, onUploaded }: DropProps) {
  const text = textsOf(DOCUMENT_DROP_TEXTS);
  const id = useId();
  const { documentType, contentTypes, state } = required;
  const [isOver, setIsOver] = useState(false);
  const [objection, setObjection] = useState<FileFault>();
  const [isLocked, setIsLocked] = useState(false);
  const [part, setPart] = useState(0);
  const last = useRef<File | undefined>(undefined);
  const upload = useWork(async (file: File) => {
    setPart(0);
    onUploaded(await uploadDocument({ registration, documentType, file, onProgress: setPart }), file.name);
  });
  const take = async (chosen: File | undefined) => {
    if (chosen === undefined || upload.isBusy) return;
    const { file, fault, isLocked } = await fittingFile(chosen, required);
    last.current = file;
    upload.clearFailure();
    setObjection(fault);
    setIsLocked(isLocked);
    if (fault === undefined) await upload.start(file);
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
          accept={[...contentTypes, 'image/*'].join(',')}
          aria-describedby={`${id}-state`}
          aria-invalid={objection !== undefined}
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            // Otherwise choosing the same file again, after it was corrected, would fire no event.
            currentTarget.value = '';
          }}
        />
        {fileName === undefined ? null : <bdi class="file-name">{fileName}</bdi>}
        <span class="press">{state === 'UPLOADED' ? text.replace : text.choose}</span>
      </label>
      <div id={`${id}-state`} aria-live="polite">
        {upload.isBusy ? <progress value={part} aria-label={`${text.uploading}: ${text[documentType]}`} /> : null}
        {objection === undefined ? null : <p class="small wrong">{text.objections[objection]}</p>}
        {isLocked ? <p class="small">{text.locked}</p> : null}
      </div>
      {upload.failure === undefined ? null : (
        <ProblemNotice failure={upload.failure} retry={() => void take(last.current)} />
      )}
    </section>
  );
}

export type RequiredDocument = Registration['requiredDocuments'][number];
/** Why a file is refused before it is uploaded. */
export type FileFault = 'TYPE' | 'SIZE' | 'EMPTY' | 'CONTENT' | 'HEIC' | 'PICTURE';

interface Fitting {
  readonly file: File;
  readonly fault: FileFault | undefined;
  /** A PDF that may ask for a password. */
  readonly isLocked: boolean;
}

/**
 * The file, or a picture drawn anew if the service would refuse it and the browser can read it: too large, of another type, or of
 * another type than its name says.
 */
async function fittingFile(file: File, required: RequiredDocument): Promise<Fitting> {
  const fault = await faultOf(file, required);
  const isLocked = file.type === 'application/pdf' && isProtectedPdf(new Uint8Array(await file.arrayBuffer()));
  if (fault === undefined || fault === 'EMPTY' || !isPicture(file)) return { file, fault, isLocked };
  const drawn = await shrunkPicture(file, required.maxBytes);
  if (drawn === undefined)
    return { file, fault: isHeic(file) ? 'HEIC' : fault === 'SIZE' ? fault : 'PICTURE', isLocked };
  return { file: drawn, fault: await faultOf(drawn, required), isLocked };
}

/** Runs the service's checks on a file, so that nobody waits for an upload that will be refused. */
async function faultOf(file: File, required: RequiredDocument): Promise<FileFault | undefined> {
  const contentType = required.contentTypes.find((type) => type === file.type);
  if (file.size === 0) return 'EMPTY';
  if (contentType === undefined) return 'TYPE';
  if (file.size > required.maxBytes) return 'SIZE';
  return isOfType(new Uint8Array(await file.arrayBuffer()), contentType) ? undefined : 'CONTENT';
}

export type UploadedDocument = Outputs['registrations']['uploadDocument'];

/** A document of 1 MiB takes about 30 seconds on a slow mobile connection. */
const TIMEOUT_MS = 120_000;

interface Upload {
  readonly registration: Registration;
  readonly documentType: string;
  readonly file: File;
  /** The share that was sent, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/**
 * Uploads a document. It uses XMLHttpRequest because fetch reports no upload progress. Rejects with `RestError`, which has
 * no problem if there was no answer.
 */
function uploadDocument({ registration, documentType, file, onProgress }: Upload): Promise<UploadedDocument> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `/v2/account-registrations/${registration.registrationId}/documents/${documentType}`);
    request.responseType = 'json';
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader('Accept-Language', locale);
    request.setRequestHeader('Content-Type', file.type);
    request.setRequestHeader('Registration-Upload-Capability', registration.uploadCapability);
    request.setRequestHeader('X-Document-Filename', encodeURIComponent(file.name));
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      const answer: unknown = request.response;
      if (request.status === 200 && request.getResponseHeader('x-request-id') !== null && isRecord(answer))
        resolve(answer as UploadedDocument);
      else reject(new RestError(isProblem(answer) ? answer : undefined));
    };
    request.onerror = () => reject(new RestError(undefined));
    request.ontimeout = request.onerror;
    request.send(file);
  });
}
