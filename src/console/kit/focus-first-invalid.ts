/** Takes whoever sent a form to the first field that the service named; nowhere when it named none. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  // What is wrong is drawn by then.
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
