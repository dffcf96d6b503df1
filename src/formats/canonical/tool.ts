import type { RawSchema } from '../../schema/subschemas.ts';
import { copyJson, type PlainObject } from '../../shared/json.ts';
import { InvalidToolError, InvalidBackendError } from '../errors.ts';

/**
 * A tool of the Model Context Protocol, with the members that distinguish it from the tools of other servers:
 * a namespace, a version, tags, and the binding that runs it.
 *
 * @example
 * const read: Tool = {
 *   namespace: 'filesystem',
 *   name: 'read',
 *   inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
 * };
 */
export interface Tool {
  /** The name of the tool: letters, digits, `_`, `.` and `-`, at most 128. */
  readonly name: string;
  /** The name that clients show to people. */
  readonly title?: string | undefined;
  /** What the tool does, for models. */
  readonly description?: string | undefined;
  /** The JSON Schema of the arguments. */
  readonly inputSchema: RawSchema;
  /** The JSON Schema of `structuredContent`. */
  readonly outputSchema?: RawSchema | undefined;
  /** Hints about what calls may do. */
  readonly annotations?: PlainObject | undefined;
  /** Icons that clients show beside the name. */
  readonly icons?: readonly PlainObject[] | undefined;
  /** Additional data for clients, passed through as it is. */
  readonly _meta?: PlainObject | undefined;
  /** The first part of the tool's id: `filesystem` in `filesystem:read`. */
  readonly namespace?: string | undefined;
  /** A semantic version, as text. */
  readonly version?: string | undefined;
  /** Words to find the tool by. */
  readonly tags?: readonly string[] | undefined;
  /** What runs the tool. */
  readonly backend?: Backend | undefined;
}

/** A tool as the protocol defines it: a `Tool` without namespace, version, tags and backend. */
export type McpTool = Omit<Tool, 'namespace' | 'version' | 'tags' | 'backend'>;

/**
 * The tool as the protocol knows it: a copy without namespace, version, tags and backend.
 *
 * @example
 * const tool: Tool = { namespace: 'files', name: 'read', inputSchema: { type: 'object' } };
 * const wire = toMcpTool(tool); // { name: 'read', inputSchema: { type: 'object' } }
 */
export function toMcpTool(tool: Tool): McpTool {
  const { namespace: _namespace, version: _version, tags: _tags, backend: _backend, ...wire } = tool;
  return copyJson(wire);
}

/** A copy of a tool of the protocol, which has no namespace, version, tags or backend yet. */
export function fromMcpTool(tool: McpTool): Tool {
  return toMcpTool(tool);
}

/** A deep copy. */
export function cloneTool(tool: Tool): Tool {
  return copyJson(tool);
}

const LONGEST = 128;
const BAD_CHARACTER = /[^A-Za-z0-9_.-]/gu;

/** The input of `validateTool` and `lintTool`: any form of a tool. */
export interface NamedTool {
  /** What should be the name of the tool. */
  readonly name?: unknown;
  /** What should be the JSON Schema of the arguments. */
  readonly inputSchema?: unknown;
}

/**
 * Checks that something can be a tool at all: it has a name of at most 128 letters, digits, `_`, `.` and `-`, and
 * an input schema. What the schema says is not checked.
 * @throws InvalidToolError `NAME_REQUIRED`, `NAME_TOO_LONG`, `NAME_INVALID_CHARS` or `INPUT_SCHEMA_REQUIRED`, the
 * first that applies
 *
 * @example
 * validateTool({ name: 'read', inputSchema: { type: 'object' } });
 */
export function validateTool(tool: NamedTool): void {
  const { name, inputSchema } = { ...(tool as NamedTool | null | undefined) };
  if (typeof name !== 'string' || name === '') throw new InvalidToolError('NAME_REQUIRED', name);
  if (Array.from(name).length > LONGEST) throw new InvalidToolError('NAME_TOO_LONG', name);
  const bad = [...new Set(name.match(BAD_CHARACTER))];
  if (bad.length > 0) throw new InvalidToolError('NAME_INVALID_CHARS', name, bad);
  if (inputSchema === undefined || inputSchema === null)
    throw new InvalidToolError('INPUT_SCHEMA_REQUIRED', name);
}

/** A property of a tool that is allowed but rarely intended. */
export interface LintWarning {
  /** What kind of weakness it is. */
  readonly code: 'NAME_LEADING_SIGN' | 'NAME_TRAILING_SIGN';
  /** An RFC 6901 pointer into the tool. */
  readonly path: string;
  /** The weakness, in a sentence. */
  readonly message: string;
}

/**
 * Reports properties that are allowed but rarely intended: a name that begins or ends with `-` or `.`.
 *
 * @example
 * lintTool({ name: 'read.' }).map(({ code }) => code); // ['NAME_TRAILING_SIGN']
 */
export function lintTool({ name }: NamedTool): readonly LintWarning[] {
  if (typeof name !== 'string') return [];
  const warnings: LintWarning[] = [];
  if (/^[-.]/.test(name)) {
    warnings.push({
      code: 'NAME_LEADING_SIGN',
      path: '/name',
      message: `the name begins with "${name.charAt(0)}"`,
    });
  }
  if (/[-.]$/.test(name)) {
    warnings.push({
      code: 'NAME_TRAILING_SIGN',
      path: '/name',
      message: `the name ends with "${name.slice(-1)}"`,
    });
  }
  return warnings;
}

const LONGEST_TAG = 64;
const MOST = 20;

/**
 * Tags in the form in which they can be compared: lower case, white space as `-`, nothing but `a-z 0-9 - _ .`, at
 * most 64 characters, none twice, at most 20. They stay in the order in which they first appear.
 *
 * @example
 * normalizeTags(['File System', 'file system', 'ok!']); // ['file-system', 'ok']
 */
export function normalizeTags(tags: readonly string[]): readonly string[] {
  const kept = new Set<string>();
  for (const tag of tags) {
    if (kept.size === MOST) break;
    const normalized = normalizeTag(tag);
    if (normalized !== '') kept.add(normalized);
  }
  return [...kept];
}

function normalizeTag(tag: string): string {
  const dashed = tag.toLowerCase().trim().replace(/\s+/g, '-');
  return dashed.replace(/[^a-z0-9_.-]/g, '').slice(0, LONGEST_TAG);
}

/** The tool runs on another MCP server. */
export interface McpBackend {
  /** Marks a tool that an MCP server runs. */
  readonly kind: 'mcp';
  /** The name of that server. */
  readonly serverName: string;
}

/** The tool belongs to a tool provider. */
export interface ProviderBackend {
  /** Marks a tool of a tool provider. */
  readonly kind: 'provider';
  /** The provider. */
  readonly providerId: string;
  /** The tool's id at the provider. */
  readonly toolId: string;
}

/** The tool runs in this process. */
export interface LocalBackend {
  /** Marks a tool that this process runs. */
  readonly kind: 'local';
  /** The name of the function that runs it. */
  readonly name: string;
}

/** What runs a tool. Internal to a server: no adapter emits it, and nothing is lost without it. */
export type Backend = McpBackend | ProviderBackend | LocalBackend;

/** The binding of a tool that runs on another MCP server. */
export function mcpBackend(serverName: string): McpBackend {
  return Object.freeze({ kind: 'mcp', serverName });
}

/** The binding of a tool that belongs to a tool provider. */
export function providerBackend(providerId: string, toolId: string): ProviderBackend {
  return Object.freeze({ kind: 'provider', providerId, toolId });
}

/** The binding of a tool that runs in this process. */
export function localBackend(name: string): LocalBackend {
  return Object.freeze({ kind: 'local', name });
}

/**
 * Checks that a binding names what it binds to. Members of other kinds are ignored.
 * @throws InvalidBackendError `SERVER_NAME_REQUIRED`, `PROVIDER_REQUIRED`, `PROVIDER_ID_REQUIRED`,
 * `TOOL_ID_REQUIRED`, `LOCAL_NAME_REQUIRED` or `UNKNOWN_BACKEND_KIND`
 *
 * @example
 * validateBackend(mcpBackend('files'));
 */
export function validateBackend(backend: Backend): void {
  // It may come from JSON, so its type is not guaranteed
  const members: Partial<Record<string, unknown>> = { ...(backend as Backend | null | undefined) };
  const { kind, serverName, providerId, toolId, name } = members;
  switch (kind) {
    case 'mcp':
      if (!isName(serverName)) throw new InvalidBackendError('SERVER_NAME_REQUIRED');
      return;
    case 'provider':
      if (providerId === undefined && toolId === undefined)
        throw new InvalidBackendError('PROVIDER_REQUIRED');
      if (!isName(providerId)) throw new InvalidBackendError('PROVIDER_ID_REQUIRED');
      if (!isName(toolId)) throw new InvalidBackendError('TOOL_ID_REQUIRED');
      return;
    case 'local':
      if (!isName(name)) throw new InvalidBackendError('LOCAL_NAME_REQUIRED');
      return;
    default:
      throw new InvalidBackendError('UNKNOWN_BACKEND_KIND', kind);
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
