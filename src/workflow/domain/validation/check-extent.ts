import { InvalidCriteriaError } from '../errors/invalid-criteria-error.ts';
import { isPlainObject } from '../../../shared/json.ts';

const MOST_LEVELS = 64;
const MOST_RULES = 500;

interface OpenLevel {
  readonly children: readonly unknown[];
  position: number;
}

/**
 * Refuses criteria that are nested too deep or have too many rules, so that what comes after may use the stack.
 * It goes down first, so criteria that contain themselves are too deep. What has no children counts as a rule.
 * @throws InvalidCriteriaError
 */
export function checkExtent(criteria: unknown, path: string): void {
  let rules = 0;
  const open: OpenLevel[] = [{ children: [criteria], position: 0 }];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    if (level.position === level.children.length) {
      open.pop();
      continue;
    }
    const children = childrenOf(level.children[level.position]);
    level.position += 1;
    if (children.length === 0) rules += 1;
    else open.push({ children, position: 0 });
    // The first level holds nothing but the criteria themselves
    if (open.length - 1 > MOST_LEVELS) throw excess(path, `nested deeper than ${MOST_LEVELS} levels`);
    if (rules > MOST_RULES) throw excess(path, `more than ${MOST_RULES} rules`);
  }
}

/** The criteria in criteria, whether or not they are well-formed. */
function childrenOf(criteria: unknown): readonly unknown[] {
  if (Array.isArray(criteria)) return criteria;
  if (!isPlainObject(criteria) || criteria['type'] !== undefined) return [];
  return ['and', 'or', 'not'].flatMap((operator) => criteria[operator] ?? []);
}

function excess(path: string, what: string): InvalidCriteriaError {
  return new InvalidCriteriaError(path, `they are ${what}.`);
}
