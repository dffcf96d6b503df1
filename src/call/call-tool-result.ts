import type { PlainObject } from '../shared/json.ts';

/** One block of a result's content; kinds the framework does not know pass through. */
export interface ContentBlock {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The result of tools/call on the wire (spec: server/tools, Tool Result). */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: PlainObject;
  readonly isError?: boolean;
  readonly _meta?: PlainObject;
}
