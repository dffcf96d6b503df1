import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import type { ScannedTool } from '../scanner/scanned-tool.ts';
import { bindToolSet, type ToolSet } from './compile-tool-set.ts';
import { prepareTool } from './prepare-tool.ts';
import type { PreparedTool } from './prepared-tool.ts';

/**
 * The first half of compile, which needs no instance: schemas, descriptions, names.
 * So it can tell its problems together with those of the scan, before anything is constructed.
 */
export function prepareApplication(
  tools: readonly ScannedTool[],
  problems: ProblemList,
): readonly PreparedTool[] {
  const prepared = tools.map((tool) => prepareTool(tool, (code, facts) => problems.add(code, facts)));
  checkNames(prepared, problems);
  return Object.freeze(prepared);
}

/** The second half: chains and argument plans around the instances that the resolver gives. */
export function compileApplication(
  tools: readonly PreparedTool[],
  resolver: InstanceResolver,
): readonly ToolSet[] {
  return Object.freeze(tools.map((tool) => bindToolSet(tool, resolver)));
}

/** With flat exposition, names that differ as keys may meet: `a.b_c` and `a_b.c` are both `a_b_c`. */
function checkNames(tools: readonly PreparedTool[], problems: ProblemList): void {
  const names = new Set<string>();
  for (const { scanned, listed } of tools) {
    for (const { definition } of listed) {
      if (names.has(definition.name) && scanned.expose === 'flat') {
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
}
