import type { RecordOf } from '../metadata/records.ts';
import { classChain, ownRecords } from '../metadata/record-store.ts';
import type { Class } from '../shared/class-type.ts';

type MemberKind = 'action' | 'prompt' | 'resource' | 'complete';

/** A method with at least one record of a kind; `record` is the one that counts when there may be only one. */
export interface DeclaredMember<Kind extends MemberKind> {
  /** The class that declares it: the given one, or a base class. */
  readonly owner: Class;
  readonly member: string | symbol;
  readonly record: RecordOf<Kind>;
  readonly records: readonly RecordOf<Kind>[];
}

/** The methods that a kind of decorator stands on: in source order, those of base classes first. */
export function declaredMembers<Kind extends MemberKind>(
  type: Class,
  kind: Kind,
): readonly DeclaredMember<Kind>[] {
  const found = new Map<string | symbol, DeclaredMember<Kind>>();
  for (const owner of [...classChain(type)].reverse()) {
    const own = ownRecords(owner, kind).filter((record) => !('isStatic' in record && record.isStatic));
    for (const member of Reflect.ownKeys(owner.prototype as object)) {
      // An override takes the place of what it overrides, or drops it when it has no such decorator.
      found.delete(member);
      const records = own.filter((record: RecordOf<MemberKind>) => record.member === member);
      const record = records.at(-1);
      if (record !== undefined) found.set(member, { owner, member, record, records });
    }
  }
  return [...found.values()];
}
