/** The letter mim, drawn as a pin: its ring marks the place, its tail is the way there. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 28" width="24" height="28" aria-hidden="true" focusable="false">
      <path
        fill="none"
        stroke="currentColor"
        stroke-width="3.5"
        stroke-linecap="round"
        stroke-linejoin="round"
        d="M12 26V17.5M12 17.5a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM12 17.5H4"
      />
    </svg>
  );
}
