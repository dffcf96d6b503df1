import type { Role } from '../model/values.ts';
import type { PlainObject } from '../shared/json.ts';

/** What every block may have beside its content. */
export interface BlockFacts {
  /** Hints for the client: who the block is for, and how important it is. */
  readonly annotations?: ContentAnnotations;
  /** Additional data for the client, passed through as it is. */
  readonly _meta?: PlainObject;
}

/** A block of text (spec: server/tools, Text Content). */
export interface TextBlock extends BlockFacts {
  /** Marks a block of text. */
  readonly type: 'text';
  /** The text. */
  readonly text: string;
}

/** A picture or a sound as base64 (spec: server/tools, Image Content and Audio Content). */
export interface MediaBlock<Type extends 'image' | 'audio'> extends BlockFacts {
  /** Marks an image or a sound. */
  readonly type: Type;
  /** The content, in base64. */
  readonly data: string;
  /** The media type of the content, such as `image/png`. */
  readonly mimeType: string;
}

/** A resource that a client may read when it needs it. */
export interface ResourceLink {
  /** The URI by which the client can read the resource. */
  readonly uri: string;
  /** The name of the resource, for programs. */
  readonly name: string;
  /** The name that clients show to people. Default: they show `name`. */
  readonly title?: string;
  /** What the resource has in it. */
  readonly description?: string;
  /** The media type of the resource. */
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
}

/** A link to a resource (spec: server/tools, Resource Links). */
export interface ResourceLinkBlock extends BlockFacts, ResourceLink {
  /** Marks a link to a resource. */
  readonly type: 'resource_link';
}

/** A resource as content (spec: server/tools, Embedded Resources). */
export interface EmbeddedResourceBlock extends BlockFacts {
  /** Marks a resource whose content is in the block. */
  readonly type: 'resource';
  /** The resource and its content. */
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
  | TextBlock
  | MediaBlock<'image'>
  | MediaBlock<'audio'>
  | ResourceLinkBlock
  | EmbeddedResourceBlock;

/** The client's model wants to use a tool (spec: client/sampling, Tool Use Content). */
export interface ToolUseBlock {
  /** Marks a block in which the model calls a tool. */
  readonly type: 'tool_use';
  /** The id of the tool's use; its result refers to it. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** The arguments for the tool. */
  readonly input: PlainObject;
  /** Additional data for the client, passed through as it is. */
  readonly _meta?: PlainObject;
}

/** What a tool gave that the client's model used (spec: client/sampling, Tool Result Content). */
export interface ToolResultBlock {
  /** Marks the result of a tool that the model called. */
  readonly type: 'tool_result';
  /** The `id` of the block in which the model called the tool. */
  readonly toolUseId: string;
  /** What the tool returned, in blocks. */
  readonly content: readonly ContentBlock[];
  /** What the tool returned, as JSON. */
  readonly structuredContent?: PlainObject;
  /** True if the tool failed. Default false. */
  readonly isError?: boolean;
  /** Additional data for the client, passed through as it is. */
  readonly _meta?: PlainObject;
}

/** One block of a conversation with the client's model. A client may send further kinds, which pass through. */
export type SampleBlock = ContentBlock | ToolUseBlock | ToolResultBlock;

/** The result of tools/call on the wire (spec: server/tools, Tool Result). */
export interface CallToolResult {
  /** The result in blocks, for the model. */
  readonly content: readonly ContentBlock[];
  /** The result as JSON; it fits the `outputSchema` of the tool. */
  readonly structuredContent?: PlainObject;
  /** True if the call failed. Default false. */
  readonly isError?: boolean;
  /** Additional data for the client, passed through as it is. */
  readonly _meta?: PlainObject;
}

/** The contents of one resource: text, or bytes as base64 (spec: server/resources, Resource Contents). */
export interface ResourceContents {
  /** The URI of the resource. */
  readonly uri: string;
  /** The media type of the content. */
  readonly mimeType?: string;
  /** The content, if it is text. */
  readonly text?: string;
  /** The content in base64, if it is not text. */
  readonly blob?: string;
  /** Additional data for the client, passed through as it is. */
  readonly _meta?: PlainObject;
}

/** The result of resources/read on the wire. */
export interface ReadResourceResult {
  /** The contents of the resource; mostly one. */
  readonly contents: readonly ResourceContents[];
  /** Additional data for the client, passed through as it is. */
  readonly _meta?: PlainObject;
}

/** One message of a prompt (spec: server/prompts, PromptMessage). */
export interface PromptMessage {
  /** Who says it. */
  readonly role: 'user' | 'assistant';
  /** What is said: one block. */
  readonly content: ContentBlock;
}

/** The result of prompts/get on the wire. */
export interface GetPromptResult {
  /** What the prompt is for. */
  readonly description?: string;
  /** The messages of the prompt, in order. */
  readonly messages: readonly PromptMessage[];
  /** Additional data for the client, passed through as it is. */
  readonly _meta?: PlainObject;
}

/** A question to the client, as it stands in a result. */
export interface InputRequest {
  /** What the client is asked: `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  /** The parameters of the request. */
  readonly params: PlainObject;
}

/** For whom a piece of content is, and how much it matters (spec: server/tools, Tool Result). */
export interface ContentAnnotations {
  /** Who the content is for. Default: both. */
  readonly audience?: readonly Role[];
  /** 0 is entirely optional, 1 is effectively required. */
  readonly priority?: number;
  /** An ISO 8601 timestamp with its offset. */
  readonly lastModified?: string;
}

/** The values of completion/complete on the wire; at most 100 (spec: server/utilities/completion). */
export interface Completion {
  /** The values that begin as it was typed, the best first. */
  readonly values: readonly string[];
  /** How many there are in all, where that is known. */
  readonly total?: number;
  /** Whether there are more than these. */
  readonly hasMore?: boolean;
}
