import type { ScannedAction, ScannedTool } from '../../scanner/actions/scanned-tool.ts';
import type { Deprecation } from '../../call/action-options.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import type { TaggedBranch } from './schema/tagged-branches.ts';

type Described = 'key' | 'name' | 'group' | 'description';
type Marks = 'isDestructive' | 'isReadOnly' | 'isIdempotent' | 'isOpenWorld';

/** What the strategies know of one action: plain data, its input already a JSON Schema. */
export interface ActionFacts extends Pick<ScannedAction, Described | Marks> {
  /** The action's own fields, those of its sub-groups' common schemas included; not the tool's. */
  readonly own: ObjectSchema | undefined;
  /** What only the branches of tagged unions require of those fields; `own` cannot say it. */
  readonly branches?: readonly TaggedBranch[] | undefined;
  /** As its callers are told. */
  readonly deprecated?: Deprecation | undefined;
}

type Known = 'name' | 'where' | 'description' | 'mode' | 'discriminator' | 'groups' | 'annotations';

/** What the strategies know of one tool. */
export interface ToolFacts extends Pick<ScannedTool, Known> {
  /** Fields of every action. */
  readonly common: ObjectSchema | undefined;
  /** In registration order. */
  readonly actions: readonly ActionFacts[];
}
