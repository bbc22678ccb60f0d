import '../tracking/tracking.css';

/* The script of the recipient's page: it asks the phone where it is. Everything else on the page works without it. */

const WAIT_MS = 15_000;

const form = document.querySelector<HTMLFormElement>('form[data-locate]');
// In-app browsers often have no position.
if (form !== null && 'geolocation' in navigator) {
  form.hidden = false;
  form.addEventListener('submit', locate);
}

function locate(event: SubmitEvent): void {
  event.preventDefault();
  const button = form?.querySelector('button');
  if (form === null || button == null || button.disabled) return;
  button.disabled = true;
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      setValue('latitude', coords.latitude.toFixed(6));
      setValue('longitude', coords.longitude.toFixed(6));
      form.submit();
    },
    () => {
      button.disabled = false;
      const trouble = form.querySelector<HTMLElement>('[data-trouble]');
      if (trouble === null) return;
      trouble.textContent = trouble.dataset['trouble'] ?? '';
      trouble.hidden = false;
    },
    { enableHighAccuracy: true, timeout: WAIT_MS, maximumAge: 0 },
  );
}

function setValue(name: string, value: string): void {
  const input = form?.elements.namedItem(name);
  if (input instanceof HTMLInputElement) input.value = value;
}
