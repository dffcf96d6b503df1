import type { DependencyContainer } from 'tsyringe';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { ProviderKey, ScannedProvider } from '../scanner/providers/scanned-provider.ts';
import { settle, type Slot } from './create-instance.ts';
import type { CallScope } from './instance-resolver.ts';
import { joinCause, throwAll, type Owner } from './owner.ts';
import { lifetimeOf, providerOf, type ProviderMap } from './provider-map.ts';
import { OWNER } from './register-providers.ts';

/** A child container for one call, and what was created in it. */
export class ContainerScope implements CallScope {
  readonly #container: DependencyContainer;
  readonly #owner: Owner;
  readonly #plan: ScopePlan;
  readonly #outside: (key: ProviderKey) => unknown;
  #closing: Promise<void> | undefined;

  /** `outside` gives the instances that are not per call. */
  constructor(
    perCall: DependencyContainer,
    owner: Owner,
    plan: ScopePlan,
    outside: (key: ProviderKey) => unknown,
  ) {
    this.#container = perCall.createChildContainer();
    this.#container.register(OWNER, { useValue: owner });
    this.#owner = owner;
    this.#plan = plan;
    this.#outside = outside;
  }

  /** Creates what the plan names; if that fails, what was created is disposed. */
  async fill(): Promise<void> {
    try {
      for (const provider of this.#plan.create) {
        const slot = this.#container.resolve<Slot>(provider.key);
        if (slot.pending !== undefined) await settle(slot, provider, this.#owner);
      }
    } catch (error) {
      throw joinCause(error, await this.#owner.dispose());
    }
  }

  get(key: ProviderKey): unknown {
    if (this.#closing !== undefined) throw outOfScope(key, 'was asked for after the end of the call');
    if (this.#plan.reached.has(key)) return this.#container.resolve<Slot>(key).value;
    return this.#outside(key);
  }

  close(): Promise<void> {
    this.#closing ??= this.#dispose();
    return this.#closing;
  }

  async #dispose(): Promise<void> {
    throwAll(await this.#owner.dispose(), 'Instances of a call could not be disposed');
  }
}

function outOfScope(key: ProviderKey, what: string): ToolwrightError {
  return new ToolwrightError('TW_CONTAINER_OUT_OF_SCOPE', {
    where: key.description ?? key.toString(),
    what,
    fix: 'keep no reference to the scope of a call; open one per call with all keys it needs',
  });
}

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
