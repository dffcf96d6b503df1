import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { registerMethod, type Failure } from './register-method.ts';
import type { RequestHandler, ServerTarget } from './server-target.ts';
import { PART_CAPABILITIES, type SurfacePart } from '../surface-part.ts';

/** The handlers of the parts that are attached. */
export type PartHandlers = ReadonlyMap<SurfacePart, Readonly<Record<string, RequestHandler>>>;

/**
 * Declares the capabilities of the parts and registers their handlers.
 * @returns the parts of which the server declares that it tells clients about changes of the list
 */
export function registerHandlers(target: ServerTarget, handlers: PartHandlers): ReadonlySet<SurfacePart> {
  const parts = [...handlers.keys()];
  const refusal = declare(target, parts);
  const declared = target.getCapabilities?.() as Capabilities | undefined;
  for (const part of parts) {
    // Before anything is registered: half of a service would be worse than none.
    if (refusal !== undefined && declared !== undefined && declared[part] === undefined) {
      throw withoutCapability(part, refusal.cause);
    }
  }
  for (const [part, methods] of handlers) {
    for (const [method, handler] of Object.entries(methods)) {
      const failure = registerMethod(target, method, handler);
      if (failure === undefined) continue;
      throw refusal === undefined ? refused(method, failure.cause) : withoutCapability(part, failure.cause);
    }
  }
  const isAnnounced = (part: SurfacePart): boolean =>
    PART_CAPABILITIES[part]['listChanged'] === true &&
    (refusal === undefined || declared?.[part]?.listChanged === true);
  return new Set(parts.filter(isAnnounced));
}

type Capabilities = Partial<Record<SurfacePart, { readonly listChanged?: unknown }>>;

/** Gives why the server refused; both SDK lines refuse new capabilities once they are connected. */
function declare(target: ServerTarget, parts: readonly SurfacePart[]): Failure | undefined {
  try {
    target.registerCapabilities?.(Object.fromEntries(parts.map((part) => [part, PART_CAPABILITIES[part]])));
    return undefined;
  } catch (cause) {
    return { cause };
  }
}

function withoutCapability(part: SurfacePart, cause: unknown): ToolwrightError {
  const flags = Object.keys(PART_CAPABILITIES[part]).map((flag) => `${flag}: true`);
  const capability = `${part}: ${flags.length === 0 ? '{}' : `{ ${flags.join(', ')} }`}`;
  return new ToolwrightError('TW_ATTACH_CAPABILITY', {
    where: 'attach()',
    what: `cannot serve ${part}, because the server was connected without the ${part} capability`,
    why: 'a server tells its capabilities when it connects and refuses new ones afterwards',
    fix: `attach before connect(), or make the server with { capabilities: { ${capability} } }`,
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
