/** The name of a class: `list_for_repo` becomes `ListForRepo`. */
export function className(words: string): string {
  const name = words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return /^[A-Za-z]/.test(name) ? name : `_${name}`;
}

/** The name of a method: `list_for_repo` becomes `listForRepo`. */
export function methodName(words: string): string {
  const name = className(words);
  const camel = name.startsWith('_') ? name : name.charAt(0).toLowerCase() + name.slice(1);
  // Names that mean something else in a class
  return camel === 'constructor' || camel === 'prototype' || camel === 'api' ? `${camel}_` : camel;
}

/** A property as it is declared. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'constructor' ? name : quoted(name);
}

/** A text in single quotes. */
export function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}
