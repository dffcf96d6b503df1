import type { Deprecation } from '../../call/deprecation.ts';
import type { ToolAnnotationHints } from '../../metadata/options.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import type { TaggedBranch } from './schema/tagged-branches.ts';

/** What the strategies know of one action: plain data, its input already a JSON Schema. */
export interface ActionFacts {
  /** Unique among what is described: `create`, or `users.create`. */
  readonly key: string;
  readonly name: string;
  /** The path of its group; undefined in flat mode. */
  readonly group: string | undefined;
  readonly description: string | undefined;
  /** The action's own fields, those of its sub-groups' common schemas included; not the tool's. */
  readonly own: ObjectSchema | undefined;
  /** What only the branches of tagged unions require of those fields; `own` cannot say it. */
  readonly branches?: readonly TaggedBranch[] | undefined;
  readonly deprecated?: Deprecation | undefined;
  readonly isDestructive: boolean;
  readonly isReadOnly: boolean;
  readonly isIdempotent: boolean;
  /** Undefined when nobody said. */
  readonly isOpenWorld: boolean | undefined;
}

export interface GroupFacts {
  /** Names below the tool joined with dots. */
  readonly path: string;
  readonly description: string | undefined;
}

/** What the strategies know of one tool. */
export interface ToolFacts {
  readonly name: string;
  /** `TasksController`, or `builder "tasks"`. */
  readonly where: string;
  readonly description: string | undefined;
  readonly mode: 'flat' | 'hierarchical';
  readonly discriminator: string;
  /** Fields of every action. */
  readonly common: ObjectSchema | undefined;
  /** In order of first appearance; empty in flat mode. */
  readonly groups: readonly GroupFacts[];
  /** In registration order. */
  readonly actions: readonly ActionFacts[];
  /** Explicit hints; they win over what the actions add up to. */
  readonly annotations: ToolAnnotationHints;
}
