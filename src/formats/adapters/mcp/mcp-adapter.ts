import { mcp } from '../../targets/mcp.ts';
import { createAdapter } from '../create-adapter.ts';
import type { FormatAdapter } from '../format-adapter.ts';
import { readMcp } from './read-mcp.ts';
import { writeMcp } from './write-mcp.ts';

/** Tools of the Model Context Protocol. What MCP has no field for travels in `_meta`. */
export const mcpAdapter: FormatAdapter = createAdapter({
  name: 'mcp',
  names: { rule: { forbidden: /[^A-Za-z0-9_.-]/u, maxLength: 128 }, qualifies: false },
  target: () => mcp,
  read: readMcp,
  write: writeMcp,
});
