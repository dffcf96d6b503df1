import type { CallToolResult, ContentBlock } from '../../call/results.ts';
import { ConversionError } from '../../formats/errors.ts';
import { isObject, type PlainObject } from '../../shared/json.ts';

/** A tool call from a model. */
export interface ToolUse {
  /** Lets the provider match the result to the call; some providers omit it. */
  readonly id: string | undefined;
  /** The tool name as exported to the provider. */
  readonly name: string;
  /** As the model wrote them; JSON text is parsed. */
  readonly args: unknown;
  /** Why the arguments could not be parsed: a mistake that the model can repair. */
  readonly fault?: string;
}

/** The format of calls and results of one provider. */
export interface CallForm {
  /** @throws ConversionError for what is not a call in this form */
  read(raw: unknown, reader: MemberReader): ToolUse;
  write(call: ToolUse, result: CallToolResult): unknown;
}

/** Reads the members of one call; errors name the format. */
export interface MemberReader {
  object(value: unknown, path: string): PlainObject;
  text(value: unknown, path: string): string;
  optionalText(value: unknown, path: string): string | undefined;
  /** Parses arguments given as JSON text. Invalid JSON is reported to the model, not thrown to the caller. */
  json(value: unknown, path: string): Pick<ToolUse, 'args' | 'fault'>;
  refuse(path: string, cause: string): never;
}

export function memberReader(adapter: string): MemberReader {
  const refuse = (path: string, cause: string): never => {
    throw new ConversionError('INVALID_INPUT', { adapter, direction: 'toCanonical', path, cause });
  };
  const text = (value: unknown, path: string): string =>
    typeof value === 'string' && value !== '' ? value : refuse(path, 'a tool call needs a text here');
  return {
    refuse,
    text,
    optionalText: (value, path) => (value === undefined || value === null ? undefined : text(value, path)),
    object: (value, path) => (isObject(value) ? value : refuse(path, 'a tool call needs an object here')),
    json: (value = '', path) => parseArguments(value === '' || value === null ? '' : text(value, path)),
  };
}

/** Reads arguments given as JSON text. Invalid JSON is a mistake that the model can repair. */
export function parseArguments(text: string): Pick<ToolUse, 'args' | 'fault'> {
  if (text.trim() === '') return { args: {} };
  try {
    return { args: JSON.parse(text) as unknown };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    return { args: undefined, fault: `The arguments are no JSON: ${reason}` };
  }
}

/** An image in a result, as base64. */
interface Picture {
  readonly data: string;
  readonly mimeType: string;
}

/** The text of a result, for providers that accept only text. */
export function resultText({ content }: CallToolResult): string {
  return content.map(blockText).join('\n');
}

/** A content block as text. Blocks without text are named, so that the model knows about them. */
export function blockText(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `${block.name}: ${block.uri}`;
  if (block.type !== 'resource')
    return `(${block.type} of the type ${block.mimeType}, which cannot be shown here)`;
  const { text, uri } = block.resource;
  return text ?? `(the resource ${uri}, which cannot be shown here)`;
}

/** The image in a block, if any. */
export function readPicture(block: ContentBlock): Picture | undefined {
  return block.type === 'image' ? { data: block.data, mimeType: block.mimeType } : undefined;
}
