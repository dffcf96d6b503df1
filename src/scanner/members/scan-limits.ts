import type { ProblemList } from '../../errors/problem-list.ts';
import { concurrencyRule, quotaRule, rateLimitRule } from '../../metadata/limit-options.ts';
import { classChain, ownRecords, type LimitRecord } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import type { GroupPath } from '../groups/group-tree.ts';
import { reportFaults } from '../check-options.ts';
import type { MethodDraft } from './declared-members.ts';
import { scanDeclarations, type ScannedLimit } from './scanned-limits.ts';

/** The names of classes in the ids of limits: those of a second class of the same name are others. */
export class LimitNames {
  readonly #names = new Map<Class, string>();
  readonly #taken = new Map<string, number>();

  of(type: Class): string {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const count = (this.#taken.get(type.name) ?? 0) + 1;
    this.#taken.set(type.name, count);
    const name = count === 1 ? type.name : `${type.name}~${String(count)}`;
    this.#names.set(type, name);
    return name;
  }
}

/**
 * The limits of a method: those of the application, of the groups from the outermost to its own, and its own. All of
 * them count. An override keeps those of the method that it overrides.
 */
export function scanLimits(
  { controller, member }: MethodDraft,
  path: GroupPath,
  names: LimitNames,
  defaults: readonly ScannedLimit[] = [],
): readonly ScannedLimit[] {
  const holders = path.length === 0 ? [controller.type] : path.map((group) => group.type);
  // A group may extend its own parent, whose limits count once
  const owners = new Set(holders.flatMap((type) => [...classChain(type)].reverse()));
  const ofClasses = [...owners].flatMap((type) => recordedLimits(type, undefined, names));
  const ofMethod = [...classChain(controller.type)]
    .reverse()
    .flatMap((type) => recordedLimits(type, member, names));
  return Object.freeze([...defaults, ...ofClasses, ...ofMethod]);
}

function recordedLimits(
  type: Class,
  member: string | symbol | undefined,
  names: LimitNames,
): readonly ScannedLimit[] {
  const records = ownRecords(type, 'limit').filter((record) => record.member === member);
  const owner = member === undefined ? names.of(type) : `${names.of(type)}.${String(member)}`;
  // Decorators run from the lowest to the uppermost
  const declarations = [...records]
    .reverse()
    .filter(isValid)
    .map(({ limit }) => limit);
  return scanDeclarations(declarations, owner);
}

const RULES = { rate: rateLimitRule, quota: quotaRule, concurrency: concurrencyRule } as const;
const DECORATORS = { rate: '@RateLimit', quota: '@Quota', concurrency: '@Concurrency' } as const;

/** The decorator that wrote a record. */
export function limitDecorator({ limit }: LimitRecord): string {
  return DECORATORS[limit.kind];
}

function isValid({ limit }: LimitRecord): boolean {
  return RULES[limit.kind].faultsOf(limit.options, '').length === 0;
}

/** Reports what is wrong with the limits of a class and its methods. */
export function checkLimits(
  type: Class,
  nameOf: (type: Class, member: string | symbol) => string,
  problems: ProblemList,
): void {
  for (const record of ownRecords(type, 'limit')) {
    const { member, limit } = record;
    const where = member === undefined ? type.name : nameOf(type, member);
    reportFaults(RULES[limit.kind].faultsOf(limit.options, ''), limitDecorator(record), problems.at(where));
  }
}
