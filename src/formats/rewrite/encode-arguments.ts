import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { Decoder } from './decode-arguments.ts';

/** Arguments in the form of the emitted schema: its keys, and texts for open values, among the members of the root. */
export function encodeArguments({ root, notes }: Decoder, args: PlainObject): PlainObject {
  const keys = new Map([...(notes.get(root)?.keys ?? [])].map(([emitted, original]) => [original, emitted]));
  const properties = isPlainObject(root.properties) ? root.properties : {};
  const members = Object.entries(args).map(([key, value]) => {
    const emitted = keys.get(key) ?? key;
    const schema = Object.hasOwn(properties, emitted) ? properties[emitted] : undefined;
    const isOpen = isPlainObject(schema) && notes.get(schema)?.openTypes !== undefined;
    return [emitted, isOpen ? JSON.stringify(value) : value] as const;
  });
  return Object.fromEntries(members);
}
