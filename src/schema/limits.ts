import { Buffer } from 'node:buffer';
import { SchemaTooLargeError } from './schema-errors.ts';

/** The limits of a schema: 1 MiB of JSON, 100 levels, 50 000 nodes. */
export const SCHEMA_LIMITS: JsonLimits = Object.freeze({ bytes: 1_048_576, depth: 100, nodes: 50_000 });

/**
 * Refuses a schema that is too large to be worked on.
 * @throws SchemaTooLargeError beyond 1 MiB of JSON, 100 levels or 50 000 nodes
 */
export function checkSchemaLimits(schema: unknown): void {
  const excess = exceededLimit(schema, SCHEMA_LIMITS);
  if (excess !== undefined) throw new SchemaTooLargeError({ path: '', what: `${excess}.` });
}

/** Limits for a JSON value. */
export interface JsonLimits {
  readonly bytes: number;
  /** The nesting depth of objects and lists. */
  readonly depth: number;
  /** Values of any kind. */
  readonly nodes: number;
}

interface Open {
  readonly value: unknown;
  readonly depth: number;
}

/**
 * Says which limit a value exceeds, or undefined. It does not recurse and stops at the limits, so it also
 * terminates for a value that contains itself, or one part a million times.
 */
export function exceededLimit(root: unknown, limits: JsonLimits): string | undefined {
  const open: Open[] = [{ value: root, depth: 1 }];
  let nodes = 0;
  let bytes = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes += 1;
    if (nodes > limits.nodes) return `has more than ${String(limits.nodes)} nodes`;
    const { value, depth } = next;
    bytes += bytesOf(value, limits.bytes);
    if (bytes > limits.bytes) return `is longer than ${String(limits.bytes)} bytes of JSON`;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > limits.depth) return `is nested deeper than ${String(limits.depth)} levels`;
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
  return undefined;
}

/** The bytes of a value in JSON without those of the values in it. */
function bytesOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return textBytes(value, enough);
  if (typeof value !== 'object' || value === null) return String(value).length;
  const separators = Math.max(0, Object.keys(value).length - 1);
  if (Array.isArray(value)) return 2 + separators;
  return 2 + separators + Object.keys(value).reduce((sum, key) => sum + textBytes(key, enough) + 1, 0);
}

/** Text that is already too long is not copied to measure it exactly. */
function textBytes(text: string, enough: number): number {
  return text.length > enough ? text.length : Buffer.byteLength(JSON.stringify(text));
}
