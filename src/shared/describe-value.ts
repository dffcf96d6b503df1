import { isClass } from './class-type.ts';

const LONGEST_QUOTE = 50;
const LONGEST_LIST = 5;

/** A value in a few words, for an error message: `"text"`, `3`, `[1, 2]`, `the class Task`, `an instance of Date`. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) {
    return value.length > LONGEST_LIST ? 'a long list' : `[${value.map(describeItem).join(', ')}]`;
  }
  return describeItem(value);
}

/** Nested lists are not expanded, because one could contain itself. */
function describeItem(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value));
  if (isClass(value)) return value.name === '' ? 'a class' : `the class ${value.name}`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return describeObject(value);
  return typeof value === 'bigint' ? cut(`${String(value)}n`) : cut(String(value));
}

function describeObject(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown };
  const isInstance = typeof constructor === 'function' && constructor.name !== 'Object';
  if (value instanceof Promise) return 'a promise';
  return isInstance && constructor.name !== '' ? `an instance of ${constructor.name}` : 'an object';
}

function cut(words: string): string {
  return words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE)}…` : words;
}
