import type { JsonSchema } from '../../../shared/json-schema.ts';
import { isSchema, subschemasOf, type Schema } from './subschemas.ts';

/** What a reference points to inside its own document (RFC 6901, or an `$anchor`); undefined when nothing. */
export function resolveReference(root: JsonSchema, reference: string): Schema | undefined {
  const id = typeof root['$id'] === 'string' ? root['$id'] : '';
  const local = id !== '' && reference.startsWith(id) ? reference.slice(id.length) : reference;
  if (local === '' || local === '#') return root;
  if (local.startsWith('#/')) return followPointer(root, local.slice(2));
  return local.startsWith('#') ? findAnchor(root, local.slice(1)) : undefined;
}

function followPointer(root: JsonSchema, pointer: string): Schema | undefined {
  let found: unknown = root;
  for (const segment of pointer.split('/')) {
    const name = decodeSegment(segment);
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return isSchema(found) ? found : undefined;
}

/** The name in one segment of a JSON pointer. */
export function decodeSegment(segment: string): string {
  return decodePercent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function findAnchor(schema: Schema, anchor: string): Schema | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (schema['$anchor'] === anchor) return schema;
  for (const subschema of subschemasOf(schema)) {
    const found = findAnchor(subschema, anchor);
    if (found !== undefined) return found;
  }
  return undefined;
}
