import { PDF, PNG, pngOf } from '../files.ts';
import { MEDIA, sendMedia } from '../media.ts';
import { newReference } from '../shipments.ts';
import type { Exercise } from './scene.ts';

/** Pictures that are uploaded before their shipment. */
export const MEDIA_EXERCISES: Readonly<Record<string, Exercise>> = {
  'mediaAssets.create': {
    good: () =>
      Promise.resolve({
        path: `${MEDIA}?externalReference=${newReference()}&sortOrder=1`,
        headers: { 'content-type': 'image/png' },
        body: PNG,
      }),
    own: ({ environment, sandbox }) => {
      const send = (upload = {}) =>
        sendMedia(environment, sandbox.company, `?externalReference=${newReference()}`, upload);
      return [
        [
          409,
          async () => {
            const { externalReference } = await sandbox.create();
            return sendMedia(environment, sandbox.company, `?externalReference=${externalReference}`);
          },
        ],
        [413, () => send({ body: pngOf(1024 * 1024 + 1) })],
        [415, () => send({ contentType: 'application/pdf', body: PDF })],
        [422, () => send({ contentType: 'image/jpeg' })],
      ];
    },
  },
};
