import { useState } from 'preact/hooks';
import { addressLineOf } from '../../core/address-line.ts';
import { ADDRESS_TEXT_LENGTH_MAX, ADDRESS_TEXT_LENGTH_MIN } from '../../core/limits.ts';
import { normalizeShortAddress } from '../../core/short-address.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Field } from '../../ui/browser/kit/field.tsx';
import { isLink, positionIn } from '../../ui/browser/kit/pasted-position.ts';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { failureOf } from '../../ui/browser/service/failure.ts';
import { useLoaded, useSettled } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: {
    hint: 'Type a street or a district, or paste a short code such as RRRD2929, a map link or 24.79, 46.62.',
    found: 'Choose the place:',
    none: 'No place was found by this text. Add the district, or set the exact place below.',
    noCode: 'The national registry does not know this short code.',
    away: 'Places cannot be suggested now. Set the exact place below.',
    link: 'This link does not contain the position. Open it, and copy the long address.',
    taken: 'The position is taken from what you pasted. Write the address for the driver.',
    EXACT: 'exact',
    STREET: 'somewhere in the street',
    DISTRICT: 'somewhere in the district',
    CITY: 'somewhere in the city',
  },
  ar: {
    hint: 'اكتب الشارع أو الحي، أو الصق الرمز المختصر مثل \u2068RRRD2929\u2069 أو رابط خريطة أو \u206624.79, 46.62\u2069.',
    found: 'اختر المكان:',
    none: 'لم يُعثر على مكان بهذا النص. أضف الحي، أو حدّد المكان الدقيق أدناه.',
    noCode: 'لا يعرف السجل الوطني هذا الرمز المختصر.',
    away: 'تعذّر اقتراح الأماكن الآن. حدّد المكان الدقيق أدناه.',
    link: 'لا يحتوي هذا الرابط على الموقع. افتحه وانسخ العنوان الطويل.',
    taken: 'أُخذ الموقع مما لصقته. اكتب العنوان للسائق.',
    EXACT: 'دقيق',
    STREET: 'مكان ما في الشارع',
    DISTRICT: 'مكان ما في الحي',
    CITY: 'مكان ما في المدينة',
  },
};

/** So long a person has to pause before places are asked for. */
const PAUSE_MS = 500;

type Suggestion = Outputs['nationalAddresses']['suggest']['data'][number];

/** What a choice fills. Members that the source does not know are absent. */
export interface ChosenPlace {
  readonly addressLine?: string;
  readonly cityCode?: string;
  readonly latitude: string;
  readonly longitude: string;
  /** Empty if the place has none. */
  readonly shortCode: string;
}

interface AddressBoxProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly value: string;
  /** Where the parcel starts: places near it come first. */
  readonly near: { readonly latitude: string; readonly longitude: string } | undefined;
  readonly onChange: (addressLine: string) => void;
  readonly onPlace: (place: ChosenPlace) => void;
  /** Called if the text leads to no place, so that it has to be set by hand. */
  readonly onNothing: () => void;
}

/** The address as one box: what is typed is suggested places for, and a short code, a link to a map or a position is read. */
export function AddressBox({ near, value, onChange, onPlace, onNothing, ...about }: AddressBoxProps) {
  const text = textsOf(TEXTS);
  /** What the person typed since the last choice. An address that came with the form or a choice asks for nothing. */
  const [typed, setTyped] = useState('');
  const [isPasted, setIsPasted] = useState(false);
  const asked = useSettled(isSought(typed) ? typed : '', PAUSE_MS);
  const loaded = useLoaded(asked, async () => {
    if (asked === '') return [];
    try {
      const found = await placesFor(asked, near);
      if (found.length === 0) onNothing();
      return found;
    } catch (error) {
      onNothing();
      throw error;
    }
  });
  const isCurrent = asked !== '' && asked === typed && !loaded.isLoading;
  const use = (place: ChosenPlace) => {
    setTyped('');
    onPlace(place);
  };
  const take = (pasted: string): boolean => {
    const position = positionIn(pasted);
    setIsPasted(position !== undefined);
    if (position !== undefined) use({ ...position, shortCode: '' });
    return position !== undefined;
  };
  return (
    <div>
      <Field
        {...about}
        value={value}
        hint={text.hint}
        error={isLink(value) ? text.link : about.error}
        onPaste={take}
        onChange={(written) => {
          if (take(written)) return;
          setTyped(written);
          onChange(written);
        }}
      />
      <div role="status">
        {isPasted ? <p class="small">{text.taken}</p> : null}
        {isCurrent && loaded.failure !== undefined ? <p class="small">{text.away}</p> : null}
        {isCurrent && loaded.value?.length === 0 ? (
          <p class="small">{normalizeShortAddress(asked) === undefined ? text.none : text.noCode}</p>
        ) : null}
        {isCurrent && (loaded.value?.length ?? 0) > 0 ? <p class="small">{text.found}</p> : null}
      </div>
      {isCurrent && loaded.value !== undefined ? <Places places={loaded.value} onChoose={use} /> : null}
    </div>
  );
}

/** Links and single letters are not looked up. */
function isSought(typed: string): boolean {
  return typed.length >= ADDRESS_TEXT_LENGTH_MIN && typed.length <= ADDRESS_TEXT_LENGTH_MAX && !isLink(typed);
}

/** The place of a short code, or the places that a text may mean, best first. */
async function placesFor(asked: string, near: AddressBoxProps['near']): Promise<readonly Suggestion[]> {
  const shortAddress = normalizeShortAddress(asked);
  if (shortAddress === undefined) {
    const about = near === undefined ? {} : { near };
    return (await service.nationalAddresses.suggest.mutate({ text: asked, locale, ...about })).data;
  }
  try {
    const found = await service.nationalAddresses.lookUp.mutate({ shortAddress });
    const addressLine = addressLineOf(found);
    const { cityCode, district, location } = found;
    return [{ title: addressLine, addressLine, district, cityCode, location, shortAddress, confidence: 'EXACT' }];
  } catch (error) {
    if (failureOf(error).code === 'RESOURCE_NOT_FOUND') return [];
    throw error;
  }
}

function Places({
  places,
  onChoose,
}: {
  readonly places: readonly Suggestion[];
  readonly onChoose: (place: ChosenPlace) => void;
}) {
  const text = textsOf(TEXTS);
  return (
    <ul class="places">
      {places.map((place) => (
        <li key={`${place.addressLine} ${place.location.latitude} ${place.location.longitude}`}>
          <button type="button" class="plain" onClick={() => onChoose(chosenOf(place))}>
            <bdi>{place.addressLine}</bdi> <span class="small quiet">{text[place.confidence]}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function chosenOf({ addressLine, cityCode, location, shortAddress }: Suggestion): ChosenPlace {
  return { addressLine, ...(cityCode === null ? {} : { cityCode }), ...location, shortCode: shortAddress ?? '' };
}
