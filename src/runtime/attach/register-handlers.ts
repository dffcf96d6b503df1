import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { RequestHandler, ServerTarget } from './server-target.ts';

export type ToolHandlers = Readonly<Record<'tools/list' | 'tools/call', RequestHandler>>;

/**
 * Declares the tools capability and registers the handlers.
 * @returns whether the server declares that it tells clients about changes of the list
 */
export function registerToolHandlers(target: ServerTarget, handlers: ToolHandlers): boolean {
  const refusal = declareTools(target);
  for (const [method, handler] of Object.entries(handlers)) register(target, method, handler, refusal);
  return refusal === undefined || declaresListChanged(target);
}

/** Gives why the server refused; both SDK lines refuse new capabilities once they are connected. */
function declareTools(target: ServerTarget): { readonly cause: unknown } | undefined {
  try {
    target.registerCapabilities?.({ tools: { listChanged: true } });
    return undefined;
  } catch (cause) {
    return { cause };
  }
}

function declaresListChanged(target: ServerTarget): boolean {
  const capabilities = target.getCapabilities?.() as
    { readonly tools?: { readonly listChanged?: unknown } } | undefined;
  return capabilities?.tools?.listChanged === true;
}

function register(
  target: ServerTarget,
  method: string,
  handler: RequestHandler,
  refusal: { readonly cause: unknown } | undefined,
): void {
  const forms = isVersion2(target) ? [method, methodSchema(method)] : [methodSchema(method), method];
  const failures: unknown[] = [];
  for (const form of forms) {
    try {
      target.setRequestHandler(form, handler);
      return;
    } catch (failure) {
      failures.push(failure);
    }
  }
  throw refusal === undefined ? refused(method, failures[0]) : withoutCapability(method, failures[0]);
}

// Neither `instanceof` nor `constructor.name`: module copies differ, and minifiers rename.
function isVersion2(target: ServerTarget): boolean {
  return typeof target.projectCallToolResult === 'function' || target.setRequestHandler.length >= 3;
}

/** The least that SDK v1 accepts in place of a zod schema: it reads the method's literal and calls the parser. */
function methodSchema(method: string): unknown {
  return {
    shape: { method: { _def: { value: method }, value: method } },
    parse: (data: unknown) => data,
    safeParse: (data: unknown) => ({ success: true, data }),
  };
}

function withoutCapability(method: string, cause: unknown): ToolwrightError {
  return new ToolwrightError('TW_ATTACH_CAPABILITY', {
    where: 'attach()',
    what: `cannot serve ${method}, because the server was connected without the tools capability`,
    why: 'a server tells its capabilities when it connects and refuses new ones afterwards',
    fix: 'attach before connect(), or make the server with { capabilities: { tools: { listChanged: true } } }',
    cause,
  });
}

function refused(method: string, cause: unknown): ToolwrightError {
  return new ToolwrightError('TW_ATTACH_REFUSED', {
    where: 'attach()',
    what: `could not register ${method}: ${cause instanceof Error ? cause.message : String(cause)}`,
    why: 'the server refused both ways of registering, by request schema and by method name',
    fix: 'attach to a Server or McpServer of @modelcontextprotocol/sdk or @modelcontextprotocol/server',
    cause,
  });
}
