import type { Deprecation } from '../call/deprecation.ts';
import { readVersioning, type VersioningOptions } from '../scanner/read-version.ts';
import type { ActionDraft } from './builder-draft.ts';

/** What can be asked of an action without building the tool. */
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

export function describeAction(
  { key, group, action, middleware }: ActionDraft,
  requiredFields: readonly string[],
  versioning: VersioningOptions = {},
): ActionMetadata {
  const { version, deprecated } = readVersioning([action, versioning]);
  return {
    key,
    actionName: action.name,
    ...(version === undefined ? {} : { version }),
    ...(deprecated === undefined ? {} : { deprecated }),
    groupName: group?.name,
    description: action.description === '' ? undefined : action.description,
    destructive: action.destructive ?? false,
    idempotent: action.idempotent ?? false,
    readOnly: action.readOnly ?? false,
    requiredFields,
    hasMiddleware: middleware.length > 0 || (group?.middleware.length ?? 0) > 0,
  };
}
