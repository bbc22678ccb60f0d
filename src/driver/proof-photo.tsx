import { useEffect, useState } from 'preact/hooks';
import { smallerPicture } from './proof-media.ts';
import { proofWords } from './proof-words.ts';

interface PhotoProps {
  readonly label: string;
  readonly taken: Blob | undefined;
  readonly onTaken: (picture: Blob) => void;
  readonly isOptional?: boolean;
}

/** Opens the camera of the phone, and shows the picture that was taken. */
export function Photo({ label, taken, onTaken, isOptional = false }: PhotoProps) {
  const [isUnreadable, setIsUnreadable] = useState(false);
  const shown = useAddress(taken);
  const take = async (file: Blob | undefined) => {
    if (file === undefined) return;
    const picture = await smallerPicture(file);
    setIsUnreadable(picture === undefined);
    if (picture !== undefined) onTaken(picture);
  };
  return (
    <div class="photo">
      {shown === undefined ? null : <img src={shown} alt={proofWords.photoKept} />}
      {isUnreadable ? <p role="alert">{proofWords.unreadable}</p> : null}
      <label class={taken === undefined && !isOptional ? 'button primary' : 'button'}>
        {taken === undefined ? label : proofWords.photoAgain}
        <input
          type="file"
          accept="image/*"
          capture="environment"
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            // The same file can be chosen again.
            currentTarget.value = '';
          }}
        />
      </label>
    </div>
  );
}

/** An address of the picture for this page. */
function useAddress(content: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (content === undefined) return setAddress(undefined);
    const made = URL.createObjectURL(content);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return address;
}
