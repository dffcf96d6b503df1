/** Of the values that may be chosen from, a text shows this many. */
export const MAX_LISTED = 20;

/** Values in one text: the first ones, and the number of the others. */
export function listValues<Value>(
  values: readonly Value[],
  write: (value: Value) => string = String,
  separator = ', ',
): string {
  const shown = values.slice(0, MAX_LISTED).map(write);
  const further = values.length - shown.length;
  return [...shown, ...(further > 0 ? [sayFurther(further)] : [])].join(separator);
}

/** `… and 9,980 more` */
export function sayFurther(count: number): string {
  return `… and ${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} more`;
}
