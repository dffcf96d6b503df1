import type { ProviderKey, ScannedProvider } from '../scanner/scanned-provider.ts';
import { lifetimeOf, providerOf, type ProviderMap } from './provider-map.ts';

/** What a call scope creates for a set of keys. */
export interface ScopePlan {
  /** Request-scoped providers, dependencies first. */
  readonly create: readonly ScannedProvider[];
  /** What the scope makes itself: all that the keys reach but singletons, and every transient free of calls. */
  readonly reached: ReadonlySet<ProviderKey>;
}

export function planScope(keys: readonly ProviderKey[], providers: ProviderMap): ScopePlan {
  const reached = new Set<ProviderKey>();
  const waiting = [...keys, ...callFreeTransients(providers)];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const provider = providerOf(key, providers);
    if (reached.has(key) || lifetimeOf(provider, providers) === 'singleton') continue;
    reached.add(key);
    waiting.push(...dependencyKeys(provider));
  }
  const create = [...providers.values()].filter(
    (provider) =>
      reached.has(provider.key) && isCreating(provider) && lifetimeOf(provider, providers) === 'request',
  );
  return { create, reached };
}

function callFreeTransients(providers: ProviderMap): readonly ProviderKey[] {
  return [...providers.values()]
    .filter((provider) => !provider.isPerCall && lifetimeOf(provider, providers) === 'transient')
    .map(({ key }) => key);
}

function isCreating({ recipe }: ScannedProvider): boolean {
  return recipe.kind === 'class' || recipe.kind === 'factory';
}

function dependencyKeys({ recipe, dependencies }: ScannedProvider): readonly ProviderKey[] {
  if (recipe.kind === 'existing') return [recipe.target];
  return dependencies.flatMap(({ key }) => (key === undefined ? [] : [key]));
}
