import type { InjectionToken } from 'tsyringe';
import { thrownMessage } from '../call/thrown-message.ts';
import type { ToolContext } from '../call/tool-context.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { markInjected } from '../shared/injected.ts';

/** The {@link Owner} of a tsyringe container, registered in it under this token. */
export const OWNER: InjectionToken<Owner> = Symbol('owner');

/** Who disposes what a container creates: the application, or one call. */
export class Owner {
  readonly context: ToolContext | undefined;
  readonly #foreign: (instance: unknown) => boolean;
  readonly #owned = new Map<unknown, Owned>();
  #isSealed = false;

  /** `foreign` says which instances belong to another owner: a factory may return a dependency. */
  constructor(context: ToolContext | undefined, foreign: (instance: unknown) => boolean) {
    this.context = context;
    this.#foreign = foreign;
  }

  own(where: string, instance: unknown): void {
    markInjected(instance);
    if (this.#isSealed || !isReference(instance) || this.#owned.has(instance)) return;
    if (instance === this.context || this.#foreign(instance)) return;
    this.#owned.set(instance, { where, instance });
  }

  owns(instance: unknown): boolean {
    return this.#owned.has(instance);
  }

  /** Lets another owner dispose of these instances. */
  release(instances: ReadonlySet<unknown>): readonly Owned[] {
    const released = [...this.#owned.values()].filter(({ instance }) => instances.has(instance));
    for (const { instance } of released) this.#owned.delete(instance);
    return released;
  }

  /** Takes instances over, as created before all others. */
  adopt(released: readonly Owned[]): void {
    const own = [...this.#owned];
    this.#owned.clear();
    for (const owned of released) this.#owned.set(owned.instance, owned);
    for (const [instance, owned] of own) this.#owned.set(instance, owned);
  }

  /** From now on callers dispose the transients they request; tracking them all would grow without end. */
  seal(): void {
    this.#isSealed = true;
  }

  /** Disposes latest first, each once; resolves to the errors. */
  async dispose(): Promise<readonly Error[]> {
    const latestFirst = [...this.#owned.values()].reverse();
    this.#owned.clear();
    this.seal();
    return disposeAll(latestFirst);
  }
}

function isReference(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

interface Owned {
  readonly where: string;
  readonly instance: object;
}

const METHODS = [Symbol.asyncDispose, Symbol.dispose, 'dispose'] as const;
type Method = (typeof METHODS)[number];

/** Disposes one after the other in the given order, all of them whatever fails. */
async function disposeAll(owned: readonly Owned[]): Promise<readonly Error[]> {
  const errors: Error[] = [];
  for (const { where, instance } of owned) {
    const method = METHODS.find((name) => typeof memberOf(instance, name) === 'function');
    if (method === undefined) continue;
    try {
      await (instance as Record<Method, () => unknown>)[method]();
    } catch (cause) {
      errors.push(
        new ToolwrightError('TW_CONTAINER_DISPOSE_FAILED', {
          where: `${where}.${nameOf(method)}()`,
          what: `failed: ${thrownMessage(cause)}`,
          fix: 'catch what can go wrong while releasing resources; the other instances were disposed',
          cause,
        }),
      );
    }
  }
  return errors;
}

function memberOf(instance: object, name: Method): unknown {
  return (instance as Record<Method, unknown>)[name];
}

// The symbols' own descriptions differ between versions of Node.
function nameOf(method: Method): string {
  if (method === 'dispose') return method;
  return method === Symbol.asyncDispose ? '[Symbol.asyncDispose]' : '[Symbol.dispose]';
}

/** Throws an AggregateError whose message names every error; does nothing when there is none. */
export function throwAll(errors: readonly unknown[], message: string): void {
  if (errors.length === 0) return;
  throw new AggregateError(errors, `${message}:\n${errors.map(thrownMessage).join('\n')}`);
}

/** Keeps what failed while cleaning up after an error: it joins the cause, the error stays what it is. */
export function joinCause(error: unknown, further: readonly unknown[]): unknown {
  if (error instanceof Error && further.length > 0) {
    const errors = error.cause === undefined ? further : [error.cause, ...further];
    // The first message stays, because the client has received it
    error.cause = new AggregateError(errors, thrownMessage(errors[0]));
  }
  return error;
}
