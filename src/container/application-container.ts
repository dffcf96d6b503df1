import type { DependencyContainer } from 'tsyringe';
import type { ToolContext } from '../call/tool-context.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { ProviderKey } from '../scanner/providers/scanned-provider.ts';
import { didYouMeanToken } from '../shared/did-you-mean.ts';
import { tokenName, type Token } from '../shared/class-type.ts';
import { ContainerScope, planScope, type ScopePlan } from './call-scope.ts';
import type { Slot } from './create-instance.ts';
import type { CallScope, InstanceResolver } from './instance-resolver.ts';
import { runShutdownHooks, runStartHooks, type Hooked } from './lifecycle.ts';
import { joinCause, throwAll, Owner } from './owner.ts';
import { lifetimeOf, providerOf, type ProviderMap } from './provider-map.ts';

export interface ContainerParts {
  readonly providers: ProviderMap;
  readonly tokens: ReadonlyMap<Token, ProviderKey>;
  readonly root: DependencyContainer;
  readonly perCall: DependencyContainer;
  readonly owner: Owner;
  /** True for the objects of value providers and everything the application owns: no call disposes them. */
  readonly outlivesCalls: (instance: unknown) => boolean;
  /** The singletons in order of creation, each instance once. */
  readonly hooked: ReadonlyMap<unknown, Hooked>;
}

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

  isTransient(key: ProviderKey): boolean {
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
    if (key === undefined) throw unknownToken(token, this.#parts.tokens.keys());
    return this.get(key);
  }

  async open(keys: readonly ProviderKey[], context: ToolContext): Promise<CallScope> {
    const { perCall, outlivesCalls } = this.#parts;
    const owner = new Owner(context, outlivesCalls);
    const scope = new ContainerScope(perCall, owner, this.#plan(keys), (key) => this.get(key));
    await scope.fill();
    return scope;
  }

  /** Runs the start hooks. If one fails, everything is shut down. */
  async start(): Promise<void> {
    try {
      await runStartHooks([...this.#parts.hooked.values()]);
    } catch (error) {
      throw await this.abandon(error);
    }
  }

  /** Runs the shutdown hooks, then disposes what was created, dependents first. Idempotent. */
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
