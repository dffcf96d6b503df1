import { ToolwrightError } from '../errors/toolwright-error.ts';

/** A request handler as both SDK lines call it. */
export type RequestHandler = (request: unknown, extra: unknown) => Promise<unknown>;

/** The members of a server that attach uses; only `setRequestHandler` is required. */
export interface AttachedServer {
  /** By a schema of the request in SDK v1. In v2 by method name; with a schema the handler gets the params only. */
  setRequestHandler(method: unknown, handlerOrSchemas: unknown, handler?: RequestHandler): unknown;
  readonly registerCapabilities?: (capabilities: Readonly<Record<string, unknown>>) => void;
  readonly getCapabilities?: () => unknown;
  readonly getClientCapabilities?: () => unknown;
  readonly getClientVersion?: () => unknown;
  /** SDK v2 only: the protocol revision negotiated with the client, once known. */
  readonly getNegotiatedProtocolVersion?: () => unknown;
  readonly notification?: (notification: unknown) => unknown;
  readonly sendLoggingMessage?: (params: unknown, sessionId?: string) => unknown;
  /** Present on SDK v2 servers only. */
  readonly projectCallToolResult?: unknown;
  /** Set while the server is connected. */
  readonly transport?: unknown;
}

/** The low-level server behind the argument of attach; duck-typed, because two copies of an SDK differ. */
export function findServer(server: unknown): AttachedServer {
  if (isTarget(server)) return server;
  const inner: unknown = isObject(server) ? server['server'] : undefined;
  if (isTarget(inner)) return inner;
  throw new ToolwrightError('TW_ATTACH_TARGET', {
    where: 'attach()',
    what: `needs an MCP Server or McpServer, but got ${describe(server)}`,
    why: 'neither the value nor its `server` member has a setRequestHandler method',
    fix: 'attach(new McpServer({ name, version })), or a low-level Server of the MCP SDK',
  });
}

function isTarget(value: unknown): value is AttachedServer {
  return isObject(value) && typeof value['setRequestHandler'] === 'function';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  const names = Object.keys(value).slice(0, 5);
  return names.length === 0 ? 'an object without members' : `an object with ${names.join(', ')}`;
}

// Neither `instanceof` nor `constructor.name`: module copies differ, and minifiers rename.
export function isSdkV2(target: AttachedServer): boolean {
  return typeof target.projectCallToolResult === 'function' || target.setRequestHandler.length >= 3;
}
