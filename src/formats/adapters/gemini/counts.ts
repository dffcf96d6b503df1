/** Keywords whose numbers Gemini's `Schema` carries as decimal text. */
export const COUNTS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
]);
