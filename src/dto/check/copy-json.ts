import { MOST_MADE, unknownField, type Issue } from '../../call/issue.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import type { PathSegment } from '../../schema/schema-at.ts';
import { isPlainObject } from '../../shared/json.ts';

/** Deeper input is refused: the libraries behind the checks recurse, and the stack is finite. */
export const DEEPEST_LEVEL = 512;

/** What one pass over an input found. */
export interface Findings {
  readonly unknownFields: UnknownFields;
  readonly issues: Issue[];
  /** The path to the current value. */
  readonly path: PathSegment[];
  isTooDeep: boolean;
  /** Null is among the values that were copied. */
  hasNull: boolean;
}

export function beginPass(unknownFields: UnknownFields): Findings {
  return { unknownFields, issues: [], path: [], isTooDeep: false, hasNull: false };
}

/** True for names that a plain object cannot have without shadowing a member that every object inherits. */
export type IsReserved = (name: string) => boolean;

/** Copies JSON; reserved names are reported, or dropped where unknown fields are. */
export function copyJson(value: unknown, isReserved: IsReserved, findings: Findings): unknown {
  if (value === null) findings.hasNull = true;
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  return below(findings, () => {
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) =>
        at(findings, index, () => copyJson(item, isReserved, findings)),
      );
    }
    const copy: Record<string, unknown> = {};
    for (const [name, item] of Object.entries(value)) {
      if (isReserved(name)) reportUnknown(name, item, [], findings);
      else copy[name] = at(findings, name, () => copyJson(item, isReserved, findings));
    }
    return copy;
  });
}

/** Runs a step one level further in. */
export function at<T>(findings: Findings, segment: PathSegment, step: () => T): T {
  findings.path.push(segment);
  const result = step();
  findings.path.pop();
  return result;
}

export function below(findings: Findings, step: () => unknown): unknown {
  if (findings.path.length <= DEEPEST_LEVEL) return step();
  if (!findings.isTooDeep) {
    const path = findings.path.slice(0, 1).join('.');
    const expected = `at most ${String(DEEPEST_LEVEL)} levels`;
    findings.issues.push({ path, message: 'is nested too deeply', expected });
  }
  findings.isTooDeep = true;
  return undefined;
}

export function reportUnknown(
  name: string,
  value: unknown,
  accepted: readonly string[],
  findings: Findings,
): void {
  if (findings.unknownFields === 'strip' || findings.issues.length >= MOST_MADE) return;
  findings.issues.push(unknownField([...findings.path, name].join('.'), name, value, accepted));
}

/** True when a path leads to one of the fields, or into it. */
export function concerns(path: string, names: readonly string[]): boolean {
  return names.some((name) => path === name || path.startsWith(`${name}.`));
}

/** A plain object without some of its members; other values as they are. */
export function withoutNames(value: object, names: readonly string[]): object {
  if (!isPlainObject(value) || !names.some((name) => Object.hasOwn(value, name))) return value;
  // Object.fromEntries defines properties, so that every name stays an ordinary one
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
