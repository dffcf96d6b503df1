import type { Logger } from '../call/logger.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { PART_CAPABILITIES, type PartName } from '../runtime/routes/service-parts.ts';
import {
  offersTasks,
  TASK_CAPABILITIES,
  TASK_METHODS,
  taskPortOf,
  type TaskConnection,
  type TaskPort,
} from '../runtime/tasks/task-port.ts';
import type { PlainObject } from '../shared/json.ts';
import { answerRequests, type AttachScope } from './answer-request.ts';
import { isSdkV2, type RequestHandler, type AttachedServer } from './server-target.ts';
import { registerWithSdkV1 } from './sdk-v1.ts';
import { registerWithSdkV2 } from './sdk-v2.ts';

interface Failure {
  readonly cause: unknown;
}

/** The handlers of the parts that are attached. */
type PartHandlers = ReadonlyMap<PartName, Readonly<Record<string, RequestHandler>>>;

/**
 * Declares the capabilities of the parts and registers their handlers.
 * @returns the parts for which the server declares `listChanged`
 */
export function registerHandlers(target: AttachedServer, handlers: PartHandlers): ReadonlySet<PartName> {
  const parts = [...handlers.keys()];
  const refusal = declare(target, Object.fromEntries(parts.map((part) => [part, PART_CAPABILITIES[part]])));
  const declared = declaredBy(target) as Capabilities | undefined;
  for (const part of parts) {
    // Before any registration: half of a service would be worse than none.
    if (refusal !== undefined && declared !== undefined && declared[part] === undefined) {
      throw withoutCapability(part, refusal.cause);
    }
  }
  for (const [part, methods] of handlers) {
    const failure = registerAll(target, methods);
    if (failure === undefined) continue;
    const { method, cause } = failure;
    throw refusal === undefined ? refused(method, cause) : withoutCapability(part, cause);
  }
  const isAnnounced = (part: PartName): boolean =>
    PART_CAPABILITIES[part]['listChanged'] === true &&
    (refusal === undefined || declared?.[part]?.listChanged === true);
  return new Set(parts.filter(isAnnounced));
}

type Capabilities = Partial<Record<PartName, { readonly listChanged?: unknown }>>;

/**
 * Declares and serves tasks, if a tool has any. A server that was connected without the capability serves the
 * tools all the same, but no call of them becomes a task.
 */
export function registerTasks(scope: AttachScope, logger: Logger): TaskPort | undefined {
  const { target, service } = scope;
  if (!offersTasks(service)) return undefined;
  const protocol = isSdkV2(target) ? '2026' : '2025';
  const capabilities = TASK_CAPABILITIES[protocol];
  const refusal = declare(target, capabilities);
  const isDeclared =
    refusal === undefined || Object.keys(capabilities).some((name) => name in (declaredBy(target) ?? {}));
  const failure = isDeclared ? registerAll(target, answerRequests(scope, TASK_METHODS[protocol])) : refusal;
  if (failure === undefined) return taskPortOf(protocol, findTaskConnection(target));
  const message = 'The server was connected without the tasks capability, so no call becomes a task.';
  logger.log({ level: 'warning', event: 'attach.without-tasks', message, cause: failure.cause });
  return undefined;
}

/** By transport, so that a client keeps its tasks across a detach and a new attach. */
const ids = new WeakMap<object, string>();

/** The client of an attached server, after initialize; it stays the same as long as the transport does. */
function findTaskConnection(target: AttachedServer): TaskConnection {
  return {
    get id() {
      const { transport } = target;
      const isForOneRequest = target.getClientCapabilities?.() === undefined;
      if (isForOneRequest || typeof transport !== 'object' || transport === null) return undefined;
      const id = ids.get(transport) ?? crypto.randomUUID();
      ids.set(transport, id);
      return id;
    },
    notify: (method, params) => target.notification?.({ method, params }),
    log: (params, sessionId) => target.sendLoggingMessage?.(params, sessionId),
  };
}

/** Returns why the server refused; both SDK lines refuse new capabilities once connected. */
function declare(target: AttachedServer, capabilities: PlainObject): Failure | undefined {
  try {
    target.registerCapabilities?.({ ...capabilities });
    return undefined;
  } catch (cause) {
    return { cause };
  }
}

function declaredBy(target: AttachedServer): PlainObject | undefined {
  return target.getCapabilities?.() as PlainObject | undefined;
}

/** Returns the first method that the server refused. */
function registerAll(
  target: AttachedServer,
  handlers: Readonly<Record<string, RequestHandler>>,
): (Failure & { readonly method: string }) | undefined {
  for (const [method, handler] of Object.entries(handlers)) {
    const failure = registerMethod(target, method, handler);
    if (failure !== undefined) return { method, ...failure };
  }
  return undefined;
}

/**
 * Registers a method, of the protocol or of an extension, in the form that the server's SDK line takes.
 * @returns why the server refused it
 */
export function registerMethod(
  target: AttachedServer,
  method: string,
  handler: RequestHandler,
): Failure | undefined {
  try {
    (isSdkV2(target) ? registerWithSdkV2 : registerWithSdkV1)(target, method, handler);
    return undefined;
  } catch (cause) {
    return registerByName(target, method, handler) ? undefined : { cause };
  }
}

function registerByName(target: AttachedServer, method: string, handler: RequestHandler): boolean {
  try {
    target.setRequestHandler(method, handler);
    return true;
  } catch {
    // The refusal of its own line's form is more informative
    return false;
  }
}

function withoutCapability(part: PartName, cause: unknown): ToolwrightError {
  const flags = Object.keys(PART_CAPABILITIES[part]).map((flag) => `${flag}: true`);
  const capability = `${part}: ${flags.length === 0 ? '{}' : `{ ${flags.join(', ')} }`}`;
  return new ToolwrightError('TW_ATTACH_CAPABILITY', {
    where: 'attach()',
    what: `cannot serve ${part}, because the server was connected without the ${part} capability`,
    why: 'a server declares its capabilities when it connects and refuses new ones afterwards',
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
