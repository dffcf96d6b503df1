import type { PlainObject } from '../shared/json.ts';
import type { ContentAnnotations } from './content-annotations.ts';
import type { ResourceContents } from './resource-result.ts';

/** What every block may have beside its content. */
interface BlockFacts {
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
