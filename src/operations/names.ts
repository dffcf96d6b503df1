import { suffixed } from '../shared/names.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import type { Operation } from './operation.ts';

/** Clients add the name of the server and drop what is longer (awslabs/mcp#1283). */
const MAX_NAME_LENGTH = 64;
const RULE = { forbidden: /[^\w-]/, maxLength: MAX_NAME_LENGTH };

/** The name of a group: `OrderItems` becomes `order_items`. */
export function groupName(words: string): string {
  const name = words
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  return name === '' ? 'api' : name;
}

/** The first part of a path that is neither the prefix, nor a version, nor a value. */
export function groupFromPath(path: string, prefix = ''): string {
  const start = prefix.replace(/^\/?/, '/').replace(/\/$/, '');
  const rest = path.startsWith(`${start}/`) ? path.slice(start.length) : path;
  const literal = rest.split('/').find((segment) => /^[^{]+$/.test(segment) && !/^v\d+$/.test(segment));
  return groupName(literal ?? 'api');
}

/** A name of an action in the characters that clients take; a long one ends with a hash of the key. */
export function actionName(name: string, group: string, key: string): string {
  const clean = name.replace(/[^\w-]+/g, '_').replace(/^_+|_+$/g, '') || '_';
  // With the group in front of it, which is the name of a flat tool
  const maxLength = Math.max(16, MAX_NAME_LENGTH - group.length - 1);
  return clean.length > maxLength ? suffixed(clean, { ...RULE, maxLength }, key) : clean;
}

/** The tool of an operation, and the key of its action there: groups in groups are joined with dots. */
export function actionPlace({ parents = [], group, name }: Pick<Operation, 'parents' | 'group' | 'name'>): {
  readonly tool: string;
  readonly key: string;
} {
  const [tool, ...inner] = [...parents, group, name];
  return { tool, key: inner.join('.') };
}

/** Reports actions of one group that have the same name. */
export function checkNames(operations: readonly Operation[], problems: ProblemList): void {
  const known = new Map<string, Operation>();
  for (const operation of operations) {
    const name = `${operation.group}/${operation.name}@${operation.version ?? ''}`;
    const other = known.get(name);
    known.set(name, operation);
    if (other === undefined) continue;
    problems.add('TW_OPERATIONS_NAME', {
      where: operation.origin,
      what: `would be the action ${operation.group}/${operation.name}, as ${other.origin} is.`,
      why: 'a call could not say which of them it means.',
      fix: `actions: { '${operation.key}': { name: '${operation.name}_2' } }, or exclude one of them`,
    });
  }
}
