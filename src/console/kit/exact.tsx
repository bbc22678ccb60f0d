/** A code, a number or an address of the service: it keeps its direction in both languages, and breaks where it must. */
export function Exact({ children }: { readonly children: string | number }) {
  return (
    <bdi dir="ltr">
      <code>{children}</code>
    </bdi>
  );
}
