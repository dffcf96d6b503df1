import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { pointTo } from '../../schema/pointer.ts';
import type { RawSchema } from '../../schema/subschemas.ts';
import { pathOfChild, type Draft } from './draft.ts';

/** Writes the keywords that every target has, and that no row of the matrix is about. */
export function writeStructure(draft: Draft, keyword: string, value: unknown): boolean {
  const write = STRUCTURE.get(keyword);
  write?.(draft, value);
  return write !== undefined;
}

const STRUCTURE = new Map<string, (draft: Draft, value: unknown) => void>([
  ['type', (draft, value) => draft.put('type', value)],
  ['properties', writeProperties],
  ['required', writeRequired],
  ['items', writeItems],
]);

function writeProperties(draft: Draft, value: unknown): void {
  const entries = Object.entries(value as Readonly<Record<string, RawSchema>>);
  const present = entries.filter(([, schema]) => !isRemoved(draft, schema));
  const renamed = new Map<string, string>();
  const emitted = present.map(([name, schema]) => {
    const path = pathOfChild(draft, schema, pointTo(draft.placeOf('properties'), name));
    const key = draft.keys.of(name);
    if (key !== name) {
      renamed.set(key, name);
      draft.lose('propertyName', 'transformed', `the property "${name}" is called "${key}".`, path);
    }
    return [key, draft.child(schema, path)] as const;
  });
  draft.put('properties', Object.fromEntries(emitted));
  if (renamed.size > 0) draft.note = { ...draft.note, keys: renamed };
}

/** A property that nothing fits is the same as none, where no schema can say `false`. */
function isRemoved(draft: Draft, schema: unknown): boolean {
  return schema === false && draft.rewriter.target.rules.openValue.letter !== 'K';
}

function writeRequired(draft: Draft, value: unknown): void {
  if (!Array.isArray(value)) return;
  const { properties } = draft.node;
  const schemas: PlainObject = isPlainObject(properties) ? properties : {};
  const names = value
    .map(String)
    .filter((name) => !Object.hasOwn(schemas, name) || !isRemoved(draft, schemas[name]));
  draft.put('required', [...new Set(names.map((name) => draft.keys.of(name)))]);
}

function writeItems(draft: Draft, value: unknown): void {
  const { prefixItems, openValue } = draft.rewriter.target.rules;
  // Without the tuple before them, these would be the items of the whole list
  const isRest = Array.isArray(draft.node.prefixItems) && prefixItems.letter !== 'K';
  if (isRest || (value === false && openValue.letter !== 'K')) draft.describe('items', value);
  else
    draft.put(
      'items',
      draft.child(value as RawSchema, pathOfChild(draft, value as RawSchema, draft.placeOf('items'))),
    );
}
