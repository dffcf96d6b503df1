import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** The schemas of test/schemas that others publish for what a server says of itself. */
const SCHEMAS = {
  card: 'server-card-v1.json',
  'server.json': 'server-2025-12-11.json',
  bundle: 'mcpb-manifest-0.3.json',
} as const;

/** What the published schema of a document finds wrong with it; empty for a valid one. */
export function documentFaults(kind: keyof typeof SCHEMAS, document: unknown): readonly string[] {
  const text = readFileSync(new URL(`../schemas/${SCHEMAS[kind]}`, import.meta.url), 'utf8');
  const { $schema: _dialect, ...schema } = JSON.parse(text) as { readonly $schema?: string };
  const options = { allErrors: true, strict: false } as const;
  const ajv = kind === 'server.json' ? new Ajv(options) : new Ajv2020(options);
  formats.default(ajv);
  const check = ajv.compile(kind === 'card' ? { ...schema, $ref: '#/$defs/ServerCard' } : schema);
  void check(document);
  return (check.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
