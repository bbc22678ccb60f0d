/** How a recipient paid the amount to collect. */
export const COLLECTION_METHODS = ['CASH', 'CARD'] as const;

/** Who has the amount to collect: nobody before the delivery, the driver after it. */
export const COD_HOLDERS = ['NOBODY', 'DRIVER'] as const;

/** The longest range of a list of what drivers collected: a month. Here because the console would load all limits with it. */
export const COLLECTION_DAYS_MAX = 31;
