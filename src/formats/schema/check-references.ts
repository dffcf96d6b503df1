import { ExternalRefError, InvalidSchemaError } from '../errors/schema-errors.ts';
import { pointTo } from './pointer.ts';
import { References, referencesIn } from './references.ts';
import type { SchemaPlace } from './walk-schema.ts';

/**
 * Checks that every reference of a schema stays in its document and leads somewhere. Nothing is ever fetched.
 *
 * The schema has to be within the limits already.
 * @throws ExternalRefError for a `$ref` or `$dynamicRef` other than `#`, `#/…` and `#anchor`
 * @throws InvalidSchemaError for a reference that is no text, or that leads to nothing
 */
export function checkReferences(schema: unknown): void {
  const references = new References(schema);
  const open = [...references.visit('', '')];
  // Grows while it is read: a reference may lead below a keyword that holds no schemas by itself
  for (const place of open) {
    for (const target of targetsOf(place, references)) {
      if (!references.isVisited(target)) open.push(...references.visit(target, place.base));
    }
  }
}

function targetsOf({ schema, path }: SchemaPlace, references: References): readonly string[] {
  if (typeof schema === 'boolean') return [];
  return referencesIn(schema).map(({ keyword, value }) => {
    const place = pointTo(path, keyword);
    if (typeof value !== 'string') throw new InvalidSchemaError({ path: place, what: 'is no text.' });
    if (!value.startsWith('#')) {
      throw new ExternalRefError({ path: place, what: `refers to another document: "${shorten(value)}".` });
    }
    const target = references.find(path, value);
    if (target !== undefined) return target;
    const fix = `define what ${keyword} refers to, as in "#/$defs/<name>", or correct the reference`;
    throw new InvalidSchemaError({ path: place, what: `refers to nothing: "${shorten(value)}".`, fix });
  });
}

const SHOWN = 120;

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
