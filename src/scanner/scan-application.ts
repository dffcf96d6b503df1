import { ProblemList, type Problem } from '../errors/problem-list.ts';
import { isClass, type Token } from '../shared/class-type.ts';
import { scanTools, type ScannedTool } from './actions/scan-tools.ts';
import { groupPaths, readGroups } from './groups/group-tree.ts';
import { droppedMembers, type Controller } from './members/declared-members.ts';
import { scanMiddleware } from './members/middleware.ts';
import { readControllers } from './members/read-controllers.ts';
import type { ScannedMiddleware } from './members/scanned-callable.ts';
import { userRecords, type ScannedUserRecord } from './members/user-values.ts';
import { scopeModules } from './modules/module-scopes.ts';
import { scanModules, type ModuleNode } from './modules/scan-modules.ts';
import { scanPrompts, type ScannedPrompt } from './prompts/scan-prompts.ts';
import { checkMisplacedGroups, draftProviders, type ProviderDrafts } from './providers/provider-drafts.ts';
import type { ProviderDraft } from './providers/read-provider.ts';
import { scanProviders } from './providers/scan-providers.ts';
import type { ProviderKey, ScannedProvider } from './providers/scanned-provider.ts';
import type { TokenSpace } from './providers/token-lookup.ts';
import { scanResources, type ScannedResource } from './resources/scan-resources.ts';
import type { ScanOptions } from './scan-options.ts';

/** An application, resolved and checked: plain frozen data. */
export interface ScannedApplication {
  /** Imported modules before those that import them. */
  readonly modules: readonly ScannedModule[];
  /** Dependencies before those that need them. Controllers and module classes are among them. */
  readonly providers: readonly ScannedProvider[];
  /** Modules depth-first as declared, controllers as listed, actions in source order. */
  readonly tools: readonly ScannedTool[];
  /** In the same order as the tools. */
  readonly prompts: readonly ScannedPrompt[];
  readonly resources: readonly ScannedResource[];
  /** Every use of a user decorator on the application's classes. */
  readonly records: readonly ScannedUserRecord[];
  /** Possible mistakes, which are logged. */
  readonly warnings: readonly Problem[];
}

export interface ScannedModule {
  readonly name: string;
  /** The key of the module class itself, which may have hooks and dependencies. */
  readonly key: ProviderKey;
  readonly controllers: readonly ProviderKey[];
  /** What can be injected in this module: its own, its imports' exports, global exports. */
  readonly visible: ReadonlyMap<Token, ProviderKey>;
}

/**
 * Resolves and checks an application that decorators describe. If there are problems, the result only serves to find
 * more.
 */
export function scanApplication(
  rootModule: unknown,
  options: ScanOptions,
  problems: ProblemList,
): ScannedApplication {
  const modules = scanModules(rootModule, problems);
  const drafts = draftProviders(modules, options, problems);
  checkMisplacedGroups(drafts, problems);
  const space: TokenSpace = { modules, scopes: scopeModules(modules, drafts, problems) };
  const all = [...drafts.builtIn, ...[...drafts.byModule.values()].flat()];
  const providers = scanProviders(all, space, problems);
  const globalMiddleware = scanGlobalMiddleware(options, space, problems);
  const controllers = readControllers(controllersOf(modules, drafts), problems);
  const forest = readGroups(controllers, problems);
  const paths = groupPaths(forest);
  const warnings = new ProblemList();
  const scene = { options, space, globalMiddleware, problems, warnings };
  const tools = scanTools(forest, scene);
  const prompts = scanPrompts(
    controllers.flatMap((draft) => draft.prompts),
    paths,
    scene,
  );
  const resources = scanResources(
    controllers.flatMap((draft) => draft.resources),
    paths,
    scene,
  );
  return Object.freeze({
    modules: Object.freeze(modules.map((node) => scanModule(node, drafts, space))),
    providers,
    tools,
    prompts,
    resources,
    records: userRecords(all.flatMap(({ recipe }) => (recipe.kind === 'class' ? [recipe.type] : []))),
    warnings: Object.freeze([
      ...controllers.flatMap(({ controller }) => droppedMembers(controller.type)),
      ...warnings.problems,
    ]),
  });
}

function scanGlobalMiddleware(
  options: ScanOptions,
  space: TokenSpace,
  problems: ProblemList,
): readonly ScannedMiddleware[] {
  const home = space.modules.at(-1);
  if (home === undefined) return [];
  return scanMiddleware(options.middleware, { where: `${options.name} middleware`, home }, space, problems);
}

function controllersOf(modules: readonly ModuleNode[], drafts: ProviderDrafts): readonly Controller[] {
  return modules.flatMap((home) =>
    controllerDrafts(home, drafts).flatMap(({ token, key }) =>
      isClass(token) ? [{ type: token, key, home }] : [],
    ),
  );
}

function controllerDrafts(node: ModuleNode, drafts: ProviderDrafts): readonly ProviderDraft[] {
  const own = drafts.byModule.get(node) ?? [];
  return node.controllers.flatMap((type) => own.find((draft) => draft.token === type) ?? []);
}

function scanModule(node: ModuleNode, drafts: ProviderDrafts, space: TokenSpace): ScannedModule {
  const visible = space.scopes.get(node)?.visible ?? new Map<Token, ProviderDraft>();
  return Object.freeze({
    name: node.name,
    key: node.key,
    controllers: Object.freeze(controllerDrafts(node, drafts).map((draft) => draft.key)),
    visible: new Map([...visible].map(([token, draft]) => [token, draft.key])),
  });
}
