import type { Inputs } from '../service/service.ts';
import type { PickupLocation } from './read.ts';

/** What a person types of a pickup location. */
export interface LocationDraft {
  readonly code: string;
  readonly name: string;
  readonly nameAr: string;
  readonly addressLine: string;
  readonly cityCode: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly contactName: string;
  readonly contactPhone: string;
  readonly instructions: string;
}

/** Where the service names each field when it breaks a rule. */
export const FIELDS: Readonly<Record<keyof LocationDraft, string>> = {
  code: 'pickupLocationCode',
  name: 'name',
  nameAr: 'nameAr',
  addressLine: 'location.addressLine',
  cityCode: 'location.cityCode',
  latitude: 'location.latitude',
  longitude: 'location.longitude',
  contactName: 'contactName',
  contactPhone: 'contactPhone',
  instructions: 'instructions',
};

export const NO_LOCATION: LocationDraft = {
  code: '',
  name: '',
  nameAr: '',
  addressLine: '',
  cityCode: '',
  latitude: '',
  longitude: '',
  contactName: '',
  contactPhone: '',
  instructions: '',
};

/** The draft of one that is there. Its phone is not told, so it is never there to be typed over. */
export function draftOf(location: PickupLocation): LocationDraft {
  const { pickupLocationCode: code, name, nameAr, contactName, instructions } = location;
  const { addressLine, cityCode, latitude, longitude } = location.location;
  return {
    code,
    name,
    nameAr: nameAr ?? '',
    addressLine,
    cityCode,
    latitude,
    longitude,
    contactName: contactName ?? '',
    contactPhone: '',
    instructions: instructions ?? '',
  };
}

type Terms = Omit<Inputs['pickupLocations']['create'], 'pickupLocationCode' | 'branchCode'>;

/** What is sent of a draft. A phone that is left empty is left out: it stays what it was. */
export function termsOf(draft: LocationDraft): Terms {
  const { name, nameAr, addressLine, cityCode, latitude, longitude, contactName, contactPhone, instructions } = draft;
  return {
    name,
    nameAr: orNull(nameAr),
    location: { addressLine, cityCode, latitude, longitude },
    contactName: orNull(contactName),
    instructions: orNull(instructions),
    ...(contactPhone === '' ? {} : { contactPhone }),
  };
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
