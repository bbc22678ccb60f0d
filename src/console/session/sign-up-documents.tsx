import { Button } from '../kit/button.tsx';
import { textsOf } from '../shell/locale.ts';
import { DocumentDrop } from './document-drop.tsx';
import { isComplete, type SignUpDraft } from './sign-up-draft.ts';
import type { UploadedDocument } from './upload-document.ts';

const TEXTS = {
  en: { lead: 'A scan or a photograph of each: PDF, JPEG or PNG, up to 1 MB.', next: 'Go on to the code' },
  ar: { lead: 'صورة أو نسخة ممسوحة من كل مستند: PDF أو JPEG أو PNG، حتى 1 ميغابايت.', next: 'التالي: الرمز' },
};

interface DocumentsProps {
  readonly draft: SignUpDraft;
  readonly keep: (draft: SignUpDraft | undefined) => void;
}

/** One place to drop each document that this registration needs. */
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
