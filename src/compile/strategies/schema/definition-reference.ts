const PREFIX = '#/$defs/';

/** The reference to a definition by its name. */
export function referenceTo(name: string): string {
  return `${PREFIX}${name}`;
}

/** The name in a reference that {@link referenceTo} made. */
export function definitionName(reference: string): string {
  return reference.slice(PREFIX.length);
}

/** A name that needs no escape in a JSON pointer or a URI fragment. */
export function plainName(text: string): string {
  const plain = text.replace(/[^\w.-]+/g, '_');
  return /^_*$/.test(plain) ? 'Type' : plain;
}

/** The name itself, or with the first number behind it that makes it free. */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  if (!taken.has(name)) return name;
  const plain = name.replace(/_\d+$/, '');
  let number = 2;
  while (taken.has(`${plain}_${String(number)}`)) number += 1;
  return `${plain}_${String(number)}`;
}
