import type { PlainObject } from '../../shared/json.ts';
import type { RawSchema } from '../../schema/subschemas.ts';
import type { Backend } from './backend.ts';

/**
 * A tool of the Model Context Protocol, and what it needs to live among the tools of other servers: a namespace,
 * a version, tags, and the binding that runs it.
 *
 * @example
 * const read: Tool = {
 *   namespace: 'filesystem',
 *   name: 'read',
 *   inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
 * };
 */
export interface Tool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: RawSchema;
  readonly outputSchema?: RawSchema | undefined;
  readonly annotations?: PlainObject | undefined;
  readonly icons?: readonly PlainObject[] | undefined;
  readonly _meta?: PlainObject | undefined;
  readonly namespace?: string | undefined;
  /** A semantic version, as text. */
  readonly version?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly backend?: Backend | undefined;
}

/** What the protocol knows of a tool: a `Tool` without namespace, version, tags and backend. */
export type McpTool = Omit<Tool, 'namespace' | 'version' | 'tags' | 'backend'>;
