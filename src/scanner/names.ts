import type { ProblemList } from '../errors/problem-list.ts';

const SUFFIX = /(?:Controller|Tools|ToolGroup|Group)$/;

/** The name of a group whose @ToolGroup gives none: `UserAdminController` → `user-admin`. */
export function defaultGroupName(className: string): string {
  const stem = className.replace(SUFFIX, '');
  return (stem === '' ? className : stem)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1-$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** Reports a name that is empty or contains a dot. */
export function checkName(
  name: unknown,
  kind: 'tool' | 'group' | 'action',
  where: string,
  problems: ProblemList,
): void {
  if (typeof name === 'string' && name !== '' && !name.includes('.')) return;
  const decorator = kind === 'action' ? '@Action' : '@ToolGroup';
  const example = typeof name === 'string' ? name.replaceAll('.', '-') : '';
  const found = typeof name === 'string' ? `"${name}"` : String(name);
  problems.add('TW_SCAN_NAME_INVALID', {
    where,
    what: `has the ${kind} name ${found}, which ${name === '' ? 'is empty' : 'is not allowed'}.`,
    why: 'a name is a text without dots; dots are kept for compound keys.',
    fix: `${decorator}({ name: '${example === '' ? 'a-name' : example}' })`,
  });
}
