import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Scope } from '../metadata/options.ts';
import type { ProviderKey, ScannedProvider } from '../scanner/scanned-provider.ts';

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

/** How long an instance really lives: an alias lives as long as its target. */
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
