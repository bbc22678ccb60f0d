import type { DocumentContentType } from '../../contract/registration-state.ts';
import { isOfType } from '../../domain/uploaded-file.ts';
import type { Registration } from './sign-up-draft.ts';

export type RequiredDocument = Registration['requiredDocuments'][number];
/** Why a file is not sent at all. */
export type Objection = 'TYPE' | 'SIZE' | 'EMPTY' | 'CONTENT';

/** Looks at a file as the service will, so that nobody waits for an upload that ends in a refusal. */
export async function checkDocument(file: File, required: RequiredDocument): Promise<Objection | undefined> {
  const contentType = required.contentTypes.find((type) => type === file.type);
  if (contentType === undefined) return 'TYPE';
  if (file.size === 0) return 'EMPTY';
  if (file.size > required.maxBytes) return 'SIZE';
  return (await hasContent(file, contentType)) ? undefined : 'CONTENT';
}

async function hasContent(file: File, contentType: DocumentContentType): Promise<boolean> {
  return isOfType(new Uint8Array(await file.arrayBuffer()), contentType);
}
