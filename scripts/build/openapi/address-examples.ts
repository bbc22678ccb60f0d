/** The National Address of the shipment of the other examples, after the registry was asked. */
export const exampleAddress = {
  shortAddress: 'RRRD2929',
  status: 'VERIFIED',
  source: 'MERCHANT',
  buildingNumber: '2929',
  street: 'Olaya Street',
  district: 'Al Olaya',
  city: 'Riyadh',
  postalCode: '12333',
  additionalNumber: '8118',
  location: { latitude: 24.7743, longitude: 46.6572 },
  distanceMeters: 12,
  checkedAt: '2026-11-21T09:00:03.000000Z',
  policy: 'ASK',
  blocksDispatch: false,
  version: 2,
};
