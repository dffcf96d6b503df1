import { ToolwrightError } from '../errors/toolwright-error.ts';
import { messageOf } from './message-of.ts';

export interface Owned {
  readonly where: string;
  readonly instance: object;
}

const METHODS = [Symbol.asyncDispose, Symbol.dispose, 'dispose'] as const;
type Method = (typeof METHODS)[number];

/** Disposes one after the other in the given order, all of them whatever fails. */
export async function disposeAll(owned: readonly Owned[]): Promise<readonly Error[]> {
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
          what: `failed: ${messageOf(cause)}`,
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
