import { randomUUID } from 'node:crypto';
import { PDF, pdfOf } from '../files.ts';
import { draftOf, type Upload, upload } from '../registrations.ts';
import type { Exercise, FailingScene } from './scene.ts';

const TYPE = 'NATIONAL_ADDRESS';

/** Uploads of documents. The capability belongs to one draft, so it is part of the request. */
export const UPLOAD_EXERCISES: Readonly<Record<string, Exercise>> = {
  'registrations.uploadDocument': {
    async good({ environment }) {
      const { registrationId, uploadCapability } = (await draftOf(environment)).body;
      return {
        path: `/v2/account-registrations/${registrationId}/documents/${TYPE}`,
        headers: {
          'content-type': 'application/pdf',
          'x-document-filename': 'address.pdf',
          'registration-upload-capability': uploadCapability,
        },
        body: Buffer.from(PDF).toString('latin1'),
      };
    },
    own: (scene) => [
      [401, () => upload(scene.environment, noDraft(), { type: TYPE, bytes: PDF })],
      [413, () => send(scene, { type: TYPE, bytes: pdfOf(1024 * 1024 + 1) })],
      [415, () => send(scene, { type: TYPE, bytes: PDF, contentType: 'text/plain' })],
      [422, () => send(scene, { type: TYPE, bytes: PDF, contentType: 'image/png' })],
      [
        429,
        async () => {
          const { body } = await draftOf(scene.failing);
          await upload(scene.failing, body, { type: TYPE, bytes: PDF });
          return upload(scene.failing, body, { type: TYPE, bytes: PDF });
        },
      ],
      [503, () => upload(scene.headless, noDraft(), { type: TYPE, bytes: PDF })],
    ],
  },
};

async function send({ environment }: FailingScene, order: Upload): Promise<Response> {
  return upload(environment, (await draftOf(environment)).body, order);
}

function noDraft() {
  return { registrationId: randomUUID(), uploadCapability: 'upl_x' };
}
