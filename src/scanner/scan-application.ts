import { ProblemList } from '../errors/problem-list.ts';
import { isClass } from '../shared/class-type.ts';
import type { Token } from '../shared/token.ts';
import { droppedMembers } from './declared-members.ts';
import { groupPaths } from './group-paths.ts';
import type { Controller } from './method-draft.ts';
import type { ModuleNode } from './module-node.ts';
import { scopeModules } from './module-scopes.ts';
import type { ProviderDraft } from './provider-draft.ts';
import { checkMisplacedGroups, draftProviders, type ProviderDrafts } from './provider-drafts.ts';
import { readControllers } from './read-controllers.ts';
import { readGroups } from './read-groups.ts';
import { scanMiddleware } from './scan-middleware.ts';
import { scanModules } from './scan-modules.ts';
import type { ScanOptions } from './scan-options.ts';
import { scanPrompts } from './scan-prompts.ts';
import { scanProviders } from './scan-providers.ts';
import { scanResources } from './scan-resources.ts';
import { scanTools } from './scan-tools.ts';
import type { ScannedApplication, ScannedModule } from './scanned-application.ts';
import type { ScannedMiddleware } from './scanned-callable.ts';
import type { TokenSpace } from './token-lookup.ts';
import { userRecords } from './user-values.ts';

/**
 * Resolves and checks an application that decorators describe.
 * Throws one ApplicationError with every problem there is.
 */
export function scanApplication(rootModule: unknown, options: ScanOptions): ScannedApplication {
  const problems = new ProblemList();
  const scanned = collectApplication(rootModule, options, problems);
  problems.throwIfAny(options.name);
  return scanned;
}

/** The same, but problems are only collected: with any, the result is good for finding more of them and nothing else. */
export function collectApplication(
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
  const prompts = scanPrompts(controllers, paths, scene);
  const resources = scanResources(controllers, paths, scene);
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
