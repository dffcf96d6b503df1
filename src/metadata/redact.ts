/** What is shown in place of a value that must not be shown. */
export const REDACTED = '[redacted]';

/** Shorter values occur in any text by chance. */
const SHORTEST = 4;
/** Texts may have been cut, so the beginning of a value counts as the value. */
const LONGEST_BEGINNING = 16;

/** The values that must not be shown; undefined where there are too many to look for. */
export type SensitiveValues = readonly string[] | undefined;

/** True if a text has one of the values in it, also cut or in quotes. */
export function mentions(text: string, values: SensitiveValues, shortest = SHORTEST): boolean {
  if (values === undefined) return true;
  return values.some(
    (value) =>
      value.length >= shortest &&
      formsOf(value.slice(0, LONGEST_BEGINNING)).some((form) => text.includes(form)),
  );
}

/** A text without the values. */
export function redactText(text: string, values: SensitiveValues): string {
  if (!mentions(text, values)) return text;
  let rest = text;
  // longer ones first: a value may begin with another one
  for (const value of [...(values ?? [])].sort((one, other) => other.length - one.length)) {
    if (value.length >= SHORTEST) for (const form of formsOf(value)) rest = rest.replaceAll(form, REDACTED);
  }
  return mentions(rest, values) ? REDACTED : rest;
}

/** As it is, and as JSON writes it. */
function formsOf(value: string): readonly string[] {
  const quoted = JSON.stringify(value).slice(1, -1);
  return quoted === value ? [value] : [value, quoted];
}
