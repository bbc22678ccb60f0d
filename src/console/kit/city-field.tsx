import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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
  const loaded = useLoaded('cities', async () => (await service.cities.list.query({})).data);
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
      suggestions={cities.filter(({ serviced }) => serviced).map(nameOf)}
      onChange={(text) => {
        setTyped(text);
        onChange(codeOf(text));
      }}
    />
  );
}

function nameOf(city: City): string {
  return locale === 'ar' ? city.nameAr : city.name;
}

function cityOf(cities: readonly City[], text: string): City | undefined {
  const sought = text.trim().toLowerCase();
  return cities.find(({ cityCode, name, nameAr }) =>
    [cityCode, name, nameAr].some((one) => one.toLowerCase() === sought),
  );
}
