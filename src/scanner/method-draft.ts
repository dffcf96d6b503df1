import type { UnknownFields } from '../metadata/options.ts';
import { classChain, ownRecords } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { memberName } from './member-name.ts';
import type { ModuleNode } from './module-node.ts';
import { outermostFirst } from './scan-middleware.ts';
import type { ProviderKey } from './scanned-provider.ts';

/** A method that calls of clients reach, as its class declares it. */
export interface MethodDraft {
  readonly controller: Controller;
  /** The class that declares the method: the controller's own, or a base class. */
  readonly owner: Class;
  readonly member: string | symbol;
  /** `TasksController.create()`. */
  readonly where: string;
  readonly decorator: '@Action' | '@Prompt' | '@Resource';
  readonly options: MethodOptions;
  readonly remaining: RemainingParameter;
  /** Outermost first. */
  readonly middleware: readonly unknown[];
}

/** What the options of all those decorators have in common. */
export interface MethodOptions {
  readonly input?: SchemaSource;
  readonly tags?: readonly string[];
  readonly unknownFields?: UnknownFields;
}

/**
 * What the parameter is that nothing else explains: the input, whose class must be known; the variables of a
 * template, which may also be a plain object; the context; or a mistake.
 */
export type RemainingParameter = 'input' | 'variables' | 'context' | 'nothing';

/** A class in the `controllers` of a module. */
export interface Controller {
  readonly type: Class;
  readonly key: ProviderKey;
  readonly home: ModuleNode;
}

export function draftMethod(
  controller: Controller,
  { owner, member }: Pick<MethodDraft, 'owner' | 'member'>,
): Pick<MethodDraft, 'controller' | 'owner' | 'member' | 'where' | 'middleware'> {
  return {
    controller,
    owner,
    member,
    where: memberName(controller.type, member),
    middleware: memberMiddleware(owner, member),
  };
}

/** An override keeps what stands on the method that it overrides, outside of its own: a guard is not lost silently. */
function memberMiddleware(owner: Class, member: string | symbol): readonly unknown[] {
  const baseFirst = [...classChain(owner)].reverse();
  const layers = baseFirst.flatMap((type) =>
    outermostFirst(ownRecords(type, 'middleware').filter((record) => record.member === member)),
  );
  return [...new Set(layers)];
}
