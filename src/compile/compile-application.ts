import type { InstanceResolver } from '../container/instance-resolver.ts';
import { ProblemList } from '../errors/problem-list.ts';
import type { ScannedTool } from '../scanner/scanned-tool.ts';
import { compileToolSet, type ToolSet } from './compile-tool-set.ts';

/**
 * Compiles the tools of an application in order; instances come through the resolver.
 * @throws ApplicationError with every problem of every tool.
 */
export function compileApplication(
  application: string,
  tools: readonly ScannedTool[],
  resolver: InstanceResolver,
): readonly ToolSet[] {
  const problems = new ProblemList();
  const sets: ToolSet[] = [];
  for (const tool of tools) {
    try {
      sets.push(
        compileToolSet(tool, resolver, (code, facts) => {
          problems.add(code, facts);
        }),
      );
    } catch (thrown) {
      problems.addThrown(thrown);
    }
  }
  checkNames(sets, problems);
  problems.throwIfAny(application);
  return Object.freeze(sets);
}

/** With flat exposition, names that differ as keys may meet: `a.b_c` and `a_b.c` are both `a_b_c`. */
function checkNames(sets: readonly ToolSet[], problems: ProblemList): void {
  const names = new Set<string>();
  for (const { definition } of sets.flatMap((set) => set.tools)) {
    if (names.has(definition.name)) {
      problems.add('TW_COMPILE_NAME_TAKEN', {
        where: `tool "${definition.name}"`,
        what: 'would be listed twice.',
        why: 'with flat exposition the names of group and action are joined, and two of them come out the same.',
        fix: 'rename one of the actions, or set another `separator` on the group',
      });
    }
    names.add(definition.name);
  }
}
