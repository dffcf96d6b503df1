import { InvalidConditionError } from '../errors/workflow-error.ts';
import { isPlainObject, jsonEntries } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { comparatorOf } from './condition.ts';

// A condition can have a million faults; more than these help nobody.
const MOST_FAULTS = 1000;

/**
 * Checks the form of a condition in every part. No condition (undefined or null) is fine.
 *
 * @param path the RFC 6901 pointer to the condition; pointers in errors start with it
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

interface ConditionFault {
  /** An RFC 6901 pointer into the condition. */
  readonly path: string;
  /** Completes a sentence that starts with the name of the place. */
  readonly what: string;
}

/** Conditions within each other, the outermost included. */
const MAX_CONDITION_LEVELS = 64;
// The maximum number of unknown member names to collect below the level limit
const MOST_NAMES = 1000;

/** A condition to check, or a member of one. */
interface Place {
  readonly value: unknown;
  readonly level: number;
  readonly above?: Place;
  readonly token?: string | number;
  /** The other members of the condition; undefined for a condition itself. */
  readonly siblings?: ReadonlySet<string>;
}

/**
 * Checks the form of a condition in every part. Neither depth nor cycles make it fail or take long: a part that
 * occurs again is checked again only at a deeper level, and below the level limit it only collects unknown names.
 */
export class ConditionCheck {
  /** In document order. */
  readonly faults: ConditionFault[] = [];
  /** The names of unknown members at any depth, in document order. */
  readonly operators: string[] = [];
  /** Whether every part is frozen. */
  isFrozen = true;
  readonly #levels = new Map<unknown, number>();

  /** @param maxFaults the check stops after this many */
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
      // Reported only where the limit is first exceeded; below it only names are collected
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

/** Levels beyond the limit count as one, so that a part there is checked once. */
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
