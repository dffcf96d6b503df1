import type { ProblemPlace } from '../../errors/problem-list.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { isBlankName } from '../../shared/names.ts';

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

const BLANK =
  'models repeat what they read, and nothing shows white space at its ends, a line break or a blank name.';
const DOTS = 'a name is a text without dots; dots are kept for compound keys.';

type NamedKind = 'tool' | 'group' | 'action' | 'prompt' | 'resource';

const DECORATORS: Readonly<Record<NamedKind, string>> = {
  tool: '@ToolGroup({',
  group: '@ToolGroup({',
  action: '@Action({',
  prompt: '@Prompt({',
  resource: "@Resource('…', {",
};

/** Reports a name that is empty or blank; in the names of tools, groups and actions also one that contains a dot. */
export function checkName(name: unknown, kind: NamedKind, here: ProblemPlace): void {
  const why = faultOfName(name, kind);
  if (why === undefined) return;
  const example = typeof name === 'string' ? name.trim().replaceAll(/[\s\p{C}.]+/gu, '-') : '';
  here.add('TW_SCAN_NAME_INVALID', {
    what: `has the ${kind} name ${describeValue(name)}, which ${name === '' ? 'is empty' : 'is not allowed'}.`,
    why,
    fix: `${DECORATORS[kind]} name: '${example === '' ? 'a-name' : example}' })`,
  });
}

/** Why a name cannot be one; undefined where it can. */
function faultOfName(name: unknown, kind: NamedKind): string | undefined {
  const mayHaveDots = kind === 'prompt' || kind === 'resource';
  const form = mayHaveDots ? 'clients ask for it by its name.' : DOTS;
  if (typeof name !== 'string' || name === '') return form;
  if (isBlankName(name)) return BLANK;
  return mayHaveDots || !name.includes('.') ? undefined : form;
}

/** Reports a prefix that is not a string or contains dots; an empty prefix is valid. */
export function checkPrefix(prefix: unknown, here: ProblemPlace): void {
  if (prefix === undefined || (typeof prefix === 'string' && !prefix.includes('.'))) return;
  here.add('TW_SCAN_NAME_INVALID', {
    what: `has the prefix ${describeValue(prefix)}, which is not allowed.`,
    why: 'a prefix is a text without dots; dots are kept for compound keys.',
    fix: "@ToolGroup({ prefix: '' }), or leave it out: then the group's name is the prefix",
  });
}
