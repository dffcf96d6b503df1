import type { PlainObject } from '../shared/json.ts';

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
