import type { JsonObject } from '../../contract.ts';
import { fieldOf, isObject } from './field.ts';

export type FieldChange = 'new' | 'changed' | 'gone';

/** Paths of fields, as forms have them, and what another version of the schema made of each. */
export type FieldChanges = ReadonlyMap<string, FieldChange>;

const DEEPEST = 8;

/** What differs between two versions of an input, field by field; a list counts as one field. */
export function changedFields(before: JsonObject, after: JsonObject): FieldChanges {
  const changes = new Map<string, FieldChange>();
  compare({ schema: before, root: before }, { schema: after, root: after }, '', changes);
  return changes;
}

interface Version {
  readonly schema: unknown;
  readonly root: JsonObject;
}

function compare(before: Version, after: Version, path: string, changes: Map<string, FieldChange>): void {
  const [old, now] = [before, after].map(({ schema, root }) => fieldOf(schema, root).schema);
  if (old === undefined || now === undefined || JSON.stringify(old) === JSON.stringify(now)) return;
  const [oldMembers, members] = [old['properties'], now['properties']];
  if (!isObject(oldMembers) || !isObject(members) || path.split('.').length > DEEPEST) {
    changes.set(path, 'changed');
    return;
  }
  for (const name of new Set([...Object.keys(oldMembers), ...Object.keys(members)])) {
    const place = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(oldMembers, name)) changes.set(place, 'new');
    else if (!Object.hasOwn(members, name)) changes.set(place, 'gone');
    else if (isRequired(old, name) !== isRequired(now, name)) changes.set(place, 'changed');
    else
      compare(
        { schema: oldMembers[name], root: before.root },
        { schema: members[name], root: after.root },
        place,
        changes,
      );
  }
}

function isRequired({ required }: JsonObject, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}
