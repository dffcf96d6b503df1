import {
  container as globalContainer,
  instanceCachingFactory,
  instancePerContainerCachingFactory,
  type DependencyContainer,
  type FactoryFunction,
  type InjectionToken,
} from 'tsyringe';
import type { Scope } from '../metadata/module-options.ts';
import type {
  ProviderKey,
  ScannedDependency,
  ScannedProvider,
} from '../scanner/providers/scanned-provider.ts';
import { isThenable } from '../shared/maybe-promise.ts';
import { asyncTransient, createInstance, type CreatingRecipe, type Slot } from './create-instance.ts';
import type { Owner } from './owner.ts';
import { lifetimeOf, providerOf, type ProviderMap } from './provider-map.ts';

/** The {@link Owner} of a tsyringe container, registered in it under this token. */
export const OWNER: InjectionToken<Owner> = Symbol('owner');

interface Containers {
  /** Singletons, values, and transients that reach nothing of a call. Singletons are resolved here only. */
  readonly root: DependencyContainer;
  /**
   * Everything per call; each call gets a child of it.
   * Apart from the root, because making a child walks the whole registry of its parent.
   */
  readonly perCall: DependencyContainer;
}

type Read = (container: DependencyContainer) => unknown;

/**
 * Registers every provider under its key in containers of the application's own.
 * @param kept the instances that another application created
 */
export function registerProviders(providers: ProviderMap, kept: ReadonlyMap<ProviderKey, Slot>): Containers {
  const root = globalContainer.createChildContainer();
  const perCall = root.createChildContainer();
  for (const provider of providers.values()) {
    const readers = provider.dependencies.map((dependency) => reader(dependency, root, providers));
    const container = provider.isPerCall ? perCall : root;
    const slot = kept.get(provider.key);
    container.register<Slot>(provider.key, {
      useFactory: slot === undefined ? slotFactory(provider, readers) : () => slot,
    });
  }
  return { root, perCall };
}

function slotFactory(provider: ScannedProvider, readers: readonly Read[]): FactoryFunction<Slot> {
  const { recipe } = provider;
  if (recipe.kind === 'value') {
    const slot: Slot = { value: recipe.value };
    return () => slot;
  }
  if (recipe.kind === 'context') return (container) => ({ value: container.resolve(OWNER).context });
  if (recipe.kind === 'existing') return (container) => container.resolve<Slot>(recipe.target);
  return CACHING[provider.scope]((container) => makeSlot(provider, recipe, readers, container));
}

const CACHING: Readonly<Record<Scope, (make: FactoryFunction<Slot>) => FactoryFunction<Slot>>> = {
  singleton: instanceCachingFactory,
  request: instancePerContainerCachingFactory,
  transient: (make) => make,
};

function makeSlot(
  provider: ScannedProvider,
  recipe: CreatingRecipe,
  readers: readonly Read[],
  container: DependencyContainer,
): Slot {
  const dependencies = readers.map((read) => read(container));
  const made = createInstance(provider, recipe, dependencies);
  if (recipe.kind === 'factory' && isThenable(made)) {
    if (provider.scope !== 'transient') return { value: undefined, pending: made };
    made.then(ignore, ignore);
    throw asyncTransient(provider);
  }
  container.resolve(OWNER).own(provider.where, made);
  return { value: made };
}

function reader(dependency: ScannedDependency, root: DependencyContainer, providers: ProviderMap): Read {
  if (dependency.key === undefined) return ignore;
  const provider = providerOf(dependency.key, providers);
  // A singleton first resolved through a call's container would keep that call's instances forever.
  if (lifetimeOf(provider, providers) === 'singleton') return () => root.resolve<Slot>(provider.key).value;
  return (container) => container.resolve<Slot>(provider.key).value;
}

function ignore(): undefined {
  return undefined;
}
