import { isPlainObject, type PlainObject } from '../shared/json.ts';
import type { CallToolResult } from './call-tool-result.ts';
import type { ContentBlock } from './content-block.ts';

const RESULT_KEYS: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/** Members that each kind of content block must have as strings (spec: server/tools, Tool Result). */
const BLOCK_MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['text']],
  ['image', ['data', 'mimeType']],
  ['audio', ['data', 'mimeType']],
  ['resource_link', ['uri', 'name']],
  ['resource', []],
]);

/**
 * True for an unbranded object that can only be a call result: no other keys, and valid content.
 * Anything else with a `content` array is data of the handler.
 */
export function looksLikeResult(value: unknown): value is CallToolResult {
  if (!isPlainObject(value) || !Array.isArray(value['content'])) return false;
  const keys = Object.keys(value);
  // `{ content: [] }` is the empty page of somebody's article
  if (value['content'].length === 0 && keys.length === 1) return false;
  return (
    keys.every((key) => RESULT_KEYS.has(key)) &&
    hasResultTypes(value) &&
    value['content'].every(isContentBlock)
  );
}

function hasResultTypes({ isError, structuredContent, _meta }: PlainObject): boolean {
  return (
    (isError === undefined || typeof isError === 'boolean') &&
    (structuredContent === undefined || isPlainObject(structuredContent)) &&
    (_meta === undefined || isPlainObject(_meta))
  );
}

/** True for an object that has what its kind of content block needs. */
export function isContentBlock(block: unknown): block is ContentBlock {
  if (!isPlainObject(block)) return false;
  const members = BLOCK_MEMBERS.get(block['type']);
  if (members === undefined || !members.every((member) => typeof block[member] === 'string')) return false;
  return block['type'] !== 'resource' || isEmbeddedResource(block['resource']);
}

function isEmbeddedResource(resource: unknown): boolean {
  if (!isPlainObject(resource) || typeof resource['uri'] !== 'string') return false;
  return typeof resource['text'] === 'string' || typeof resource['blob'] === 'string';
}
