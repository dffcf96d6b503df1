import { thrownMessage } from '../call/thrown-message.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';

/** Runs once all singletons exist, dependencies first. */
export interface OnModuleInit {
  /** Runs once all singletons exist, dependencies first. A promise is awaited. */
  onModuleInit(): unknown;
}

/** Runs after the last `onModuleInit`, dependencies first, before the first call is served. */
export interface OnApplicationBootstrap {
  /** Runs after the last `onModuleInit`, before the first call is served. A promise is awaited. */
  onApplicationBootstrap(): unknown;
}

/**
 * Runs at shutdown, dependents first.
 * Also after a start that failed, and then `onModuleInit` may not have finished.
 */
export interface OnModuleDestroy {
  /** Runs at shutdown, dependents first. A promise is awaited. */
  onModuleDestroy(): unknown;
}

/** Runs after the last `onModuleDestroy`, dependents first, with the name of the signal if one came. */
export interface OnApplicationShutdown {
  /**
   * Runs after the last `onModuleDestroy`; `signal` names the signal that ended the process, if one did. A
   * promise is awaited.
   */
  onApplicationShutdown(signal?: string): unknown;
}

type HookName =
  | keyof OnModuleInit
  | keyof OnApplicationBootstrap
  | keyof OnModuleDestroy
  | keyof OnApplicationShutdown;

/** A singleton that may have hooks. */
export interface Hooked {
  readonly where: string;
  readonly instance: object;
}

/** Runs the start hooks, each awaited; the first failure ends the start. */
export async function runStartHooks(dependenciesFirst: readonly Hooked[]): Promise<void> {
  for (const name of ['onModuleInit', 'onApplicationBootstrap'] as const) {
    for (const hooked of dependenciesFirst) await runHook(hooked, name);
  }
}

/** Runs all shutdown hooks, each awaited, whatever fails; resolves to the errors. */
export async function runShutdownHooks(
  dependentsFirst: readonly Hooked[],
  signal: string | undefined,
): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  for (const name of ['onModuleDestroy', 'onApplicationShutdown'] as const) {
    for (const hooked of dependentsFirst) {
      await runHook(hooked, name, signal).catch((error: unknown) => errors.push(error));
    }
  }
  return errors;
}

async function runHook({ where, instance }: Hooked, name: HookName, signal?: string): Promise<void> {
  try {
    const hooks = instance as Partial<Record<HookName, unknown>>;
    if (typeof hooks[name] !== 'function') return;
    await (instance as OnApplicationShutdown)[name as 'onApplicationShutdown'](
      ...(name === 'onApplicationShutdown' ? [signal] : []),
    );
  } catch (cause) {
    throw new ToolwrightError('TW_CONTAINER_HOOK_FAILED', {
      where: `${where}.${name}()`,
      what: `failed: ${thrownMessage(cause)}`,
      fix: 'correct the hook; the cause has the stack',
      cause,
    });
  }
}
