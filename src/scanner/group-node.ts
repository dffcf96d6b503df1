import type { ToolGroupOptions } from '../metadata/options.ts';
import type { Class } from '../shared/class-type.ts';
import type { ActionDraft } from './action-draft.ts';
import type { Controller } from './method-draft.ts';

/** A @ToolGroup class in its tree; the root of a tree is a tool. */
export interface GroupNode {
  readonly controller: Controller;
  readonly type: Class;
  readonly options: ToolGroupOptions;
  readonly name: string;
  /** In the order of the controllers. */
  readonly children: readonly GroupNode[];
  /** Its own, and those of other classes that name it in `groups`. */
  readonly actions: readonly ActionDraft[];
}
