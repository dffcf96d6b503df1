import { InvalidConditionError } from '../errors/workflow-error.ts';
import { isPlainObject, jsonEntries } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { comparatorOf } from './comparators.ts';

// Who needs to know of more has other worries; a condition can have a million.
const MOST_FAULTS = 1000;

/**
 * Checks the form of a condition in every part. No condition (undefined or null) is fine.
 *
 * @param path where the condition stands: an RFC 6901 pointer that the one of the error goes on from
 * @throws InvalidConditionError `INVALID_CONDITION` with a pointer to the first fault, and the unknown members among the
 * first thousand faults
 * @example
 * validateCondition({ var: 'files', gt: 10 });
 */
export function validateCondition(condition: unknown, path = ''): void {
  if (condition === undefined || condition === null) return;
  const { faults, operators } = new ConditionCheck(condition, MOST_FAULTS);
  const [first] = faults;
  if (first === undefined) return;
  const pointer = path + first.path;
  throw new InvalidConditionError(pointer, `The condition at "${pointer}" ${first.what}`, operators);
}

/** One thing that is wrong with the form of a condition. */
interface ConditionFault {
  /** An RFC 6901 pointer into the condition. */
  readonly path: string;
  /** Goes on from the name of the place. */
  readonly what: string;
}

/** Conditions within each other, the outermost included. */
const MAX_CONDITION_LEVELS = 64;
// Of unknown members, where nobody looks for anything else
const MOST_NAMES = 1000;

/** A condition that has to be looked at, or a member of one. */
interface Place {
  readonly value: unknown;
  readonly level: number;
  readonly above?: Place;
  readonly token?: string | number;
  /** What stands beside a member; undefined for a condition. */
  readonly siblings?: ReadonlySet<string>;
}

/**
 * Looks at the form of a condition in every part. Neither depth nor cycles make it fail or take long: a part that
 * is met again is looked at again only where it is deeper down, and beneath levels that are too many only names count.
 */
export class ConditionCheck {
  /** In document order. */
  readonly faults: ConditionFault[] = [];
  /** The names of unknown members at any depth, in document order. */
  readonly operators: string[] = [];
  /** Whether no part can change any more. */
  isFrozen = true;
  readonly #levels = new Map<unknown, number>();
  readonly #below = new Set<unknown>();
  readonly #maxFaults: number;

  /** @param maxFaults after which the check ends */
  constructor(condition: unknown, maxFaults = Infinity) {
    this.#maxFaults = maxFaults;
    const pending: Place[] = [{ value: condition, level: 1 }];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (this.faults.length >= maxFaults) return;
      for (const inner of this.#look(place).toReversed()) pending.push(inner);
    }
  }

  #look(place: Place): readonly Place[] {
    try {
      return place.siblings === undefined ? this.#condition(place) : this.#member(place, place.siblings);
    } catch {
      // Getters and proxies throw what they like
      this.#fault(place, 'cannot be read.');
      return [];
    }
  }

  #condition(place: Place): readonly Place[] {
    const { value } = place;
    if (place.level > MAX_CONDITION_LEVELS) {
      this.#fault(place, `is nested deeper than ${MAX_CONDITION_LEVELS} levels.`);
      if (this.faults.length < this.#maxFaults) {
        this.operators.push(...unknownOperators(value, this.#below, MOST_NAMES - this.operators.length));
      }
      return [];
    }
    if (!isPlainObject(value)) {
      this.#fault(place, 'has to be an object.');
      return [];
    }
    if ((this.#levels.get(value) ?? 0) >= place.level) return [];
    this.#levels.set(value, place.level);
    this.isFrozen &&= Object.isFrozen(value);
    const members = jsonEntries(value);
    const siblings = new Set(members.map(([name]) => name));
    return members.map(([token, member]) => ({
      value: member,
      level: place.level,
      above: place,
      token,
      siblings,
    }));
  }

  #member(place: Place, siblings: ReadonlySet<string>): readonly Place[] {
    const { value, level, token: name = '' } = place;
    if (name === 'not') return [{ value, level: level + 1, above: place }];
    if (name === 'and' || name === 'or') return this.#list(place);
    if (name === 'var') {
      if (typeof value !== 'string') this.#fault(place, 'has to be the name of a variable.');
    } else if (comparatorOf(String(name)) === undefined) {
      this.operators.push(String(name));
      this.#fault(place, 'is not an operator of conditions.');
    } else if (!siblings.has('var')) {
      this.#fault(place, 'needs "var" beside it.');
    }
    return [];
  }

  #list(place: Place): readonly Place[] {
    const { value, level } = place;
    if (!Array.isArray(value)) {
      this.#fault(place, 'has to be an array of conditions.');
      return [];
    }
    this.isFrozen &&= Object.isFrozen(value);
    return Array.from(value, (child: unknown, token) => ({
      value: child,
      level: level + 1,
      above: place,
      token,
    }));
  }

  #fault(place: Place, what: string): void {
    this.faults.push({ path: pointerTo(place), what });
  }
}

function pointerTo(place: Place): string {
  const tokens: (string | number)[] = [];
  for (let each: Place | undefined = place; each !== undefined; each = each.above) {
    if (each.token !== undefined) tokens.push(each.token);
  }
  return pointTo('', ...tokens.toReversed());
}

const CONNECTIVES = ['and', 'or', 'not'];

/**
 * The names in a condition that no operator has, in document order. It looks at nothing else, so a million levels
 * are no trouble.
 *
 * @param seen parts that were looked at already; grows
 */
function unknownOperators(condition: unknown, seen: Set<unknown>, most: number): readonly string[] {
  const names: string[] = [];
  const pending: (readonly [name: string, value: unknown])[] = [['not', condition]];
  for (let member = pending.pop(); member !== undefined && names.length < most; member = pending.pop()) {
    const [name, value] = member;
    if (CONNECTIVES.includes(name)) {
      for (const inner of conditionsIn(value, seen).toReversed())
        for (const innerMember of jsonEntries(inner).toReversed()) pending.push(innerMember);
    } else if (name !== 'var' && comparatorOf(name) === undefined) names.push(name);
  }
  return names;
}

function conditionsIn(value: unknown, seen: Set<unknown>): readonly Readonly<Record<string, unknown>>[] {
  const conditions = (Array.isArray(value) ? value : [value]).filter(isPlainObject);
  return conditions.filter((condition) => {
    const isNew = !seen.has(condition);
    seen.add(condition);
    return isNew;
  });
}
