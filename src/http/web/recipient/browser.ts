import { loadMap, mapArchive } from '../../../ui/map/load-map.ts';
import { MAP_WORDS } from '../../../ui/map/map-words.ts';
import { pageLocale } from '../../../ui/page-script.ts';
import '../tracking/tracking.css';

/* The script of the recipient's page: it asks the phone where it is, and shows a map with a pin. Everything else on the page works without it. */

const WAIT_MS = 15_000;
/** Eleven centimetres. */
const DECIMALS = 6;

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
      setValue(form, 'latitude', coords.latitude.toFixed(DECIMALS));
      setValue(form, 'longitude', coords.longitude.toFixed(DECIMALS));
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

const pinForm = document.querySelector<HTMLFormElement>('form[data-pin]');
const archive = mapArchive();
if (pinForm !== null && archive !== undefined) {
  pinForm.hidden = false;
  const button = pinForm.querySelector<HTMLButtonElement>('[data-show-map]');
  button?.addEventListener('click', () => void openPin(pinForm, button, archive));
}

/** Replaces the button by the map, or says why the map cannot be shown. */
async function openPin(within: HTMLFormElement, button: HTMLButtonElement, address: string): Promise<void> {
  const place = within.querySelector<HTMLElement>('[data-map-place]');
  const frame = place?.querySelector<HTMLElement>('.map-place');
  const state = within.querySelector<HTMLElement>('[data-map-state]');
  if (place == null || frame == null || state === null || button.disabled) return;
  const locale = pageLocale(document);
  button.disabled = true;
  state.textContent = button.dataset['loading'] ?? '';
  place.hidden = false;
  const map = await loadMap({
    frame,
    archive: address,
    locale,
    label: place.dataset['mapPlace'] ?? '',
    view: {},
    pin: {
      at: { latitude: Number(valueOf(within, 'latitude')), longitude: Number(valueOf(within, 'longitude')) },
      onMove({ latitude, longitude }) {
        setValue(within, 'latitude', String(latitude));
        setValue(within, 'longitude', String(longitude));
      },
    },
    onPartly: (isPartly) => {
      state.textContent = isPartly ? MAP_WORDS[locale].troubles.partly : '';
    },
  });
  button.hidden = typeof map !== 'string';
  button.disabled = false;
  place.hidden = typeof map === 'string';
  state.textContent =
    typeof map === 'string' ? `${MAP_WORDS[locale].troubles[map]} ${within.dataset['pin'] ?? ''}` : '';
  if (typeof map === 'string') return;
  place.querySelector('[data-middle]')?.addEventListener('click', () => map.pinToMiddle());
  frame.querySelector<HTMLElement>('.pin')?.focus();
}

function valueOf(within: HTMLFormElement, name: string): string {
  const input = within.elements.namedItem(name);
  return input instanceof HTMLInputElement ? input.value : '';
}

function setValue(within: HTMLFormElement, name: string, value: string): void {
  const input = within.elements.namedItem(name);
  if (input instanceof HTMLInputElement) input.value = value;
}
