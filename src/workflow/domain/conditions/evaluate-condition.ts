import { isObject, isPlainObject, jsonEntries, type PlainObject } from '../../../shared/json.ts';
import { comparatorOf, type WorkflowContext, variableIn, type Scope } from './condition.ts';
import { ConditionCheck } from './condition-check.ts';

/**
 * Whether a condition holds in a context. It never throws: a condition that is malformed in any part does not
 * hold. No condition (undefined or null) always holds, and so does `{}`.
 *
 * @param condition a {@link Condition}; any other value is malformed
 * @param context the variables; anything but an object counts as empty
 * @example
 * evaluateCondition({ var: 'score', gte: 80, lt: 100 }, { score: 85 }); // true
 */
export function evaluateCondition(condition: unknown, context: unknown): boolean {
  return evaluateIn(condition, [context as WorkflowContext]);
}

/** Like `evaluateCondition`, with layers of variables; a layer that is not an object counts as empty. */
export function evaluateIn(condition: unknown, scope: Scope): boolean {
  if (condition === undefined || condition === null) return true;
  try {
    if (!isPlainObject(condition) || !isWellFormed(condition)) return false;
    return new Evaluation(scope.filter(isObject)).holds(condition);
  } catch {
    // Getters and proxies throw what they like
    return false;
  }
}

// Only deeply frozen conditions, which cannot become malformed
const wellFormed = new WeakSet<PlainObject>();

function isWellFormed(condition: PlainObject): boolean {
  if (wellFormed.has(condition)) return true;
  const { faults, isFrozen } = new ConditionCheck(condition, 1);
  if (faults.length > 0) return false;
  if (isFrozen) wellFormed.add(condition);
  return true;
}

/** Evaluates well-formed conditions, whose depth is limited, so it may recurse. */
class Evaluation {
  readonly #scope: Scope;
  // Without it, a part shared on every level would double the time per level
  readonly #results = new Map<PlainObject, boolean>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  holds(condition: PlainObject): boolean {
    const known = this.#results.get(condition);
    if (known !== undefined) return known;
    const members = jsonEntries(condition);
    const value = this.#valueOf(condition);
    const isCompared = members.some(([name]) => comparatorOf(name) !== undefined);
    const result = members.every(([name, operand]) =>
      name === 'var' ? isCompared || Boolean(value) : this.#memberHolds(name, operand, value),
    );
    this.#results.set(condition, result);
    return result;
  }

  #memberHolds(name: string, operand: unknown, value: unknown): boolean {
    if (name === 'not') return !this.holds(operand as PlainObject);
    if (name === 'and') return (operand as readonly PlainObject[]).every((child) => this.holds(child));
    if (name === 'or') return (operand as readonly PlainObject[]).some((child) => this.holds(child));
    return comparatorOf(name)?.(value, operand) === true;
  }

  #valueOf(condition: PlainObject): unknown {
    const name = Object.hasOwn(condition, 'var') ? condition.var : undefined;
    return typeof name === 'string' ? variableIn(this.#scope, name) : undefined;
  }
}
