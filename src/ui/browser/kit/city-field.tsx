import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { cityOf } from '../../../core/typed/city.ts';
import { locale } from '../base/locale.ts';
import { type Outputs, service } from '../service/calls.ts';
import { useLoaded } from '../service/loading.ts';
import { Field } from './field.tsx';

type City = Outputs['cities']['list']['data'][number];

interface CityFieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error: string | undefined;
  /** The code of the city, or what is typed if no city of the tariff has that name. */
  readonly value: string;
  readonly onChange: (code: string) => void;
}

/** A city by its name in either language, or by its code. If the list of cities does not load, codes still work. */
export function CityField({ value, onChange, ...about }: CityFieldProps) {
  const loaded = useLoaded('cities', readCities);
  const cities = loaded.value ?? [];
  const [typed, setTyped] = useState<string>();
  const codeOf = (text: string) => cityOf(cities, text)?.cityCode ?? text;
  // A name can be typed before the list is here.
  useEffect(() => {
    if (codeOf(value) !== value) onChange(codeOf(value));
  }, [loaded.value]);
  const known = cities.find(({ cityCode }) => cityCode === value);
  const name = known === undefined ? value : nameOf(known);
  return (
    <Field
      {...about}
      value={typed !== undefined && codeOf(typed) === value ? typed : name}
      suggestions={suggestionsOf(cities)}
      onChange={(text) => {
        setTyped(text);
        onChange(codeOf(text));
      }}
    />
  );
}

/** Names rarely change, so other pages show those that one has read. */
let kept: readonly City[] = [];

async function readCities(): Promise<readonly City[]> {
  kept = (await service.cities.list.query({})).data;
  return kept;
}

/** The cities, read once for all pages. */
export function loadCities(): Promise<readonly City[]> {
  return kept.length === 0 ? readCities() : Promise.resolve(kept);
}

/** The names of the cities that are delivered to; none before they are read. */
export function useCitySuggestions(): readonly string[] {
  return suggestionsOf(useLoaded('cities', loadCities).value ?? kept);
}

function suggestionsOf(cities: readonly City[]): string[] {
  return cities.filter(({ serviced }) => serviced).map(nameOf);
}

/** The names of cities in the language of the page. A city has its code as name until they are read. */
export function useCityNames(): (cityCode: string) => string {
  const { value } = useLoaded('cities', loadCities);
  const names = new Map((value ?? kept).map((city) => [city.cityCode, nameOf(city)]));
  return (cityCode) => names.get(cityCode) ?? cityCode;
}

/** The name of a city in the language of the page. */
export function nameOf(city: City): string {
  return locale === 'ar' ? city.nameAr : city.name;
}
