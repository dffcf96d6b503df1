import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Scope } from '../metadata/module-options.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import type { ProviderKey, ScannedProvider, ProviderRecipe } from '../scanner/providers/scanned-provider.ts';
import type { Token } from '../shared/class-type.ts';
import { Logger } from '../call/logger.ts';

/** Dependencies before those that need them, as the scanner sorted them. */
export type ProviderMap = ReadonlyMap<ProviderKey, ScannedProvider>;

export function providerOf(key: ProviderKey, providers: ProviderMap): ScannedProvider {
  const provider = providers.get(key);
  if (provider !== undefined) return provider;
  throw new ToolwrightError('TW_CONTAINER_UNKNOWN_PROVIDER', {
    where: key.toString(),
    what: 'is not a provider of this application',
    fix: 'use keys of the application that the container was made for',
  });
}

/** The effective lifetime of an instance: an alias lives as long as its target. */
export function lifetimeOf(provider: ScannedProvider, providers: ProviderMap): Scope {
  switch (provider.recipe.kind) {
    case 'value':
      return 'singleton';
    case 'context':
      return 'request';
    case 'existing':
      return lifetimeOf(providerOf(provider.recipe.target, providers), providers);
    default:
      return provider.scope;
  }
}

/**
 * Finds providers from outside of any module: first what the root module sees, then the modules
 * in their order, then controllers and module classes, which no module can inject.
 */
export function indexTokens(application: ScannedApplication): ReadonlyMap<Token, ProviderKey> {
  const index = new Map<Token, ProviderKey>();
  const root = application.modules.at(-1);
  const modules = root === undefined ? [] : [root, ...application.modules.slice(0, -1)];
  for (const module of modules) {
    for (const [token, key] of module.visible) if (!index.has(token)) index.set(token, key);
  }
  for (const { token, key } of application.providers) if (!index.has(token)) index.set(token, key);
  return index;
}

/**
 * The providers of an application that are the same as in the application before it: the same class or factory in the
 * same module, and everything that is injected is the same, too. The instance of such a singleton can go on living.
 *
 * @param now dependencies before those that need them, as the scanner sorts them
 * @returns the keys now and before
 */
export function sameProviders(
  before: readonly ScannedProvider[],
  now: readonly ScannedProvider[],
): ReadonlyMap<ProviderKey, ProviderKey> {
  const formerly = new Map<Token, ScannedProvider[]>();
  for (const provider of before) {
    formerly.set(provider.token, [...(formerly.get(provider.token) ?? []), provider]);
  }
  const same = new Map<ProviderKey, ProviderKey>();
  for (const provider of now) {
    const former = formerly.get(provider.token)?.find((each) => isSame(provider, each, same));
    if (former !== undefined) same.set(provider.key, former.key);
  }
  return same;
}

function isSame(
  now: ScannedProvider,
  before: ScannedProvider,
  same: ReadonlyMap<ProviderKey, ProviderKey>,
): boolean {
  return (
    now.module === before.module &&
    now.scope === before.scope &&
    // A logger that writes to the same place is another object after each edit of the file that made it.
    (now.token === Logger || isSameRecipe(now.recipe, before.recipe, same)) &&
    now.dependencies.length === before.dependencies.length &&
    now.dependencies.every(({ key }, index) => {
      const former = before.dependencies[index]?.key;
      return key === undefined ? former === undefined : former !== undefined && same.get(key) === former;
    })
  );
}

function isSameRecipe(
  now: ProviderRecipe,
  before: ProviderRecipe,
  same: ReadonlyMap<ProviderKey, ProviderKey>,
): boolean {
  if (now.kind === 'existing') return before.kind === 'existing' && same.get(now.target) === before.target;
  return now.kind === before.kind && Object.is(sourceOf(now), sourceOf(before));
}

/** The object that makes a recipe what it is. */
function sourceOf(recipe: ProviderRecipe): unknown {
  switch (recipe.kind) {
    case 'class':
      return recipe.type;
    case 'value':
      return recipe.value;
    case 'factory':
      return recipe.create;
    case 'existing':
      return recipe.target;
    case 'context':
      return undefined;
    case 'registered':
      return recipe.registration;
    case 'composed':
      return recipe.source;
  }
}
