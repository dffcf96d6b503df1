import type { PlainObject } from '../shared/json.ts';
import type { ContentBlock } from './content-block.ts';

/** The result of tools/call on the wire (spec: server/tools, Tool Result). */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: PlainObject;
  readonly isError?: boolean;
  readonly _meta?: PlainObject;
}
