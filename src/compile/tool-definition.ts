import type { TaskSupport } from '../call/action-options.ts';
import type { IconOptions, ToolAnnotationHints } from '../metadata/options.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import type { CheckExplanation } from '../dto/check/explanation.ts';

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

/**
 * The definition of a tool of this process. Its one method is hidden from whoever copies, compares or sends it: a copy
 * is a {@link ToolDefinition} without it, though TypeScript gives a spread the type of what was spread.
 */
export interface CompiledToolDefinition extends ToolDefinition {
  /**
   * Says for the inputs of its actions whether they are checked by compiled code or by class-validator, and why.
   * What is not compiled yet is compiled for it.
   *
   * @example
   * const slow = app.definitions.filter((definition) =>
   *   definition.explain().some(({ checks }) => checks.some(({ path }) => path === 'class-stack')),
   * );
   */
  readonly explain: () => readonly ExplainedInput[];
}

/** How the input of one action, prompt or resource is checked. */
export interface ExplainedInput {
  readonly kind: 'action' | 'prompt' | 'resource';
  /** The tool of an action; undefined for the others. */
  readonly tool: string | undefined;
  /** The key of the action, or the name. */
  readonly name: string;
  /** Its DTO classes: those of the common inputs, then its own. Other schemas are not listed. */
  readonly checks: readonly CheckExplanation[];
}
