import type { ActionOptions } from '../metadata/options.ts';
import type { Mark } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import type { ModuleNode } from './module-node.ts';
import type { ProviderKey } from './scanned-provider.ts';

/** An action as its class declares it, before it has a place in a tool. */
export interface ActionDraft {
  readonly controller: Controller;
  /** The class that declares the method: the controller's own, or a base class. */
  readonly owner: Class;
  readonly member: string | symbol;
  readonly name: string;
  /** `TasksController.create()`. */
  readonly where: string;
  readonly options: ActionOptions;
  readonly marks: ReadonlySet<Mark>;
  /** Outermost first. */
  readonly middleware: readonly unknown[];
}

/** A class in the `controllers` of a module. */
export interface Controller {
  readonly type: Class;
  readonly key: ProviderKey;
  readonly home: ModuleNode;
}
