import type { DependencyContainer } from 'tsyringe';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { ProviderKey } from '../scanner/scanned-provider.ts';
import { joinCause, throwAll } from './collected-errors.ts';
import type { CallScope } from './instance-resolver.ts';
import type { Owner } from './owner.ts';
import { OWNER } from './register-providers.ts';
import type { ScopePlan } from './scope-plan.ts';
import { settle, type Slot } from './slot.ts';

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
