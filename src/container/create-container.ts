import {
  instanceCachingFactory,
  instancePerContainerCachingFactory,
  type DependencyContainer,
  type FactoryFunction,
} from 'tsyringe';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import type {
  ProviderKey,
  ScannedProvider,
  ScannedDependency,
} from '../scanner/providers/scanned-provider.ts';
import { ApplicationContainer } from './application-container.ts';
import {
  asyncTransient,
  createInstance,
  readRegistered,
  settle,
  type CreatingRecipe,
  type Slot,
} from './create-instance.ts';
import type { Hooked } from './lifecycle.ts';
import { OWNER, Owner } from './owner.ts';
import { indexTokens, lifetimeOf, providerOf, type ProviderMap } from './provider-map.ts';
import { TsyringeContainer } from './user-container.ts';
import type { Scope } from '../metadata/module-options.ts';
import { isThenable } from '../shared/maybe-promise.ts';

interface ContainerOptions {
  /** The user's container, which is the parent of the application's own. Default: the global one of tsyringe. */
  readonly user?: TsyringeContainer;
  /** Its singletons live on here, where nothing about them has changed. */
  readonly predecessor?: ApplicationContainer | undefined;
  /** Creates a singleton only when it is asked for; it has no hooks then. */
  readonly isLazy?: boolean;
}

/** Creates every singleton, dependencies first. The start hooks run later, in {@link ApplicationContainer.start}. */
export async function createContainer(
  application: ScannedApplication,
  { predecessor, isLazy = false, user = TsyringeContainer.of() }: ContainerOptions = {},
): Promise<ApplicationContainer> {
  application.providers.forEach(refuseAsyncTransient);
  const providers = new Map(application.providers.map((provider) => [provider.key, provider]));
  const values = new Set(application.providers.flatMap(valueOf));
  const slots = predecessor?.slotsFor(application.providers) ?? new Map<ProviderKey, Slot>();
  const kept = new Set([...slots.values()].map(({ value }) => value));
  const isForeign = (instance: unknown): boolean =>
    values.has(instance) || kept.has(instance) || user.gave(instance);
  const owner = new Owner(undefined, isForeign);
  const { root, perCall } = registerProviders(providers, slots, user);
  root.register(OWNER, { useValue: owner });
  const hooked = new Map<unknown, Hooked>();
  const container = new ApplicationContainer({
    providers,
    tokens: indexTokens(application),
    root,
    perCall,
    user,
    owner,
    outlivesCalls: (instance) => owner.owns(instance) || isForeign(instance),
    hooked,
    kept,
    isLazy,
  });
  if (isLazy) return container;
  try {
    for (const provider of application.providers.filter(isSingleton)) {
      const slot = root.resolve<Slot>(provider.key);
      await settle(slot, provider, owner);
      if (!kept.has(slot.value) && !user.gave(slot.value)) addHooked(hooked, provider.where, slot.value);
    }
  } catch (error) {
    throw await container.abandon(error);
  }
  owner.seal();
  return container;
}

const MAKING: readonly ScannedProvider['recipe']['kind'][] = ['class', 'factory', 'registered'];

function isSingleton({ recipe, scope }: ScannedProvider): boolean {
  return recipe.kind === 'value' || (MAKING.includes(recipe.kind) && scope === 'singleton');
}

function valueOf({ recipe }: ScannedProvider): readonly unknown[] {
  return recipe.kind === 'value' ? [recipe.value] : [];
}

/** Values take part in the hooks, because hook names are unambiguous. `dispose()` is not called on values. */
function addHooked(hooked: Map<unknown, Hooked>, where: string, instance: unknown): void {
  if (typeof instance !== 'object' || instance === null || hooked.has(instance)) return;
  hooked.set(instance, { where, instance });
}

const AsyncFunction = (async () => undefined).constructor;

function refuseAsyncTransient(provider: ScannedProvider): void {
  const { recipe, scope } = provider;
  if (recipe.kind === 'factory' && scope === 'transient' && recipe.create instanceof AsyncFunction) {
    throw asyncTransient(provider);
  }
}
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
function registerProviders(
  providers: ProviderMap,
  kept: ReadonlyMap<ProviderKey, Slot>,
  user: TsyringeContainer,
): Containers {
  const root = user.createChild();
  const perCall = root.createChildContainer();
  for (const provider of providers.values()) {
    const readers = provider.dependencies.map((dependency) => reader(dependency, root, providers));
    const container = provider.isPerCall ? perCall : root;
    const slot = kept.get(provider.key);
    container.register<Slot>(provider.key, {
      useFactory: slot === undefined ? slotFactory(provider, readers, user) : () => slot,
    });
  }
  return { root, perCall };
}

function slotFactory(
  provider: ScannedProvider,
  readers: readonly Read[],
  user: TsyringeContainer,
): FactoryFunction<Slot> {
  const { recipe } = provider;
  if (recipe.kind === 'value') {
    const slot: Slot = { value: recipe.value };
    return () => slot;
  }
  if (recipe.kind === 'context') return (container) => ({ value: container.resolve(OWNER).context });
  if (recipe.kind === 'existing') return (container) => container.resolve<Slot>(recipe.target);
  if (recipe.kind === 'registered')
    return CACHING[provider.scope](() => ({ value: readRegistered(provider, recipe) }));
  if (recipe.kind === 'composed') {
    return (container) => ({ value: recipe.compose(readers.map((read) => () => read(container))) });
  }
  const create = (dependencies: readonly unknown[]): unknown => {
    const make = (): unknown => createInstance(provider, recipe, dependencies);
    return recipe.kind === 'class' ? user.intercept(provider.token, 'Single', make) : make();
  };
  return CACHING[provider.scope]((container) => {
    const dependencies = readers.map((read) => read(container));
    return makeSlot(provider, recipe, () => create(dependencies), container);
  });
}

const CACHING: Readonly<Record<Scope, (make: FactoryFunction<Slot>) => FactoryFunction<Slot>>> = {
  singleton: instanceCachingFactory,
  request: instancePerContainerCachingFactory,
  transient: (make) => make,
};

function makeSlot(
  provider: ScannedProvider,
  recipe: CreatingRecipe,
  create: () => unknown,
  container: DependencyContainer,
): Slot {
  const made = create();
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
