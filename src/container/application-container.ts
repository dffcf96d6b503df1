import type { DependencyContainer } from 'tsyringe';
import { Logger } from '../call/logger.ts';
import type { ToolContext } from '../call/tool-context.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { ProviderKey, ScannedProvider } from '../scanner/providers/scanned-provider.ts';
import { didYouMeanToken } from '../shared/did-you-mean.ts';
import { tokenName, type Token } from '../shared/class-type.ts';
import { type Slot, settle } from './create-instance.ts';
import { sameProviders, lifetimeOf, providerOf, type ProviderMap } from './provider-map.ts';
import type { CallScope, InstanceResolver } from './instance-resolver.ts';
import { runShutdownHooks, runStartHooks, type Hooked } from './lifecycle.ts';
import type { TsyringeContainer } from './user-container.ts';
import { joinCause, OWNER, throwAll, Owner } from './owner.ts';

interface ContainerParts {
  readonly providers: ProviderMap;
  readonly tokens: ReadonlyMap<Token, ProviderKey>;
  readonly root: DependencyContainer;
  readonly perCall: DependencyContainer;
  readonly user: TsyringeContainer;
  readonly owner: Owner;
  /** True for the objects of value providers and everything the application owns: no call disposes them. */
  readonly outlivesCalls: (instance: unknown) => boolean;
  /** The singletons in order of creation, each instance once. */
  readonly hooked: Map<unknown, Hooked>;
  /** The instances of another application, of which it takes care until this one takes its place. */
  readonly kept: ReadonlySet<unknown>;
  /** Whether a singleton is created when it is first asked for. */
  readonly isLazy: boolean;
}

/** What an application holds itself, in the place of another provider or of the user's container. */
const OWN: readonly ScannedProvider['recipe']['kind'][] = ['class', 'factory', 'value'];

/** The instances of one application: its singletons, and a scope for each call that needs one. */
export class ApplicationContainer implements InstanceResolver {
  readonly #parts: ContainerParts;
  readonly #plans = new WeakMap<readonly ProviderKey[], ScopePlan>();
  #teardown: Promise<readonly unknown[]> | undefined;

  constructor(parts: ContainerParts) {
    this.#parts = parts;
  }

  isPerCall(key: ProviderKey): boolean {
    return providerOf(key, this.#parts.providers).isPerCall;
  }

  isAskedPerCall(key: ProviderKey): boolean {
    if (this.#parts.isLazy) return true;
    return lifetimeOf(providerOf(key, this.#parts.providers), this.#parts.providers) === 'transient';
  }

  get(key: ProviderKey): unknown {
    const provider = providerOf(key, this.#parts.providers);
    if (provider.isPerCall) throw perCall(provider.where);
    return this.#parts.root.resolve<Slot>(key).value;
  }

  /** The provider that a token names from outside of any module. */
  find(token: Token): ProviderKey | undefined {
    return this.#parts.tokens.get(token);
  }

  /** The instance that a token names from outside of any module. */
  lookUp(token: Token): unknown {
    const key = this.find(token);
    if (key !== undefined) return this.get(key);
    const registration = this.#parts.user.registrations(token).at(-1);
    if (registration !== undefined) return registration.resolve();
    throw unknownToken(token, this.#parts.tokens.keys());
  }

  async open(keys: readonly ProviderKey[], context: ToolContext): Promise<CallScope> {
    const { perCall, outlivesCalls } = this.#parts;
    const owner = new Owner(context, outlivesCalls);
    const scope = new ContainerScope(perCall, owner, this.#plan(keys), (key) => this.get(key));
    await scope.fill();
    return scope;
  }

  /** The singletons that live on in an application with these providers. */
  slotsFor(providers: readonly ScannedProvider[]): ReadonlyMap<ProviderKey, Slot> {
    const slots = new Map<ProviderKey, Slot>();
    for (const [key, former] of sameProviders([...this.#parts.providers.values()], providers)) {
      const provider = providerOf(former, this.#parts.providers);
      const isKept = OWN.includes(provider.recipe.kind) && provider.token !== Logger;
      if (isKept && !provider.isPerCall && lifetimeOf(provider, this.#parts.providers) === 'singleton') {
        slots.set(key, { value: this.get(former) });
      }
    }
    return slots;
  }

  /** From now on, this application shuts down what lives on in it, and the one before does not. */
  adopt(predecessor: ApplicationContainer): void {
    const { kept, hooked, owner } = this.#parts;
    const before = predecessor.#parts;
    owner.adopt(before.owner.release(kept));
    const own = [...hooked];
    hooked.clear();
    // They were created first, and need nothing that is new.
    for (const [instance, each] of before.hooked) {
      if (kept.has(instance) && before.hooked.delete(instance)) hooked.set(instance, each);
    }
    for (const [instance, each] of own) hooked.set(instance, each);
  }

  /** Runs the start hooks. If one fails, everything is shut down. */
  async start(): Promise<void> {
    try {
      await runStartHooks([...this.#parts.hooked.values()]);
    } catch (error) {
      throw await this.abandon(error);
    }
  }

  /** Runs the shutdown hooks, then disposes what was created, dependents first; once. */
  async shutdown(signal?: string): Promise<void> {
    throwAll(await this.#tearDownOnce(signal), 'The application could not be shut down cleanly');
  }

  /** Shuts down because the start failed; resolves to the error to throw. */
  async abandon(error: unknown): Promise<unknown> {
    return joinCause(error, await this.#tearDownOnce(undefined));
  }

  #tearDownOnce(signal: string | undefined): Promise<readonly unknown[]> {
    this.#teardown ??= this.#tearDown(signal);
    return this.#teardown;
  }

  async #tearDown(signal: string | undefined): Promise<readonly unknown[]> {
    const { hooked, owner } = this.#parts;
    const errors = await runShutdownHooks([...hooked.values()].reverse(), signal);
    return [...errors, ...(await owner.dispose())];
  }

  #plan(keys: readonly ProviderKey[]): ScopePlan {
    const known = this.#plans.get(keys);
    if (known !== undefined) return known;
    const plan = planScope(keys, this.#parts.providers);
    this.#plans.set(keys, plan);
    return plan;
  }
}

function perCall(where: string): ToolwrightError {
  return new ToolwrightError('TW_CONTAINER_PER_CALL', {
    where,
    what: 'was asked for outside of a call',
    why: 'it is request-scoped or reaches something that is, so there is one per call and none for the application',
    fix: 'take it as a parameter of the action (@Inject), or make it a singleton',
  });
}

function unknownToken(token: Token, known: Iterable<Token>): ToolwrightError {
  const suggestion = didYouMeanToken(tokenName(token), known);
  return new ToolwrightError('TW_CONTAINER_UNKNOWN_PROVIDER', {
    where: tokenName(token),
    what: 'is provided by no module of the application',
    fix: `add it to the \`providers\` of a module${suggestion === undefined ? '' : `; ${suggestion}`}`,
  });
}

/** A child container for one call, and what was created in it. */
class ContainerScope implements CallScope {
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
    fix: 'do not keep the scope of a call; open one for each call, with all keys that it needs',
  });
}

/** What a call scope creates for a set of keys. */
interface ScopePlan {
  /** Request-scoped providers, dependencies first. */
  readonly create: readonly ScannedProvider[];
  /** The providers that the scope creates: all that the keys reach except singletons, and call-free transients. */
  readonly reached: ReadonlySet<ProviderKey>;
}

function planScope(keys: readonly ProviderKey[], providers: ProviderMap): ScopePlan {
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
