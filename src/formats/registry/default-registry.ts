import { a2aAdapter } from '../adapters/a2a/a2a-adapter.ts';
import { anthropicAdapter } from '../adapters/anthropic/anthropic-adapter.ts';
import { geminiAdapter } from '../adapters/gemini/gemini-adapter.ts';
import { mcpAdapter } from '../adapters/mcp/mcp-adapter.ts';
import { openaiAdapter } from '../adapters/openai/openai-adapter.ts';
import { openaiResponsesAdapter } from '../adapters/openai-responses/openai-responses-adapter.ts';
import { AdapterRegistry } from './adapter-registry.ts';

const ADAPTERS = [
  mcpAdapter,
  openaiAdapter,
  openaiResponsesAdapter,
  anthropicAdapter,
  geminiAdapter,
  a2aAdapter,
] as const;

const registry = new AdapterRegistry();
for (const adapter of ADAPTERS) registry.register(adapter);
registry.freeze();

/**
 * The registry with the adapters of this package, which cannot be changed.
 *
 * @example
 * const ping = { name: 'ping', inputSchema: { type: 'object' } };
 * const { warnings, names } = defaultRegistry().convert(ping, 'mcp', 'openai', { strict: true });
 */
export function defaultRegistry(): AdapterRegistry {
  return registry;
}

/**
 * A registry without any adapter.
 *
 * @example
 * const registry = createRegistry();
 * registry.register(mcpAdapter);
 */
export function createRegistry(): AdapterRegistry {
  return new AdapterRegistry();
}
