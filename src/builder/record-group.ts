import type { BuilderDraft, GroupDraft } from './builder-draft.ts';

/** Lets the caller configure a group; when that fails, the draft is as it was before. */
export function recordGroup(
  draft: BuilderDraft,
  name: string,
  description: string | undefined,
  configure: (group: GroupDraft) => void,
): void {
  const known = draft.groups.get(name);
  const group = known ?? createGroup(name);
  const before = { ...group, layers: group.middleware.length, actions: draft.actions.length };
  if (description !== undefined && description !== '') group.description = description;
  draft.groups.set(name, group);
  try {
    configure(group);
  } catch (error) {
    if (known === undefined) draft.groups.delete(name);
    group.description = before.description;
    group.unknownFields = before.unknownFields;
    group.timeout = before.timeout;
    group.middleware.length = before.layers;
    draft.actions.length = before.actions;
    throw error;
  }
}

function createGroup(name: string): GroupDraft {
  return { name, description: undefined, unknownFields: undefined, timeout: undefined, middleware: [] };
}
