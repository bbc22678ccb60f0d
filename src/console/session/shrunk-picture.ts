/*
 * A phone's photograph has several megabytes, and some phones take HEIC. The browser draws it again as a JPEG that the
 * service accepts, if it can decode it.
 */

/** The longest side in pixels. A page of A4 is still readable at the last one. */
const SIDES = [2400, 1800, 1400, 1000];
const QUALITY = 0.8;

/** Whether this file may be a picture. Some systems do not know the type of a file. */
export function isPicture({ type }: File): boolean {
  return type.startsWith('image/') || type === '';
}

export function isHeic({ type, name }: File): boolean {
  return /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
}

/** The picture as a JPEG of at most `bytesMax`; undefined if the browser cannot decode it or make it so small. */
export async function shrunkPicture(file: File, bytesMax: number): Promise<File | undefined> {
  // This turns the picture as its metadata says. The JPEG has no metadata, so no place and time of the photograph.
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (picture === undefined) return undefined;
  try {
    for (const side of SIDES) {
      const blob = await drawn(picture, side);
      if (blob !== undefined && blob.size <= bytesMax)
        return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: blob.type });
    }
    return undefined;
  } finally {
    picture.close();
  }
}

function drawn(picture: ImageBitmap, side: number): Promise<Blob | undefined> {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(undefined);
  // JPEG has no transparency.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', QUALITY));
}
