import type { ActionOptions } from '../metadata/options.ts';
import type { Mark } from '../metadata/records.ts';
import type { MethodDraft } from './method-draft.ts';

/** An action as its class declares it, before it has a place in a tool. */
export interface ActionDraft extends MethodDraft {
  readonly name: string;
  readonly options: ActionOptions;
  readonly marks: ReadonlySet<Mark>;
}
