import type { Problem } from '../errors/problem-list.ts';
import { type RecordOf, classChain, ownRecords } from '../metadata/records.ts';
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

const DECORATORS = {
  action: '@Action',
  prompt: '@Prompt',
  resource: '@Resource',
  complete: '@Complete',
} as const satisfies Readonly<Record<MemberKind, string>>;

/** The overrides that drop what a base class offers, because they have no decorator of their own. */
export function droppedMembers(type: Class): readonly Problem[] {
  const [, ...bases] = classChain(type);
  const offered = new Map<string | symbol, { readonly base: Class; readonly decorator: string }>();
  for (const base of [...bases].reverse()) {
    for (const { member, decorator } of offersOf(base)) offered.set(member, { base, decorator });
  }
  return [...offered].flatMap(([member, { base, decorator }]) => {
    const last = classChain(type).find((owner) => Object.hasOwn(owner.prototype as object, member));
    if (last === undefined || offersOf(last).some((offer) => offer.member === member)) return [];
    return [dropped(last, member, base, decorator)];
  });
}

function offersOf(owner: Class): readonly { readonly member: string | symbol; readonly decorator: string }[] {
  return (Object.keys(DECORATORS) as MemberKind[]).flatMap((kind) =>
    ownRecords(owner, kind).map(({ member }) => ({ member, decorator: DECORATORS[kind] })),
  );
}

function dropped(owner: Class, member: string | symbol, base: Class, decorator: string): Problem {
  const name = String(member);
  return Object.freeze({
    code: 'TW_SCAN_OVERRIDE_DROPS',
    where: `${owner.name}.${name}()`,
    what: `overrides ${base.name}.${name}(), which has ${decorator}, and has none itself: nobody is offered it here.`,
    fix: `${decorator}(…) on ${owner.name}.${name}(), with what the base class says there`,
  });
}
