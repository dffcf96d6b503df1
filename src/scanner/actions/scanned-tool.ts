import type { Deprecation, TaskMode, ResultFormat } from '../../call/action-options.ts';
import type { Describe, Expose, IconOptions, ToolAnnotationHints } from '../../metadata/options.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import type { ScannedCallable } from '../members/scanned-callable.ts';

/**
 * A tool, resolved and checked: plain data without instances.
 * The scanner makes it from decorated classes, the builder from plain calls; compile knows no other input.
 */
export interface ScannedTool {
  readonly name: string;
  /** `TasksController`, or `builder "tasks"`. */
  readonly where: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly discriminator: string;
  readonly mode: 'flat' | 'hierarchical';
  readonly expose: Expose;
  /** Between the names of flat tools. */
  readonly separator: string;
  /** The prefix of the names of flat tools; may be empty. */
  readonly prefix: string;
  readonly describe: Describe;
  readonly annotations: ToolAnnotationHints;
  readonly tags: readonly string[];
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** Fields of every action: the common schema of the tool itself. */
  readonly common: SchemaSource | undefined;
  /** The groups below the tool in order of first appearance; empty in flat mode. */
  readonly groups: readonly ScannedGroup[];
  /** In registration order. */
  readonly actions: readonly ScannedAction[];
}

export interface ScannedGroup {
  /** Names below the tool joined with dots. */
  readonly path: string;
  readonly description: string | undefined;
}

export interface ScannedAction extends ScannedCallable {
  /** Unique in the tool, but for further versions: `create`, or `users.create`. */
  readonly key: string;
  /** A semantic version; undefined where it has none, and then no other action has the key. */
  readonly version: string | undefined;
  /** Added to the name with flat exposition; empty unless another version has the plain name. */
  readonly suffix: string;
  readonly deprecated: Deprecation | undefined;
  readonly name: string;
  /** The path of its group; undefined in flat mode. */
  readonly group: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Common schemas of the sub-groups above it, outermost first; the tool's own is not among them. */
  readonly groupCommon: readonly SchemaSource[];
  readonly output: SchemaSource | undefined;
  readonly isDestructive: boolean;
  readonly isReadOnly: boolean;
  readonly isIdempotent: boolean;
  /** Undefined if it is not declared. */
  readonly isOpenWorld: boolean | undefined;
  /** The tool's, the groups' and its own. */
  readonly tags: readonly string[];
  readonly result: ResultFormat;
  /** How it becomes a task; undefined where it never does. */
  readonly task: TaskMode | undefined;
  /** True with group or action middleware; global ones do not count. */
  readonly hasMiddleware: boolean;
}
