import { ProblemList, type Problem } from '../errors/problem-list.ts';
import type { WarningCode } from '../errors/catalogue.ts';
import { isClass, type Token, type Class } from '../shared/class-type.ts';
import { scanTools, type ScannedTool } from './actions/scan-tools.ts';
import { groupPaths, readGroups } from './groups/group-tree.ts';
import { droppedMembers, type Controller, declaredMembers, memberName } from './members/declared-members.ts';
import { scanMiddleware } from './members/middleware.ts';
import type { ScannedMiddleware } from './members/scanned-callable.ts';
import { userRecords, type ScannedUserRecord } from './members/user-values.ts';
import { scopeModules } from './modules/module-scopes.ts';
import { scanModules, type ModuleNode } from './modules/scan-modules.ts';
import { scanPrompts, type ScannedPrompt, readPrompts, type PromptDraft } from './prompts/scan-prompts.ts';
import { checkMisplacedGroups, draftProviders, type ProviderDrafts } from './providers/provider-drafts.ts';
import { classOf, type ProviderDraft } from './providers/read-provider.ts';
import { scanProviders } from './providers/scan-providers.ts';
import type { ProviderKey, ScannedProvider } from './providers/scanned-provider.ts';
import type { TokenSpace } from './providers/token-lookup.ts';
import {
  scanResources,
  type ScannedResource,
  readResources,
  type ResourceDraft,
} from './resources/scan-resources.ts';
import type { ScanOptions } from './scan-options.ts';
import { classChain, ownRecords } from '../metadata/records.ts';
import { askWhether, didYouMean } from '../shared/did-you-mean.ts';
import { readActions, type ActionDraft } from './actions/read-actions.ts';
import { checkMembers } from './members/check-members.ts';
import { checkReadiness } from './members/scan-readiness.ts';
import { checkPublicGroups, checkRequirements } from './requirements/scan-requirements.ts';
import { PlaceNames } from './members/feature-uses.ts';

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
  const space: TokenSpace = { modules, scopes: scopeModules(modules, drafts, problems), user: drafts.user };
  const all = [...drafts.builtIn, ...[...drafts.byModule.values()].flat()];
  checkReadiness(all, problems);
  const globalMiddleware = scanGlobalMiddleware(options, space, problems);
  const controllers = readControllers(controllersOf(modules, drafts), options.features, problems);
  const forest = readGroups(controllers, problems);
  const paths = groupPaths(forest);
  checkPublicGroups(paths.values(), problems);
  const warnings = new ProblemList<WarningCode>();
  const placeNames = new PlaceNames();
  const scene = { options, space, globalMiddleware, placeNames, problems, warnings };
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
  // After all that asks for providers: what tsyringe knows is drafted with the first that does
  const providers = scanProviders(all, space, problems);
  return Object.freeze({
    modules: Object.freeze(modules.map((node) => scanModule(node, drafts, space))),
    providers,
    tools,
    prompts,
    resources,
    records: userRecords(all.flatMap((draft) => classOf(draft) ?? [])),
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

/** A controller with its actions, prompts and resources. */
interface ControllerDraft {
  readonly controller: Controller;
  readonly actions: readonly ActionDraft[];
  readonly prompts: readonly PromptDraft[];
  readonly resources: readonly ResourceDraft[];
}

/** The decorated parts of each controller, in the order of the controllers. */
function readControllers(
  controllers: readonly Controller[],
  features: ScanOptions['features'],
  problems: ProblemList,
): readonly ControllerDraft[] {
  return uniqueControllers(controllers, problems).map((controller) => {
    const draft = {
      controller,
      actions: readActions(controller, problems),
      prompts: readPrompts(controller, problems),
      resources: readResources(controller, problems),
    };
    const listing = new Set(draft.resources.flatMap(({ options }) => options.list ?? []));
    for (const type of classChain(controller.type)) {
      checkMembers(type, listing, problems, features);
      checkRequirements(type, problems);
    }
    checkCompletionTargets(draft, problems);
    if (isEmpty(draft)) reportEmpty(controller.type, problems);
    return draft;
  });
}

function uniqueControllers(controllers: readonly Controller[], problems: ProblemList): readonly Controller[] {
  const unique = new Map<Class, Controller>();
  for (const controller of controllers) {
    const first = unique.get(controller.type);
    if (first === undefined) unique.set(controller.type, controller);
    else {
      problems.at(controller.type.name).add('TW_SCAN_CONTROLLER_DUPLICATE', {
        ...(first.home === controller.home
          ? {
              what: `stands twice in the controllers of ${first.home.name}.`,
              fix: 'remove one of the two entries',
            }
          : {
              what: `is a controller of ${first.home.name} and of ${controller.home.name}.`,
              fix: 'list it in one module, and import that module in the other',
            }),
      });
    }
  }
  return [...unique.values()];
}

/** True for a controller that is not a group and offers nothing; static methods are reported separately. */
function isEmpty({ controller, actions, prompts, resources }: ControllerDraft): boolean {
  const { type } = controller;
  if (ownRecords(type, 'toolGroup').length > 0) return false;
  if (actions.length + prompts.length + resources.length > 0) return false;
  return !classChain(type).some((owner) =>
    (['action', 'prompt', 'resource'] as const).some((kind) =>
      ownRecords(owner, kind).some((record) => record.isStatic),
    ),
  );
}

function reportEmpty(type: Class, problems: ProblemList): void {
  problems.at(type.name).add('TW_SCAN_CONTROLLER_EMPTY', {
    what: 'is a controller without any action, prompt or resource.',
    fix: `@Action('…'), @Prompt('…') or @Resource('…') on a method of ${type.name}, or move ${type.name} to providers`,
  });
}

/** Reports uses of @Complete that name no prompt and no template of their class. */
function checkCompletionTargets(draft: ControllerDraft, problems: ProblemList): void {
  const { type } = draft.controller;
  const fixed = draft.resources.filter(({ target }) => target.kind === 'fixed').map(({ member }) => member);
  const targets = [...draft.prompts, ...draft.resources].filter(({ member }) => !fixed.includes(member));
  for (const { member, records } of declaredMembers(type, 'complete')) {
    for (const { of } of records) {
      if (targets.some((target) => target.member === of) || isDropped(of, draft)) continue;
      const named = targets.find((target) => target.name === of)?.member;
      const names = targets.map((target) => String(target.member));
      const suggestion = named === undefined ? didYouMean(of, names) : askWhether(`"${String(named)}"`);
      const found = fixed.includes(of) ? 'a resource with a fixed URI' : 'neither a prompt nor a template';
      problems.at(memberName(type, member)).add('TW_SCAN_COMPLETE_TARGET', {
        what: `completes "${of}", which is ${found} of ${type.name}.`,
        why: 'the first argument is the name of the method that has @Prompt or @Resource.',
        fix:
          suggestion ??
          `name one of ${names.join(', ') || 'the methods with @Prompt, once there is one'}, or remove @Complete`,
      });
    }
  }
}

/** True for a method that a base class offers and the class itself has dropped. */
function isDropped(member: string, { controller, prompts, resources }: ControllerDraft): boolean {
  if ([...prompts, ...resources].some((draft) => draft.member === member)) return false;
  return classChain(controller.type).some((owner) =>
    (['prompt', 'resource'] as const).some((kind) =>
      ownRecords(owner, kind).some((record) => record.member === member && !record.isStatic),
    ),
  );
}
