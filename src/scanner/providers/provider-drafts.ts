import { Logger } from '../../call/logger.ts';
import { Notifier } from '../../call/notifier.ts';
import { ToolContext } from '../../call/tool-context.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import { ownRecords } from '../../metadata/records.ts';
import { isClass, type AbstractClass, type Class, tokenName, type Token } from '../../shared/class-type.ts';
import { didYouMeanToken } from '../../shared/did-you-mean.ts';
import { reportUndefined } from '../check-options.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import type { ScanOptions } from '../scan-options.ts';
import {
  classOf,
  readProvider,
  scopeOf,
  type ProviderDraft,
  type ProviderMeaning,
  MOVE,
} from './read-provider.ts';
import { reportCopies, type UserContainer } from './user-container.ts';
import { knows, registeredMeaning, UserProviders } from './user-providers.ts';

/** The providers of each module and of the framework, without duplicates. */
export interface ProviderDrafts {
  readonly byModule: ReadonlyMap<ModuleNode, readonly ProviderDraft[]>;
  /** Visible everywhere: the context of the call, the logger, and the notifier. */
  readonly builtIn: readonly ProviderDraft[];
  /** What the user's tsyringe container knows, drafted when it is asked for. */
  readonly user: UserProviders;
}

/** Converts all entries of all modules to one form and applies the overrides. */
export function draftProviders(
  modules: readonly ModuleNode[],
  options: ScanOptions,
  problems: ProblemList,
): ProviderDrafts {
  const overrides = readOverrides(options, problems);
  const replace = (draft: ProviderDraft): ProviderDraft => {
    const override = overrides.get(draft.token);
    return override === undefined ? draft : Object.freeze({ ...draft, ...override });
  };
  const { container } = options;
  const draft = (node: ModuleNode) => draftModule(node, container, problems).map(replace);
  const byModule = new Map(modules.map((node) => [node, draft(node)]));
  const builtIn = builtInDrafts(options).map(replace);
  const known = [...[...byModule.values()].flat(), ...builtIn].map((draft) => draft.token);
  for (const token of overrides.keys()) {
    if (!known.includes(token) && !knows(container, token)) reportUnknownOverride(token, known, problems);
  }
  return { byModule, builtIn, user: new UserProviders(container, overrides) };
}

function draftModule(
  node: ModuleNode,
  container: UserContainer | undefined,
  problems: ProblemList,
): readonly ProviderDraft[] {
  const drafts = new Map<Token, ProviderDraft>();
  const registered = (type: Class): ProviderMeaning | undefined => {
    const meaning = registeredMeaning(type, container);
    const copy = meaning === undefined ? container?.findOtherCopy(type) : undefined;
    if (copy?.isRegistered === true)
      reportCopies(
        'is registered in another copy of tsyringe, so there would be two.',
        copy,
        problems.at(type.name),
      );
    return meaning;
  };
  const add = (meaning: ProviderMeaning, key: symbol): void => {
    const where = meaning.recipe.kind === 'class' ? meaning.recipe.type.name : tokenName(meaning.token);
    if (drafts.has(meaning.token)) reportDuplicate(node, meaning.token, problems);
    else drafts.set(meaning.token, Object.freeze({ key, where, home: node, ...meaning }));
  };
  node.providers.forEach((entry, index) => {
    const meaning = readProvider(entry, `providers[${String(index)}]`, problems.at(node.name));
    const given = isClass(entry) ? registered(entry) : undefined;
    if (meaning !== undefined) add(given ?? meaning, Symbol(`${tokenName(meaning.token)} of ${node.name}`));
  });
  node.controllers.forEach((entry, index) => {
    const place = `controllers[${String(index)}]`;
    // The check of the controllers reports a second entry; it can distinguish it from a second module.
    if (isClass(entry) && node.controllers.indexOf(entry) === index) {
      const recipe = { kind: 'class', type: entry } as const;
      const own = { token: entry, recipe, scope: scopeOf(entry, problems) };
      add(registered(entry) ?? own, Symbol(`${entry.name} of ${node.name}`));
    } else if (!isClass(entry)) reportController(node, place, entry, problems);
  });
  // A module class has hooks and is created at start-up, so it is always a singleton.
  add({ token: node.type, recipe: { kind: 'class', type: node.type }, scope: 'singleton' }, node.key);
  return [...drafts.values()];
}

function builtInDrafts(options: ScanOptions): readonly ProviderDraft[] {
  return [
    {
      key: Symbol('ToolContext'),
      token: ToolContext,
      where: 'ToolContext',
      scope: 'request',
      recipe: { kind: 'context' },
      home: undefined,
    },
    builtInValue(Logger, options.logger),
    builtInValue(Notifier, options.notifier),
  ];
}

function builtInValue<T>(token: AbstractClass<T>, value: T): ProviderDraft {
  return {
    key: Symbol(token.name),
    token,
    where: token.name,
    scope: 'singleton',
    recipe: { kind: 'value', value },
    home: undefined,
  };
}

function readOverrides(
  options: ScanOptions,
  problems: ProblemList,
): ReadonlyMap<Token, Omit<ProviderMeaning, 'token'>> {
  const overrides = new Map<Token, Omit<ProviderMeaning, 'token'>>();
  options.overrides.forEach((entry, index) => {
    const meaning = readProvider(entry, `overrides[${String(index)}]`, problems.at(options.name));
    if (meaning !== undefined) overrides.set(meaning.token, { recipe: meaning.recipe, scope: meaning.scope });
  });
  return overrides;
}

function reportUnknownOverride(token: Token, known: readonly Token[], problems: ProblemList): void {
  const name = tokenName(token);
  problems.at(`override of ${name}`).add('TW_SCAN_OVERRIDE_UNKNOWN', {
    what: 'replaces nothing: no module provides that token.',
    fix: didYouMeanToken(name, known) ?? 'remove it, or provide the token in a module',
  });
}

function reportDuplicate(node: ModuleNode, token: Token, problems: ProblemList): void {
  problems.at(node.name).add('TW_SCAN_PROVIDER_DUPLICATE', {
    what: `provides ${tokenName(token)} twice.`,
    fix: 'remove one of the two entries from providers and controllers',
  });
}

function reportController(node: ModuleNode, place: string, entry: unknown, problems: ProblemList): void {
  if (entry === undefined) {
    reportUndefined(place, MOVE, problems.at(node.name));
    return;
  }
  problems.at(node.name).add('TW_SCAN_PROVIDER_INVALID', {
    what: `holds something at ${place} that is not a class.`,
    fix: 'list classes in controllers',
  });
}

const MISPLACED = [
  ['toolGroup', '@ToolGroup'],
  ['prompt', '@Prompt'],
  ['resource', '@Resource'],
] as const;

/** Reports tool groups, prompts and resources that are not served because they are in the wrong list. */
export function checkMisplacedGroups(drafts: ProviderDrafts, problems: ProblemList): void {
  for (const [node, own] of drafts.byModule) {
    for (const type of own.map(classOf)) {
      if (type === undefined || node.controllers.includes(type)) continue;
      const decorator = MISPLACED.find(([kind]) => ownRecords(type, kind).length > 0)?.[1];
      if (decorator === undefined) continue;
      problems.at(type.name).add('TW_SCAN_GROUP_MISPLACED', {
        what: `has ${decorator} but stands in the providers of ${node.name}.`,
        fix: `@Module({ controllers: [${type.name}] }) on ${node.name}`,
      });
    }
  }
}
