/** A sample company and its pickup location. Coordinates are text, because the database keeps exact decimals. */
export interface SampleCompany {
  readonly name: string;
  readonly branch: {
    readonly branchCode: string;
    readonly name: string;
    readonly nameAr: string;
    readonly cityCode: string;
  };
  readonly pickupLocation: {
    readonly pickupLocationCode: string;
    readonly name: string;
    readonly nameAr: string;
    readonly addressLine: string;
    readonly latitude: string;
    readonly longitude: string;
    readonly contactName: string;
    readonly contactPhone: string;
    readonly instructions: string;
  };
  /** The person who signs in. Addresses and mobiles are fictitious; their codes stay in the inbox of a local service. */
  readonly owner: { readonly fullName: string; readonly email: string; readonly mobile: string };
}

/** Companies to try a service with. They are spread over the shards. */
export const SAMPLE_COMPANIES: readonly SampleCompany[] = [
  {
    name: 'Najd Coffee Roasters',
    branch: { branchCode: 'RUH-MAIN', name: 'Riyadh, Olaya', nameAr: 'الرياض، العليا', cityCode: 'RUH' },
    pickupLocation: {
      pickupLocationCode: 'RUH-ROASTERY',
      name: 'Olaya roastery',
      nameAr: 'محمصة العليا',
      addressLine: '8228 Olaya Street, Al Olaya, Riyadh 12213',
      latitude: '24.694969',
      longitude: '46.68301',
      contactName: 'Faisal Al-Otaibi',
      contactPhone: '+966500000001',
      instructions: 'Loading bay behind the building, from 08:00.',
    },
    owner: { fullName: 'Noura Al-Qahtani', email: 'owner@najd-coffee.example', mobile: '+966500000011' },
  },
  {
    name: 'Hijaz Books',
    branch: { branchCode: 'JED-MAIN', name: 'Jeddah, Al Andalus', nameAr: 'جدة، الأندلس', cityCode: 'JED' },
    pickupLocation: {
      pickupLocationCode: 'JED-WAREHOUSE',
      name: 'Al Andalus warehouse',
      nameAr: 'مستودع الأندلس',
      addressLine: '3715 Prince Mohammed bin Abdulaziz Street, Al Andalus, Jeddah 23326',
      latitude: '21.543333',
      longitude: '39.151667',
      contactName: 'Maha Al-Ghamdi',
      contactPhone: '+966500000002',
      instructions: 'Ring at the side door.',
    },
    owner: { fullName: 'Omar Al-Harbi', email: 'owner@hijaz-books.example', mobile: '+966500000012' },
  },
];
