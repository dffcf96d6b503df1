import type { IconOptions, ToolAnnotationHints } from '../metadata/options.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';

/** A tool as tools/list tells it: deeply frozen plain data (spec: server/tools, Tool). */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: ToolAnnotationHints;
  readonly icons?: readonly IconOptions[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}
