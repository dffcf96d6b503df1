import { copyJson } from './copy-json.ts';
import type { McpTool, Tool } from './tool.ts';

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
