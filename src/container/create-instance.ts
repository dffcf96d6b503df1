import { thrownMessage } from '../call/thrown-message.ts';
import { ToolError } from '../errors/tool-error.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type {
  ProviderRecipe,
  RegisteredRecipe,
  ScannedProvider,
} from '../scanner/providers/scanned-provider.ts';
import type { Owner } from './owner.ts';

export type CreatingRecipe = Extract<ProviderRecipe, { readonly kind: 'class' | 'factory' }>;

/** Runs the constructor or factory. A promise of a factory is returned as it came. */
export function createInstance(
  provider: ScannedProvider,
  recipe: CreatingRecipe,
  dependencies: readonly unknown[],
): unknown {
  let made: unknown;
  try {
    made =
      recipe.kind === 'class'
        ? new (recipe.type as new (...args: readonly unknown[]) => unknown)(...dependencies)
        : (recipe.create as (...args: readonly unknown[]) => unknown)(...dependencies);
  } catch (cause) {
    throw providerFailed(provider, cause);
  }
  if (recipe.kind === 'class' && made instanceof Promise && !extendsPromise(recipe.type)) {
    made.catch(ignore);
    throw asyncConstructor(provider);
  }
  return made;
}

/** Asks the user's container, which makes it or has it. */
export function readRegistered(provider: ScannedProvider, { registration }: RegisteredRecipe): unknown {
  try {
    return registration.resolve();
  } catch (cause) {
    if (provider.isPerCall && cause instanceof Error && ToolError.is(cause)) throw cause;
    throw new ToolwrightError('TW_CONTAINER_PROVIDER_FAILED', {
      where: provider.where,
      what: `could not be resolved by your tsyringe container: ${thrownMessage(cause)}`,
      why: 'it is registered there, so that container makes it; the cause has the stack',
      fix: 'correct the registration, or replace it with the option `overrides`',
      cause,
    });
  }
}

function extendsPromise(type: { readonly prototype: unknown }): boolean {
  return type.prototype instanceof Promise;
}

function asyncConstructor(provider: ScannedProvider): ToolwrightError {
  return new ToolwrightError('TW_CONTAINER_ASYNC_CONSTRUCTOR', {
    where: provider.where,
    what: `of module ${provider.module} has a constructor that returns a promise.`,
    why: 'other providers would get the promise injected, not the instance',
    fix: 'wait in `async onModuleInit()`, or provide it with `useFactory: async () => …`',
  });
}

function ignore(): undefined {
  return undefined;
}

/**
 * Wraps what a constructor or factory threw.
 * A {@link ToolError} of a provider made for a call is meant for the client and stays what it is.
 */
function providerFailed(provider: ScannedProvider, cause: unknown): Error {
  if (provider.isPerCall && cause instanceof Error && ToolError.is(cause)) return cause;
  const maker = provider.recipe.kind === 'factory' ? 'factory' : 'constructor';
  return new ToolwrightError('TW_CONTAINER_PROVIDER_FAILED', {
    where: provider.where,
    what: `of module ${provider.module} could not be created: ${thrownMessage(cause)}`,
    why: `its ${maker} ${maker === 'factory' ? 'threw or rejected' : 'threw'}; the cause has the stack`,
    fix: `correct the ${maker}, or replace the provider with the option \`overrides\``,
    cause,
  });
}

export function asyncTransient(provider: ScannedProvider): ToolwrightError {
  return new ToolwrightError('TW_CONTAINER_ASYNC_TRANSIENT', {
    where: provider.where,
    what: `of module ${provider.module} is transient, but its factory gives a promise`,
    why: 'a transient is created during injection, which cannot wait',
    fix: "give it the scope 'singleton' or 'request', or make the factory synchronous",
  });
}

/**
 * What the tsyringe registrations give out in place of the bare instance.
 * Its caching factories treat `undefined` and `null` as "not created", and it does not support async factories.
 */
export interface Slot {
  value: unknown;
  /** What an async factory promised, until it is settled. */
  pending?: PromiseLike<unknown> | undefined;
}

/** Waits for the slot of an async factory; dependents are made afterwards and read the value. */
export async function settle(slot: Slot, provider: ScannedProvider, owner: Owner): Promise<void> {
  if (slot.pending === undefined) return;
  try {
    slot.value = await slot.pending;
  } catch (cause) {
    throw providerFailed(provider, cause);
  }
  slot.pending = undefined;
  owner.own(provider.where, slot.value);
}
