import { InvalidConditionError } from '../errors/workflow-error.ts';
import { isPlainObject, jsonEntries } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { comparatorOf } from './condition.ts';

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

  /** @param maxFaults after which the check ends */
  constructor(condition: unknown, maxFaults = Infinity) {
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
    const { value, level, above } = place;
    if (level > MAX_CONDITION_LEVELS) {
      // Said where the levels become too many; beneath, only names are looked at, of which there can be a million
      if ((above?.level ?? 0) <= MAX_CONDITION_LEVELS)
        this.#fault(place, `is nested deeper than ${MAX_CONDITION_LEVELS} levels.`);
      if (!isPlainObject(value) || this.operators.length >= MOST_NAMES) return [];
    } else if (!isPlainObject(value)) {
      this.#fault(place, 'has to be an object.');
      return [];
    }
    if ((this.#levels.get(value) ?? 0) >= level) return [];
    this.#levels.set(value, level);
    this.isFrozen &&= Object.isFrozen(value);
    const members = jsonEntries(value);
    const siblings = new Set(members.map(([name]) => name));
    return members.map(([token, member]) => ({ value: member, level, above: place, token, siblings }));
  }

  #member(place: Place, siblings: ReadonlySet<string>): readonly Place[] {
    const { value, level, token } = place;
    const name = String(token);
    if (name === 'not') return [{ value, level: below(level), above: place }];
    if (name === 'and' || name === 'or') return this.#list(place);
    const isKnown = name === 'var' || comparatorOf(name) !== undefined;
    if (!isKnown) this.operators.push(name);
    if (level > MAX_CONDITION_LEVELS) return [];
    if (!isKnown) this.#fault(place, 'is not an operator of conditions.');
    else if (!siblings.has('var')) this.#fault(place, 'needs "var" beside it.');
    else if (name === 'var' && typeof value !== 'string')
      this.#fault(place, 'has to be the name of a variable.');
    return [];
  }

  #list(place: Place): readonly Place[] {
    const { value } = place;
    if (!Array.isArray(value)) {
      if (place.level <= MAX_CONDITION_LEVELS) this.#fault(place, 'has to be an array of conditions.');
      return [];
    }
    this.isFrozen &&= Object.isFrozen(value);
    const level = below(place.level);
    return Array.from(value, (child: unknown, token) => ({ value: child, level, above: place, token }));
  }

  #fault(place: Place, what: string): void {
    this.faults.push({ path: pointerTo(place), what });
  }
}

/** Levels that are too many are not told apart, so that a part of them is looked at once. */
function below(level: number): number {
  return Math.min(level, MAX_CONDITION_LEVELS) + 1;
}

function pointerTo(place: Place): string {
  const tokens: (string | number)[] = [];
  for (let each: Place | undefined = place; each !== undefined; each = each.above) {
    if (each.token !== undefined) tokens.push(each.token);
  }
  return pointTo('', ...tokens.toReversed());
}
