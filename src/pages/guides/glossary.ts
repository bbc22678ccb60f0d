import type { OpenApiDocument, Schema } from '../reference/document.ts';
import { typeText } from '../reference/fields.ts';
import { ENGLISH_END, ENGLISH_START } from '../reference/markdown.ts';
import { listOperations } from '../reference/operations.ts';
import { plainSchema } from '../reference/resolve.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { type SiteText, tableText, wordOf } from '../text.ts';

/** Every field of the OpenAPI document with its description, which is English in every language. */
export function fieldsTable(text: SiteText, { document, locale }: ReferenceContext): string {
  const english = (words: string) => (locale === 'en' || words === '' ? words : ENGLISH_START + words + ENGLISH_END);
  const rows = glossaryFields(document).map(({ name, description, types, places }) => [
    `\`${name}\``,
    english(literal(description ?? '')),
    english(literal([...types].join(' or '))),
    [...places].map((place) => `\`${place}\``).join(' '),
  ]);
  return tableText(
    ['field', 'meaning', 'type', 'in'].map((word) => wordOf(text, word)),
    rows,
  );
}

/** Words that Markdown would take for markup. Code stays as it is. */
function literal(words: string): string {
  return words
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\<>*_[\]]/g, '\\$&')))
    .join('`');
}

interface GlossaryField {
  readonly name: string;
  readonly description: string | undefined;
  readonly types: Set<string>;
  /** The objects, or the operations whose body it is part of. */
  readonly places: Set<string>;
}

/** A schema that nests deeper than this refers to itself. */
const DEPTH_MAX = 6;

/** Every field of the document's objects and bodies; a field with several meanings is listed once for each. */
export function glossaryFields(document: OpenApiDocument): readonly GlossaryField[] {
  const found = new Map<string, GlossaryField>();
  const visit = (place: string, given: Schema, depth: number): void => {
    const { schema, variants } = plainSchema(document, given);
    for (const variant of variants) visitInline(place, variant, depth);
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const description = member.description ?? plainSchema(document, member).schema.description;
      const key = `${name} ${description ?? ''}`;
      const field = found.get(key) ?? { name, description, types: new Set(), places: new Set() };
      field.types.add(typeText(document, member));
      field.places.add(place);
      found.set(key, field);
      visitInline(place, member, depth);
      if (typeof member.items === 'object') visitInline(place, member.items, depth);
    }
  };
  /** Named schemas are visited by themselves. */
  const visitInline = (place: string, member: Schema, depth: number): void => {
    if (member.$ref === undefined && depth < DEPTH_MAX) visit(place, member, depth + 1);
  };
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) visit(name, schema, 0);
  for (const { id, path, body } of listOperations(document)) visitInline(id ?? path, body?.content.schema ?? {}, 0);
  return [...found.values()].toSorted(byName);
}

function byName(left: GlossaryField, right: GlossaryField): number {
  return `${left.name} ${left.description ?? ''}`.localeCompare(`${right.name} ${right.description ?? ''}`, 'en');
}
