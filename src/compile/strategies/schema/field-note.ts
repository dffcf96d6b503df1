import type { IndexedField } from './index-fields.ts';

/** Says which actions need a field. */
export function fieldNote(field: Omit<IndexedField, 'declarations'>): string {
  if (field.isAlwaysRequired) return '(always required)';
  const lists: string[] = [];
  if (field.requiredBy.length > 0) lists.push(`Required for: ${field.requiredBy.join(', ')}`);
  if (field.optionalFor.length > 0) lists.push(`For: ${field.optionalFor.join(', ')}`);
  return lists.join('. ');
}
