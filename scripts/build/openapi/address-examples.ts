/** A building as the registry writes it. */
const building = {
  buildingNumber: '2929',
  street: 'شارع العليا',
  district: 'حي الصحافة',
  city: 'الرياض',
  postalCode: '13321',
  additionalNumber: '8118',
  location: { latitude: 24.7743, longitude: 46.6572 },
};

/** The National Address of the shipment of the other examples, after the registry was asked. */
export const exampleAddress = {
  shortAddress: 'RRRD2929',
  status: 'VERIFIED',
  source: 'MERCHANT',
  ...building,
  distanceMeters: 12,
  checkedAt: '2026-11-21T09:00:03.000000Z',
  policy: 'ASK',
  blocksDispatch: false,
  version: 2,
};

export const addressExamples = {
  'nationalAddresses.lookUp': { shortAddress: 'RRRD2929', ...building, cityCode: 'RUH' },
  'nationalAddresses.suggest': {
    data: [
      {
        title: '2929 Olaya Street',
        addressLine: '2929 Olaya Street, As Sahafah, Riyadh',
        district: 'As Sahafah',
        cityCode: 'RUH',
        location: building.location,
        shortAddress: 'RRRD2929',
        confidence: 'EXACT',
      },
    ],
  },
  'nationalAddresses.get': exampleAddress,
  'nationalAddresses.replace': exampleAddress,
};
