/** Half of the day in which a delivery window starts: before noon in Riyadh, or later. */
export const WINDOW_PARTS = ['MORNING', 'EVENING'] as const;
export type WindowPart = (typeof WINDOW_PARTS)[number];

/** What became of a delivery window. ASKED binds nobody. A driver agrees to it; then it is met or missed at the door. */
export const WINDOW_STATUSES = ['ASKED', 'AGREED', 'MET', 'MISSED'] as const;
export type WindowStatus = (typeof WINDOW_STATUSES)[number];
