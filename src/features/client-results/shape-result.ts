import type { CallToolResult, ContentBlock } from '../../call/results.ts';
import { withoutUndefined, type PlainObject } from '../../shared/json.ts';
import type { ResultFit } from '../../profiles/fit-results.ts';

/** A shorter text is sent beside the structure as it is. */
const MIN_SUMMARIZED_LENGTH = 200;
/** Members that a summary names. */
const MAX_SUMMARIZED_COUNT = 12;

/** What decides the form of a result, beside the result itself. */
export interface ResultShape {
  readonly client: ResultFit;
  /** Whether the output is declared: only then a structure may go, or stand for the text. */
  readonly hasOutput: boolean;
  /** Whether the client is listed no `outputSchema`. */
  readonly isText: boolean;
}

/** A result in the form that its client reads; the same result where it is in that form. */
export function shapeResult(
  result: CallToolResult,
  { client, hasOutput, isText }: ResultShape,
): CallToolResult {
  const { content, structuredContent, isError, _meta } = result;
  const blocks = client.dropped.size === 0 ? content : withoutDropped(content, client.dropped);
  const isOwn = hasOutput && isError !== true && structuredContent !== undefined;
  const summary = isOwn && client.isStructured ? summarizeText(content, structuredContent) : undefined;
  const dropsStructure = isOwn && isText;
  if (blocks === content && summary === undefined && !dropsStructure) return result;
  const texts: readonly ContentBlock[] =
    summary === undefined ? blocks : [{ type: 'text', text: summary }, ...blocks.slice(1)];
  return withoutUndefined({
    content: texts,
    structuredContent: dropsStructure ? undefined : structuredContent,
    isError,
    _meta,
  });
}

/** A line in place of a text that says the same as the structure; undefined for one that says something else. */
function summarizeText([first]: readonly ContentBlock[], structure: PlainObject): string | undefined {
  if (first?.type !== 'text' || first.text.length < MIN_SUMMARIZED_LENGTH) return undefined;
  const isSame = [structure, structure['result']].some(
    (value) => JSON.stringify(value) === first.text || JSON.stringify(value, undefined, 2) === first.text,
  );
  return isSame ? summarize(structure) : undefined;
}

/** `2 members: items (50), total`. */
function summarize(structure: PlainObject): string {
  const members = Object.entries(structure).map(([name, value]) =>
    Array.isArray(value) ? `${name} (${String(value.length)})` : name,
  );
  const said = members.slice(0, MAX_SUMMARIZED_COUNT);
  const others = members.length - said.length;
  const noun = members.length === 1 ? 'member' : 'members';
  return `${String(members.length)} ${noun}: ${said.join(', ')}${others === 0 ? '' : ` and ${String(others)} more`}`;
}

function withoutDropped(
  content: readonly ContentBlock[],
  dropped: ReadonlySet<string>,
): readonly ContentBlock[] {
  if (!content.some(({ type }) => dropped.has(type))) return content;
  return content.map((block) =>
    dropped.has(block.type) ? { type: 'text', text: describeBlock(block) } : block,
  );
}

/** What a model reads in place of a block that its client does not show. */
function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[1 ${block.type}, ${block.mimeType}, ${saySize(block.data)}: this client shows text only]`;
    case 'resource_link':
      return `[link to ${block.title ?? block.name}: ${block.uri}]`;
    case 'resource':
      return (
        block.resource.text ??
        `[${block.resource.uri}, ${saySize(block.resource.blob ?? '')}: this client shows text only]`
      );
  }
}

/** @param data in base64 */
function saySize(data: string): string {
  const bytes = Math.floor((data.length * 3) / 4);
  return bytes < 1000 ? `${String(bytes)} bytes` : `${String(Math.round(bytes / 1000))} kB`;
}

/** What a model reads of a result, as text: pictures and sounds are none. */
export function readModelText({ content, structuredContent }: CallToolResult, { reads }: ResultFit): string {
  const structure = structuredContent === undefined ? '' : JSON.stringify(structuredContent);
  if (reads === 'structure' && structure !== '') return structure;
  const texts = content.map(readBlock).join('\n');
  return reads === 'both' ? texts + structure : texts;
}

function readBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return block.resource.text ?? block.resource.uri;
    case 'resource_link':
      return JSON.stringify(block);
    default:
      return '';
  }
}
