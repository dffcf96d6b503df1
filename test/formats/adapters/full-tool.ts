import type { CanonicalTool } from 'toolwright/formats';

export const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

/** Every field at once. */
export const full: CanonicalTool = {
  name: 'search',
  namespace: 'web',
  version: '1.2.3',
  title: 'Search',
  description: 'Searches.',
  summary: 'Search',
  category: 'web',
  tags: ['a'],
  inputModes: ['text/plain'],
  outputModes: ['application/json'],
  examples: [{ text: 'cats' }, 'find cats'],
  deterministic: false,
  idempotent: true,
  streaming: true,
  annotations: { readOnlyHint: true },
  uiHints: { icon: 'glass' },
  icons: [{ src: 'https://example.com/i.png' }],
  securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  securityRequirements: [{ key: [] }],
  requiredScopes: ['read'],
  timeoutMs: 1000,
  inputSchema,
  outputSchema: { type: 'object', properties: { hits: { type: 'integer' } } },
  backend: { kind: 'local', name: 'search' },
};
