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
  readonly name: string;
  readonly inputSchema: RawSchema;
  readonly namespace?: string;
  /** A semantic version, as text. */
  readonly version?: string;
  readonly title?: string;
  readonly description?: string;
  readonly summary?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  /** Media types. */
  readonly inputModes?: readonly string[];
  /** Media types. */
  readonly outputModes?: readonly string[];
  /** Any JSON: arguments for one provider, sentences for another. */
  readonly examples?: readonly unknown[];
  readonly deterministic?: boolean;
  readonly idempotent?: boolean;
  readonly streaming?: boolean;
  readonly annotations?: PlainObject;
  readonly uiHints?: PlainObject;
  readonly icons?: readonly PlainObject[];
  readonly securitySchemes?: SecuritySchemes;
  readonly securityRequirements?: readonly SecurityRequirement[];
  readonly requiredScopes?: readonly string[];
  /** Milliseconds. */
  readonly timeoutMs?: number;
  readonly outputSchema?: RawSchema;
  readonly backend?: Backend;
  readonly source?: Source;
}

/** An agent that offers tools: what an A2A agent card describes. */
export interface CanonicalProvider {
  readonly name: string;
  readonly description?: string;
  /** The version of the agent, as text. */
  readonly version?: string;
  readonly capabilities?: PlainObject;
  readonly securitySchemes?: SecuritySchemes;
  readonly securityRequirements?: readonly SecurityRequirement[];
  /** Media types. */
  readonly defaultInputModes?: readonly string[];
  /** Media types. */
  readonly defaultOutputModes?: readonly string[];
  readonly skills?: readonly CanonicalTool[];
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
  readonly namespace?: string;
  readonly name: string;
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
