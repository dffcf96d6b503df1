import type { Deprecation } from '../call/action-options.ts';
import type { ActionDefinition, CompiledTool } from './compiled-tool.ts';

/** What there is to know of an action, without calling it. */
export interface ActionMetadata {
  readonly key: string;
  readonly actionName: string;
  /** Left out where it has none. */
  readonly version?: string;
  readonly deprecated?: Deprecation;
  /** Undefined in a flat tool. */
  readonly groupName: string | undefined;
  readonly description: string | undefined;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly readOnly: boolean;
  /** Of the action's own schema, without common fields. */
  readonly requiredFields: readonly string[];
  /** Group or action middleware; global ones do not count. */
  readonly hasMiddleware: boolean;
}

/** The actions of a tool in the order they are listed; then the other versions that can be called. */
export function actionsOf({ actions, versions }: CompiledTool): readonly ActionMetadata[] {
  const all = new Set([...actions, ...[...(versions?.values() ?? [])].flat()]);
  return Object.freeze([...all].map((action) => Object.freeze(describe(action))));
}

function describe(action: ActionDefinition): ActionMetadata {
  const { key, name, version, deprecated, group, description } = action;
  const { isDestructive, isIdempotent, isReadOnly, requiredFields, hasMiddleware } = action;
  return {
    key,
    actionName: name,
    ...(version === undefined ? {} : { version }),
    ...(deprecated === undefined ? {} : { deprecated }),
    groupName: group,
    description,
    destructive: isDestructive,
    idempotent: isIdempotent,
    readOnly: isReadOnly,
    requiredFields,
    hasMiddleware,
  };
}
