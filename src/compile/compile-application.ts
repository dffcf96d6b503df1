import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import {
  argumentFields,
  ContractCache,
  createInputContracts,
  sensitiveNamesOf,
} from './contracts/input-contracts.ts';
import {
  bindPrompt,
  preparePrompt,
  type CompiledPrompt,
  type PreparedPrompt,
} from './primitives/compile-prompt.ts';
import {
  bindResource,
  prepareResource,
  type CompiledResource,
  type PreparedResource,
} from './primitives/compile-resource.ts';
import type { Binding } from './stages/compile-callable.ts';
import type { AnyCompileFacet, Composition } from './feature-parts.ts';
import { checkSurfaces, createFormedTools } from './surfaces/fit-surface.ts';
import { presentTool } from './surfaces/present-tool.ts';
import type { Surface, SurfaceSettings } from './surfaces/surface.ts';
import { bindToolSet, type PresentedTools, type ToolSet } from './tools/compile-tool-set.ts';
import { prepareTool } from './tools/prepare-tool.ts';
import type { PreparedTool } from './tools/prepared-tool.ts';
import type { ToolFilter } from './tools/tool-filter.ts';

/** An application with everything computed that needs no instances. */
interface PreparedApplication {
  readonly tools: readonly PreparedTool[];
  readonly prompts: readonly PreparedPrompt[];
  readonly resources: readonly PreparedResource[];
  /** The forms of the tools on the surfaces that are served. */
  readonly presented?: ReadonlyMap<PreparedTool, PresentedTools>;
}

/** An application that is ready to serve. */
export interface CompiledApplication {
  readonly tools: readonly ToolSet[];
  readonly prompts: readonly CompiledPrompt[];
  readonly resources: readonly CompiledResource[];
}

/**
 * The first half of compile, which needs no instance: contracts, schemas, descriptions, names.
 * So its problems are reported together with those of the scan, before anything is constructed.
 * @param filter the filter of the application
 * @param surfaces those that clients can get beside the tools as they are declared
 */
export function prepareApplication(
  { tools, prompts, resources }: ScannedApplication,
  problems: ProblemList,
  filter: ToolFilter = {},
  features: readonly AnyCompileFacet[] = [],
  surfaces?: SurfaceSettings,
): PreparedApplication {
  const isScanned = problems.problems.length === 0;
  // if the scan found problems, every class is checked again, to leave out the broken ones
  const contracts = new ContractCache(problems, { isScanned });
  const prepared = tools.map((tool) => prepareTool(tool, contracts, problems, filter, features));
  checkNames(prepared, problems);
  if (!isScanned) {
    // Their names and URIs may be broken, so nothing can be listed. The application will not be served anyway
    for (const callable of [...prompts, ...resources]) {
      argumentFields(createInputContracts(callable, [], contracts), callable.where, problems);
    }
    return Object.freeze({ tools: Object.freeze(prepared), prompts: [], resources: [] });
  }
  return Object.freeze({
    tools: Object.freeze(prepared),
    presented: presentTools(prepared, surfaces, problems),
    prompts: Object.freeze(prompts.map((prompt) => preparePrompt(prompt, contracts, problems))),
    resources: Object.freeze(resources.map((resource) => prepareResource(resource, contracts, problems))),
  });
}

/** The tools on each surface, with all that keeps one from being served. */
function presentTools(
  tools: readonly PreparedTool[],
  surfaces: SurfaceSettings | undefined,
  problems: ProblemList,
): ReadonlyMap<PreparedTool, PresentedTools> {
  const presented = new Map<PreparedTool, PresentedTools>();
  for (const tool of tools) presented.set(tool, new Map());
  if (surfaces === undefined) return presented;
  const on = (surface: Surface): readonly PreparedTool[] =>
    [...presented].map(([tool, forms]) => {
      const form = forms.get(surface) ?? presentTool(tool, surface, problems);
      forms.set(surface, form);
      return form;
    });
  checkSurfaces(createFormedTools(tools, on), surfaces, problems);
  return presented;
}

/** The second half: builds chains and argument plans around the resolver's instances. It reports no problems. */
export function bindApplication(
  { tools, prompts, resources, presented }: PreparedApplication,
  resolver: InstanceResolver,
  composition: Composition,
  { aroundLayer, argumentNodes }: Pick<Binding, 'aroundLayer' | 'argumentNodes'> = {},
): CompiledApplication {
  const inputs = [...tools.flatMap(({ actions }) => actions), ...prompts, ...resources];
  const sensitiveNames = sensitiveNamesOf(inputs.map(({ contracts }) => contracts));
  const binding = { ...composition, resolver, aroundLayer, argumentNodes, sensitiveNames };
  return Object.freeze({
    tools: Object.freeze(tools.map((tool) => bindToolSet(tool, binding, presented?.get(tool)))),
    prompts: Object.freeze(prompts.map((prompt) => bindPrompt(prompt, binding))),
    resources: Object.freeze(
      resources.map((resource) => bindResource(resource, { ...binding, sensitiveNames: undefined })),
    ),
  });
}

/**
 * With flat exposition, different keys may give the same name: `a.b_c` and `a_b.c` are both `a_b_c`. Two grouped tools of
 * one name are a problem of the scan.
 */
function checkNames(tools: readonly PreparedTool[], problems: ProblemList): void {
  const exposures = new Map<string, string>();
  for (const { scanned, listed } of tools) {
    for (const {
      definition: { name },
    } of listed) {
      const earlier = exposures.get(name);
      const exposure = name === scanned.name ? scanned.expose : 'flat';
      if (earlier !== undefined && (earlier === 'flat' || exposure === 'flat')) {
        problems.at(`tool "${name}"`).add('TW_COMPILE_NAME_TAKEN', {
          what: 'would be listed twice.',
          why: 'flat tools join the names of group, action and older version, and two of the joined names are equal.',
          fix: 'rename one of the actions, or set another `separator` on the group',
        });
      }
      exposures.set(name, exposure);
    }
  }
}
