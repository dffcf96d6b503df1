import type { Problem, ProblemList } from '../../errors/problem-list.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import { classChain, ownRecords, type RecordOf } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import type { OptionRules } from '../../shared/option-rules.ts';
import { checkSchemas, readOptions } from '../check-options.ts';
import { checkName } from '../groups/names.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import type { ProviderKey } from '../providers/scanned-provider.ts';
import { outermostFirst } from './middleware.ts';

/** A method that clients can call, as its class declares it. */
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

/** The options that all those decorators have in common. */
interface MethodOptions {
  readonly name?: string;
  readonly input?: SchemaSource;
  readonly tags?: readonly string[];
  readonly unknownFields?: UnknownFields;
}

/**
 * The meaning of a parameter that nothing else determines: the input, which needs a known class; the variables of a
 * template, which may also be a plain object; the context; or a mistake.
 */
type RemainingParameter = 'input' | 'variables' | 'context' | 'nothing';

/** A class in the `controllers` of a module. */
export interface Controller {
  readonly type: Class;
  readonly key: ProviderKey;
  readonly home: ModuleNode;
}

/** Reads the parts that all decorators share: the method's name for clients, and the valid options. */
export function draftMethod<Options extends MethodOptions>(
  controller: Controller,
  { owner, member, record }: Drafted<Options>,
  rules: OptionRules<Options>,
  problems: ProblemList,
): Omit<MethodDraft, 'remaining' | 'options'> & {
  readonly name: string;
  readonly options: Partial<Options>;
} {
  const where = memberName(controller.type, member);
  const here = problems.at(where);
  const decorator = DECORATORS[record.kind];
  const options = readOptions(record.options, rules, decorator, here);
  checkSchemas(options, here);
  const name = options.name ?? (typeof member === 'string' ? member : '');
  checkName(name, record.kind, here);
  const middleware = memberMiddleware(owner, member);
  return { controller, owner, member, where, decorator, name, options, middleware };
}

/** A method with one of the decorators that take options. */
interface Drafted<Options> extends Pick<MethodDraft, 'owner' | 'member'> {
  readonly record: { readonly kind: 'action' | 'prompt' | 'resource'; readonly options: Options };
}

/** An override keeps the middleware of the method that it overrides, outside its own, so that no guard is lost. */
function memberMiddleware(owner: Class, member: string | symbol): readonly unknown[] {
  const baseFirst = [...classChain(owner)].reverse();
  const layers = baseFirst.flatMap((type) =>
    outermostFirst(ownRecords(type, 'middleware').filter((record) => record.member === member)),
  );
  return [...new Set(layers)];
}

export type MemberKind = 'action' | 'prompt' | 'resource' | 'complete';
type DeclaringKind = MemberKind | 'readiness';

/** A method with at least one record of a kind; `record` is the one that counts when there may be only one. */
interface DeclaredMember<Kind extends DeclaringKind> {
  /** The class that declares it: the given one, or a base class. */
  readonly owner: Class;
  readonly member: string | symbol;
  readonly record: RecordOf<Kind>;
  readonly records: readonly RecordOf<Kind>[];
}

/** The methods with a kind of decorator: in source order, those of base classes first. */
export function declaredMembers<Kind extends DeclaringKind>(
  type: Class,
  kind: Kind,
): readonly DeclaredMember<Kind>[] {
  const found = new Map<string | symbol, DeclaredMember<Kind>>();
  for (const owner of [...classChain(type)].reverse()) {
    const own = ownRecords(owner, kind).filter((record) => !('isStatic' in record && record.isStatic));
    for (const member of Reflect.ownKeys(owner.prototype as object)) {
      // An override replaces the method that it overrides, or drops it if it has no such decorator.
      found.delete(member);
      const records = own.filter((record: RecordOf<DeclaringKind>) => record.member === member);
      const record = records.at(-1);
      if (record !== undefined) found.set(member, { owner, member, record, records });
    }
  }
  return [...found.values()];
}

/** The decorators that define the role of a method. */
export const DECORATORS = {
  action: '@Action',
  prompt: '@Prompt',
  resource: '@Resource',
  complete: '@Complete',
} as const satisfies Readonly<Record<MemberKind, string>>;

/** The overrides that drop a method offered by a base class, because they have no decorator of their own. */
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
    what: `overrides ${base.name}.${name}(), which has ${decorator}, but has none itself, so clients cannot call it here.`,
    fix: `${decorator}(…) on ${owner.name}.${name}(), with what the base class says there`,
  });
}

/** `TasksController.create()`. */
export function memberName(type: Class, member: string | symbol): string {
  return `${type.name}.${String(member)}()`;
}
