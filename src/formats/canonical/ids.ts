import { InvalidToolIdError } from '../errors.ts';
import type { CanonicalTool } from './canonical-tool.ts';

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
