import { describeConditions } from '../description-text.ts';
import type { BranchNeed, IndexedField } from './index-fields.ts';

/** Says which actions need a field. */
export function fieldNote(field: Omit<IndexedField, 'declarations'>): string {
  if (field.isAlwaysRequired) return '(always required)';
  const lists: string[] = [];
  if (field.requiredBy.length > 0) lists.push(`Required for: ${field.requiredBy.join(', ')}`);
  if (field.optionalFor.length > 0) lists.push(`For: ${field.optionalFor.join(', ')}`);
  const needs = branchNote(field.requiredWith);
  if (needs !== '') lists.push(needs);
  return lists.join('. ');
}

function branchNote(needs: readonly BranchNeed[]): string {
  const actions = new Map<string, string[]>();
  for (const { by, when } of needs) {
    const condition = describeConditions(when);
    actions.set(condition, [...(actions.get(condition) ?? []), ...(by === undefined ? [] : [by])]);
  }
  const texts = [...actions].map(([condition, keys]) =>
    keys.length === 0 ? condition : `for ${keys.join(', ')} ${condition}`,
  );
  return texts.length === 0 ? '' : `Required ${texts.join('; ')}`;
}
