import type { JsonSchema } from '../../shared/json-schema.ts';
import { describeExpected } from './describe-expected.ts';

const MOST_FORMS = 6;

/** The branches of a union of objects by what each of them requires: `{ a: string } or { a: number, b: string }`. */
export function describeForms(branches: readonly JsonSchema[]): string | undefined {
  const forms = branches.map(describeForm);
  if (forms.some((form) => form === undefined)) return undefined;
  const texts = [...new Set(forms)];
  const shown = texts.slice(0, MOST_FORMS).join(' or ');
  return texts.length > MOST_FORMS ? `${shown} or …` : shown;
}

function describeForm({ properties = {}, required = [] }: JsonSchema): string | undefined {
  const fields = required.map((name) => {
    const expected = describeExpected(properties[name]);
    return expected === undefined ? name : `${name}: ${expected}`;
  });
  return fields.length === 0 ? undefined : `{ ${fields.join(', ')} }`;
}
