import type { ActionMetadata } from '../compile/action-metadata.ts';
import { readVersioning, type VersioningOptions } from '../scanner/read-version.ts';
import type { ActionDraft } from './builder-draft.ts';

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
