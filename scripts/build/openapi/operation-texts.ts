/** Descriptions of operations whose summary is not enough, by name. Procedures with more to say do so in their metadata. */
export const OPERATION_TEXTS: Readonly<Record<string, string>> = {
  'shipments.list': 'The newest first. Filters can be combined; a cursor belongs to its filters.',
  'shipments.timeline': 'Every event of the shipment, the oldest first.',
  'trackingLinks.list': 'The newest first, without the addresses of the links.',
  'branches.list': 'Branches of the company. A shipment names one by its code.',
  'pickupLocations.list': 'Pickup locations of the company. A shipment names one by its code.',
  'driver.signOut': 'Ends the session. Its token stops working at once.',
  'driver.getStanding': 'Whether the driver is on duty, and how many shipments they have.',
  'driver.listOffers': 'Open offers to the driver, without the recipient.',
  'sessions.current': 'Who is signed in, how the session was proved, and until when.',
  'sessions.signOut': 'Ends the session and deletes the cookie.',
  'merchantApiCredential.get': 'The credential without its secret.',
  'webhookEndpoints.list': 'The endpoints of the company, without their secrets.',
  'webhookEndpoints.get': 'The endpoint without its secret.',
  'webhookEndpoints.getReplay': 'The state of the replay, and how many deliveries it has sent.',
  'webhookDeliveries.list': 'The newest first. Deliveries are kept for 30 days.',
  'webhookDeliveries.get': 'The delivery with every attempt.',
};
