/** Where the service works, and what it can carry there. */
export const COVERAGE_EXAMPLES = {
  'cities.list': {
    data: [
      { cityCode: 'JED', name: 'Jeddah', nameAr: 'جدة', serviced: true, surcharge: 5 },
      { cityCode: 'RUH', name: 'Riyadh', nameAr: 'الرياض', serviced: true, surcharge: 0 },
    ],
  },
  'capabilities.list': {
    data: [
      {
        code: 'COLD_CHAIN',
        title: 'Cold chain',
        titleAr: 'سلسلة تبريد',
        cities: ['JED', 'RUH'],
        weightKilogramsMax: 30,
        lengthCentimetresMax: 120,
      },
    ],
  },
};
