import type { RequestHandler, ServerTarget } from './server-target.ts';

export interface Failure {
  readonly cause: unknown;
}

/**
 * Registers a method, of the protocol or of an extension, in the form that the server's SDK line takes.
 * @returns why the server refused it
 */
export function registerMethod(
  target: ServerTarget,
  method: string,
  handler: RequestHandler,
): Failure | undefined {
  const byParams = (): unknown =>
    target.setRequestHandler(method, { params: ANY_PARAMS }, (params, context) =>
      handler({ method, params }, context),
    );
  const bySchema = (): unknown => target.setRequestHandler(methodSchema(method), handler);
  const byName = (): unknown => target.setRequestHandler(method, handler);
  const failures: unknown[] = [];
  for (const register of isVersion2(target) ? [byParams, byName] : [bySchema, byName]) {
    try {
      register();
      return undefined;
    } catch (failure) {
      failures.push(failure);
    }
  }
  return { cause: failures[0] };
}

// Neither `instanceof` nor `constructor.name`: module copies differ, and minifiers rename.
export function isVersion2(target: ServerTarget): boolean {
  return typeof target.projectCallToolResult === 'function' || target.setRequestHandler.length >= 3;
}

/**
 * SDK v2 checks params by a Standard Schema (standardschema.dev). Without one it checks those of its own methods,
 * and answers a wrong one with a dump of its schema library and the code of an internal error.
 */
const ANY_PARAMS = {
  '~standard': { version: 1, vendor: 'toolwright', validate: (value: unknown) => ({ value }) },
};

/** The least that SDK v1 accepts in place of a zod schema: it reads the method's literal and calls the parser. */
function methodSchema(method: string): unknown {
  return {
    shape: { method: { _def: { value: method }, value: method } },
    parse: (data: unknown) => data,
    safeParse: (data: unknown) => ({ success: true, data }),
  };
}
