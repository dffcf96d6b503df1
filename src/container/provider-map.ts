import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Scope } from '../metadata/module-options.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import type { ProviderKey, ScannedProvider } from '../scanner/providers/scanned-provider.ts';
import type { Token } from '../shared/class-type.ts';

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
