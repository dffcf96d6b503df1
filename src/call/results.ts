import type { Role } from '../model/values.ts';
import type { PlainObject } from '../shared/json.ts';

/** What every block may have beside its content. */
export interface BlockFacts {
  readonly annotations?: ContentAnnotations;
  readonly _meta?: PlainObject;
}

/** A block of text (spec: server/tools, Text Content). */
export interface TextBlock extends BlockFacts {
  readonly type: 'text';
  readonly text: string;
}

/** A picture or a sound as base64 (spec: server/tools, Image Content and Audio Content). */
export interface MediaBlock<Type extends 'image' | 'audio'> extends BlockFacts {
  readonly type: Type;
  readonly data: string;
  readonly mimeType: string;
}

/** A resource that a client may read when it needs it. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
}

/** A link to a resource (spec: server/tools, Resource Links). */
export interface ResourceLinkBlock extends BlockFacts, ResourceLink {
  readonly type: 'resource_link';
}

/** A resource as content (spec: server/tools, Embedded Resources). */
export interface EmbeddedResourceBlock extends BlockFacts {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

/**
 * One block of a result or a prompt, told apart by its `type`. There are no other kinds: results with one that MCP does
 * not have are refused.
 *
 * @example
 * const result = await app.call('weather', { action: 'forecast' });
 * const told = result.content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`));
 */
export type ContentBlock =
  TextBlock | MediaBlock<'image'> | MediaBlock<'audio'> | ResourceLinkBlock | EmbeddedResourceBlock;

/** The client's model wants to use a tool (spec: client/sampling, Tool Use Content). */
export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: PlainObject;
  readonly _meta?: PlainObject;
}

/** What a tool gave that the client's model used (spec: client/sampling, Tool Result Content). */
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: PlainObject;
  readonly isError?: boolean;
  readonly _meta?: PlainObject;
}

/** One block of a conversation with the client's model. A client may send further kinds, which pass through. */
export type SampleBlock = ContentBlock | ToolUseBlock | ToolResultBlock;

/** The result of tools/call on the wire (spec: server/tools, Tool Result). */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: PlainObject;
  readonly isError?: boolean;
  readonly _meta?: PlainObject;
}

/** The contents of one resource: text, or bytes as base64 (spec: server/resources, Resource Contents). */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: PlainObject;
}

/** The result of resources/read on the wire. */
export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: PlainObject;
}

/** One message of a prompt (spec: server/prompts, PromptMessage). */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** The result of prompts/get on the wire. */
export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: PlainObject;
}

/** A question to the client, as it stands in a result. */
export interface InputRequest {
  readonly method: string;
  readonly params: PlainObject;
}

/** A result that asks for more before there is another one (spec 2026-07-28: basic/patterns/mrtr). */
export interface InputRequiredResult {
  readonly resultType: 'input_required';
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly requestState?: string;
}

/** For whom a piece of content is, and how much it matters (spec: server/tools, Tool Result). */
export interface ContentAnnotations {
  readonly audience?: readonly Role[];
  /** 0 is entirely optional, 1 is effectively required. */
  readonly priority?: number;
  /** An ISO 8601 timestamp with its offset. */
  readonly lastModified?: string;
}

/** The values of completion/complete on the wire; at most 100 (spec: server/utilities/completion). */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}
