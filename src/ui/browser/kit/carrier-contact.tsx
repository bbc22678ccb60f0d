import type { ComponentChildren } from 'preact';

/** A paragraph with the carrier's contact, as the deployment names it, after these words. Nothing if it names none. */
export function CarrierContact({ children }: { readonly children: ComponentChildren }) {
  const { phone, email } = document.getElementById('console')?.dataset ?? {};
  if (phone === undefined && email === undefined) return null;
  return (
    <p>
      {children}{' '}
      {phone === undefined ? null : (
        <a href={`tel:${phone}`}>
          <bdi dir="ltr">{phone}</bdi>
        </a>
      )}
      {phone === undefined || email === undefined ? null : ' · '}
      {email === undefined ? null : (
        <a href={`mailto:${email}`}>
          <bdi dir="ltr">{email}</bdi>
        </a>
      )}
    </p>
  );
}
