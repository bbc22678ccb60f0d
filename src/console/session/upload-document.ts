import { isProblem, isRecord } from '../../client/problem.ts';
import { RestError } from '../service/failure.ts';
import type { Outputs } from '../service/service.ts';
import { locale } from '../shell/locale.ts';
import type { Registration } from './sign-up-draft.ts';

export type UploadedDocument = Outputs['registrations']['uploadDocument'];

/** A document of 1 MiB over a bad mobile connection takes half a minute. */
const TIMEOUT_MS = 120_000;

interface Upload {
  readonly registration: Registration;
  readonly documentType: string;
  readonly file: File;
  /** How much has left, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/**
 * Sends a document. Only XMLHttpRequest tells how far it is. Rejects with `RestError`, without a problem when nothing
 * answered.
 */
export function uploadDocument({ registration, documentType, file, onProgress }: Upload): Promise<UploadedDocument> {
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
      if (request.status === 200 && isRecord(answer)) resolve(answer as UploadedDocument);
      else reject(new RestError(isProblem(answer) ? answer : undefined));
    };
    request.onerror = () => reject(new RestError(undefined));
    request.ontimeout = request.onerror;
    request.send(file);
  });
}
