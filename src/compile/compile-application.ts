import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import type { ScannedApplication } from '../scanner/scanned-application.ts';
import type { CompiledPrompt } from './compiled-prompt.ts';
import type { CompiledResource } from './compiled-resource.ts';
import { compilePrompt } from './compile-prompt.ts';
import { compileResource } from './compile-resource.ts';
import { createContractCache } from './contract-cache.ts';
import { createInputContracts } from './input-contracts.ts';
import { bindToolSet, type ToolSet } from './compile-tool-set.ts';
import { prepareTool } from './prepare-tool.ts';
import type { PreparedTool } from './prepared-tool.ts';
import type { Report } from './strategies/report.ts';

/** An application of which everything is computed that needs no instance. */
export interface PreparedApplication extends Pick<ScannedApplication, 'prompts' | 'resources'> {
  readonly tools: readonly PreparedTool[];
}

/** An application that is ready to serve. */
export interface CompiledApplication {
  readonly tools: readonly ToolSet[];
  readonly prompts: readonly CompiledPrompt[];
  readonly resources: readonly CompiledResource[];
}

/**
 * The first half of compile, which needs no instance: schemas, descriptions, names.
 * So it can tell its problems together with those of the scan, before anything is constructed.
 */
export function prepareApplication(
  { tools, prompts, resources }: ScannedApplication,
  problems: ProblemList,
): PreparedApplication {
  const report: Report = (code, facts) => problems.add(code, facts);
  // after a scan that found problems every class is looked at again, to leave out the broken ones
  const contractOf = createContractCache(report, { isScanned: problems.problems.length === 0 });
  const prepared = tools.map((tool) => prepareTool(tool, report, contractOf));
  checkNames(prepared, problems);
  for (const callable of [...prompts, ...resources]) createInputContracts(callable, [], contractOf);
  return Object.freeze({ tools: Object.freeze(prepared), prompts, resources });
}

/** The second half: chains and argument plans around the instances that the resolver gives. */
export function compileApplication(
  { tools, prompts, resources }: PreparedApplication,
  resolver: InstanceResolver,
): CompiledApplication {
  return Object.freeze({
    tools: Object.freeze(tools.map((tool) => bindToolSet(tool, resolver))),
    prompts: Object.freeze(prompts.map((prompt) => compilePrompt(prompt, resolver))),
    resources: Object.freeze(resources.map((resource) => compileResource(resource, resolver))),
  });
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
          why: 'with flat exposition the names of group, action and older version are joined, and two of them come out the same.',
          fix: 'rename one of the actions, or set another `separator` on the group',
        });
      }
      names.add(definition.name);
    }
  }
}
