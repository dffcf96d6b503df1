import type { RawSchema } from '../../schema/subschemas.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { Backend } from './tool.ts';
import { InvalidToolIdError } from '../errors.ts';

/** The source of a canonical value, and its members without a canonical field. */
export interface Source {
  /** The name of the adapter that read it. */
  readonly format: string;
  /** Members that only this format knows; converting back to the format restores them. */
  readonly extra: PlainObject;
}

/** Scheme name → the scopes it has to grant. A caller satisfies all schemes of one requirement. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** Scheme name → a security scheme in its OpenAPI form (`type`, `in`, `flows` and so on). */
export type SecuritySchemes = Readonly<Record<string, PlainObject>>;

/**
 * One tool in the form that every adapter reads and writes. The schemas are kept exactly as they were received:
 * what a target cannot hold is lost when that target is written, never here.
 *
 * @example
 * const search: CanonicalTool = {
 *   name: 'search',
 *   inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
 * };
 */
export interface CanonicalTool {
  /** The name of the tool: letters, digits, `_`, `.` and `-`. */
  readonly name: string;
  /** The JSON Schema of the arguments, as it was received. */
  readonly inputSchema: RawSchema;
  /** The first part of the tool's id: `filesystem` in `filesystem:read`. */
  readonly namespace?: string;
  /** A semantic version, as text. */
  readonly version?: string;
  /** The name that clients show to people. */
  readonly title?: string;
  /** What the tool does, for models. */
  readonly description?: string;
  /** A shorter description. */
  readonly summary?: string;
  /** The kind of tool, in a word. */
  readonly category?: string;
  /** Words to find the tool by. */
  readonly tags?: readonly string[];
  /** Media types. */
  readonly inputModes?: readonly string[];
  /** Media types. */
  readonly outputModes?: readonly string[];
  /** Any JSON: arguments for one provider, sentences for another. */
  readonly examples?: readonly unknown[];
  /** Whether the same arguments always give the same result. */
  readonly deterministic?: boolean;
  /** Whether a repeated call changes nothing more. */
  readonly idempotent?: boolean;
  /** Whether the result comes in parts. */
  readonly streaming?: boolean;
  /** Hints about what calls may do, as MCP defines them. */
  readonly annotations?: PlainObject;
  /** Hints for showing the tool to people. */
  readonly uiHints?: PlainObject;
  /** Icons that clients show beside the name. */
  readonly icons?: readonly PlainObject[];
  /** The security schemes that the requirements name. */
  readonly securitySchemes?: SecuritySchemes;
  /** What a caller has to present: one of these requirements. */
  readonly securityRequirements?: readonly SecurityRequirement[];
  /** The scopes that a caller needs. */
  readonly requiredScopes?: readonly string[];
  /** Milliseconds. */
  readonly timeoutMs?: number;
  /** The JSON Schema of the result. */
  readonly outputSchema?: RawSchema;
  /** What runs the tool. */
  readonly backend?: Backend;
  /** The format that the tool was read from, and what only that format knows. */
  readonly source?: Source;
}

/** An agent that offers tools: what an A2A agent card describes. */
export interface CanonicalProvider {
  /** The name of the agent. */
  readonly name: string;
  /** What the agent does, for people and models. */
  readonly description?: string;
  /** The version of the agent, as text. */
  readonly version?: string;
  /** What the agent can do, in the members that A2A defines. */
  readonly capabilities?: PlainObject;
  /** The security schemes that the requirements name. */
  readonly securitySchemes?: SecuritySchemes;
  /** What a caller has to present: one of these requirements. */
  readonly securityRequirements?: readonly SecurityRequirement[];
  /** Media types. */
  readonly defaultInputModes?: readonly string[];
  /** Media types. */
  readonly defaultOutputModes?: readonly string[];
  /** The tools of the agent. */
  readonly skills?: readonly CanonicalTool[];
  /** The format that the agent was read from, and what only that format knows. */
  readonly source?: Source;
}

/** The id of a tool: `name`, `namespace:name` or `namespace:name:version`. */
export function toolId({
  namespace,
  name,
  version,
}: Pick<CanonicalTool, 'namespace' | 'name' | 'version'>): string {
  if (namespace === undefined || namespace === '') return name;
  return version === undefined || version === '' ? `${namespace}:${name}` : `${namespace}:${name}:${version}`;
}

/** The parts of a tool id. */
export interface ToolIdParts {
  /** The part before the name; left out where the id has none. */
  readonly namespace?: string;
  /** The name of the tool. */
  readonly name: string;
  /** The part after the name; left out where the id has none. */
  readonly version?: string;
}

/**
 * The parts of `name`, `namespace:name` or `namespace:name:version`. Which characters a part has is not checked.
 * @throws InvalidToolIdError `INVALID_TOOL_ID` for more than three parts, or an empty one
 *
 * @example
 * parseToolId('filesystem:read'); // { namespace: 'filesystem', name: 'read' }
 */
export function parseToolId(id: string): ToolIdParts {
  if (typeof (id as unknown) !== 'string') throw new InvalidToolIdError(id);
  const parts = id.split(':');
  if (parts.length > 3 || parts.includes('')) throw new InvalidToolIdError(id);
  const [first = '', name, version] = parts;
  if (name === undefined) return { name: first };
  return { namespace: first, name, ...(version !== undefined && { version }) };
}
