import type { ValidationError } from '../../../../formats/index.ts';
import type { RuleFault } from '../criteria-plan.ts';

// Every item of a long array can have a fault, and an agent reads them all.
const SHOWN_FAULTS = 50;
const SUGGESTIONS = 5;

/** What an agent needs to repair JSON that a schema does not allow. */
export function mismatchOf(errors: readonly ValidationError[]): RuleFault {
  const shown = errors.slice(0, SHOWN_FAULTS).map(({ path, message }) => `${path} ${message}`.trim());
  const more = errors.length - shown.length;
  const info = more > 0 ? [...shown, `and ${more} more`] : shown;
  return {
    code: 'SCHEMA_MISMATCH',
    text: `output must match the schema: ${info.join('; ')}`,
    suggestions: errors.slice(0, SUGGESTIONS).map(suggestionFor),
    info,
  };
}

function suggestionFor({ path, keyword, message, params }: ValidationError): string {
  const place = path === '' ? 'the JSON' : `the JSON at ${path}`;
  const missing = params['missingProperty'];
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof missing === 'string') return `Add the member "${missing}" to ${place}.`;
  if (typeof unknown === 'string') return `Take the member "${unknown}" out of ${place}.`;
  if (keyword === 'limit') return `Make ${place} smaller: it ${message}.`;
  return `Correct ${place}: it ${message}.`;
}
