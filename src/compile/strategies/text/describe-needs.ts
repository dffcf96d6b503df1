import type { JsonSchema } from '../../../shared/json-schema.ts';
import type { ActionFacts } from '../action-facts.ts';
import { ownRequiredFields, requiredFields } from '../required-fields.ts';
import { withoutRequired, type TagCondition } from '../schema/tagged-branches.ts';

/** The fields that an action needs beside the common ones, then those of each branch of its tagged unions. */
export function describeNeeds(
  common: JsonSchema | undefined,
  { own, branches = [] }: ActionFacts,
  comma = ', ',
): string {
  const parts = [ownRequiredFields(common, own).join(comma)];
  if (branches.length > 0) {
    const always = new Set(requiredFields(common));
    // What the action declares again counts as the action says
    const isNeeded = (name: string): boolean =>
      !always.has(name) || Object.hasOwn(own?.properties ?? {}, name);
    for (const { when, required } of withoutRequired(branches, isNeeded)) {
      parts.push(`${describeConditions(when)}: ${required.join(comma)}`);
    }
  }
  return parts.filter((part) => part !== '').join('; ');
}

export function requires(needs: string): string {
  return needs === '' ? '' : `Requires: ${needs}`;
}

/** `with kind "company" or "club"`. */
export function describeConditions(when: readonly TagCondition[]): string {
  const conditions = when.map(
    ({ field, values }) => `${field} ${values.map((value) => JSON.stringify(value)).join(' or ')}`,
  );
  return `with ${conditions.join(' and ')}`;
}
