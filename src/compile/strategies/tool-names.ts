import { safeName, type NameRule } from '../../shared/name-rule.ts';
import type { PreparedTool } from '../prepared-tool.ts';
import type { ProblemList } from '../../errors/problem-list.ts';

/** What clients and the APIs of models take (spec: server/tools, Tool Names). */
const NAMES: NameRule = { forbidden: /[^A-Za-z0-9_.-]/u, maxLength: 128 };

/** The name of an action that is a tool by itself: `books_find`, `office_rooms_book`; `find` without a prefix. */
export function flatName(prefix: string, actionKey: string, separator: string): string {
  const names = actionKey.split('.');
  return (prefix === '' ? names : [prefix, ...names]).join(separator);
}

/**
 * Reports names under which a model could not call a tool, each with one that it could. The actions of a grouped tool
 * are values of an argument, which may be any text.
 */
export function checkToolNames({ scanned, listed }: PreparedTool, problems: ProblemList): void {
  for (const { definition, actions } of listed) {
    const { name } = definition;
    const proposed = safeName(name, NAMES, name);
    if (proposed === name) continue;
    const isFlat = scanned.expose === 'flat';
    problems.add('TW_COMPILE_TOOL_NAME', {
      where: isFlat ? (actions[0]?.scanned.where ?? scanned.where) : scanned.where,
      what: `would be listed as the tool ${JSON.stringify(name)}, which clients and models may refuse.`,
      why: 'the name of a tool consists of at most 128 letters from A to Z, digits, "_", "-" and ".".',
      fix: isFlat
        ? `rename the group, the action or the separator so that they make ${JSON.stringify(proposed)}`
        : `name it ${JSON.stringify(proposed)}`,
    });
  }
}
