import type { ScannedApplication } from '../scanner/scan-application.ts';
import type { ProviderKey, ScannedProvider } from '../scanner/providers/scanned-provider.ts';
import { ApplicationContainer } from './application-container.ts';
import { asyncTransient, settle, type Slot } from './create-instance.ts';
import type { Hooked } from './lifecycle.ts';
import { Owner } from './owner.ts';
import { indexTokens } from './provider-map.ts';
import { OWNER, registerProviders } from './register-providers.ts';

export interface ContainerOptions {
  /** Its singletons live on here, where nothing about them has changed. */
  readonly predecessor?: ApplicationContainer | undefined;
  /** Creates a singleton only when it is asked for; it has no hooks then. */
  readonly isLazy?: boolean;
}

/** Creates every singleton, dependencies first. The start hooks run later, in {@link ApplicationContainer.start}. */
export async function createContainer(
  application: ScannedApplication,
  { predecessor, isLazy = false }: ContainerOptions = {},
): Promise<ApplicationContainer> {
  application.providers.forEach(refuseAsyncTransient);
  const providers = new Map(application.providers.map((provider) => [provider.key, provider]));
  const values = new Set(application.providers.flatMap(valueOf));
  const slots = predecessor?.slotsFor(application.providers) ?? new Map<ProviderKey, Slot>();
  const kept = new Set([...slots.values()].map(({ value }) => value));
  const isForeign = (instance: unknown): boolean => values.has(instance) || kept.has(instance);
  const owner = new Owner(undefined, isForeign);
  const { root, perCall } = registerProviders(providers, slots);
  root.register(OWNER, { useValue: owner });
  const hooked = new Map<unknown, Hooked>();
  const container = new ApplicationContainer({
    providers,
    tokens: indexTokens(application),
    root,
    perCall,
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
      if (!kept.has(slot.value)) addHooked(hooked, provider.where, slot.value);
    }
  } catch (error) {
    throw await container.abandon(error);
  }
  owner.seal();
  return container;
}

function isSingleton({ recipe, scope }: ScannedProvider): boolean {
  return (
    recipe.kind === 'value' ||
    ((recipe.kind === 'class' || recipe.kind === 'factory') && scope === 'singleton')
  );
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
