import type { TaskSupport } from '../call/task-mode.ts';
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
  /** Whether it can be called as a task; left out where it cannot (spec 2025-11-25: basic/utilities/tasks). */
  readonly execution?: { readonly taskSupport: TaskSupport };
  readonly icons?: readonly IconOptions[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}
