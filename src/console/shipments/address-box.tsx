import { useEffect, useState } from 'preact/hooks';
import { addressLineOf } from '../../core/address-line.ts';
import { ADDRESS_TEXT_LENGTH_MAX, ADDRESS_TEXT_LENGTH_MIN } from '../../core/limits.ts';
import { normalizeShortAddress } from '../../core/short-address.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Field } from '../../ui/browser/kit/field.tsx';
import { isLink, type Position, positionIn } from '../../ui/browser/kit/pasted-position.ts';
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

/** The pause after which places are requested. */
const PAUSE_MS = 500;

type Suggestion = Outputs['nationalAddresses']['suggest']['data'][number];

/** What a choice fills. A position that was typed or pasted leaves the address and the city as they are. */
export interface ChosenPlace {
  readonly addressLine?: string;
  /** Empty if the source knows no code for it. */
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

/** One field for the address. It suggests places for typed text, and reads short codes, map links and positions. */
export function AddressBox({ near, value, onChange, onPlace, onNothing, ...about }: AddressBoxProps) {
  const text = textsOf(TEXTS);
  /** What the person typed since the last choice. An address that came with the form or a choice asks for nothing. */
  const [typed, setTyped] = useState('');
  const [isTaken, setIsTaken] = useState(false);
  const settled = useSettled(typed, PAUSE_MS);
  const position = positionIn(settled);
  const asked = isSought(settled) && position === undefined ? settled : '';
  const answer = useLoaded(asked, async () => ({
    asked,
    places: asked === '' ? [] : await placesFor(asked, near).catch(() => undefined),
  })).value;
  // For a moment the answer is still that to an earlier text.
  const isCurrent = asked !== '' && asked === answer?.asked && asked === typed && typed === value;
  const places = isCurrent ? answer.places : undefined;
  const isAway = isCurrent && places === undefined;
  const leadsNowhere = isAway || places?.length === 0;
  const use = (place: ChosenPlace) => {
    setTyped('');
    onPlace(place);
  };
  const take = (found: Position) => {
    setIsTaken(true);
    use({ ...found, shortCode: '' });
  };
  useEffect(() => {
    // A position that was typed digit by digit is no address.
    if (position === undefined || settled !== value) return;
    onChange('');
    take(position);
  }, [settled]);
  useEffect(() => {
    if (leadsNowhere) onNothing();
  }, [leadsNowhere]);
  return (
    <div>
      <Field
        {...about}
        value={value}
        hint={text.hint}
        error={isLink(value) ? text.link : about.error}
        onPaste={(pasted) => {
          const found = positionIn(pasted);
          if (found !== undefined) take(found);
          return found !== undefined;
        }}
        onChange={(written) => {
          setIsTaken(false);
          setTyped(written);
          onChange(written);
        }}
      />
      <div role="status">
        {isTaken ? <p class="small">{text.taken}</p> : null}
        {isAway ? <p class="small">{text.away}</p> : null}
        {places?.length === 0 ? (
          <p class="small">{normalizeShortAddress(asked) === undefined ? text.none : text.noCode}</p>
        ) : null}
        {places !== undefined && places.length > 0 ? <p class="small">{text.found}</p> : null}
      </div>
      {places === undefined ? null : <Places places={places} onChoose={use} />}
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
  return { addressLine, cityCode: cityCode ?? '', ...location, shortCode: shortAddress ?? '' };
}
