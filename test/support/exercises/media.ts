import { newReference } from '../../../scripts/shared/shipments.ts';
import { PDF, PNG, pngOf } from '../files.ts';
import { addMedia, MEDIA, sendMedia } from '../media.ts';
import type { Exercise, Scene } from './scene.ts';

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
  'mediaAssets.list': {
    async good({ environment, sandbox }) {
      await addMedia(environment, sandbox.company, newReference(), 0);
      return { path: MEDIA, headers: {} };
    },
  },
  'mediaAssets.read': {
    good: async (scene) => ({ path: `${await newPicture(scene)}/content`, headers: {} }),
    own: ({ sandbox: { merchant } }) => [[404, () => merchant.get(`${MEDIA}/${crypto.randomUUID()}/content`)]],
  },
  'mediaAssets.delete': {
    good: async (scene) => ({ path: await newPicture(scene), headers: {} }),
    own: ({ environment, sandbox }) => {
      const remove = async (id: string) => {
        const authorization = `Bearer ${await environment.token(sandbox.company)}`;
        return environment.fetch(`${MEDIA}/${id}`, { method: 'DELETE', headers: { authorization } });
      };
      return [
        [404, () => remove(crypto.randomUUID())],
        [
          409,
          async () => {
            const externalReference = newReference();
            const { mediaAssetId } = await addMedia(environment, sandbox.company, externalReference, 0);
            await sandbox.create({ externalReference });
            return remove(String(mediaAssetId));
          },
        ],
      ];
    },
  },
};

/** The path of a picture without a shipment. */
async function newPicture({ environment, sandbox }: Scene): Promise<string> {
  const { mediaAssetId } = await addMedia(environment, sandbox.company, newReference(), 0);
  return `${MEDIA}/${String(mediaAssetId)}`;
}
