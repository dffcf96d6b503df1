import { createConversion, type CopyValue } from '../plain-values.ts';
import type { ClassPlan, PropertyPlan } from '../plan/check-plan.ts';
import type { UseConstant } from '../rules/inline-rule.ts';

/** What the code of all classes of one DTO shares. */
export interface Writing {
  readonly use: UseConstant;
  readonly copy: CopyValue;
  /** The number of a class, which its functions are named by. */
  readonly numberOf: (plan: ClassPlan) => number;
  readonly isStrict: boolean;
}

/** The variable that says what a call found: 1 for a property that is there, 2 for one that was checked inside. */
export function stateOf(index: number): string {
  return `s${String(index)}`;
}

export function hasState({ conversion, preset }: PropertyPlan): boolean {
  return conversion.kind === 'instance' || preset !== undefined;
}

/** Converts the value in `x`, one level below `d`, or gives up. */
export function writeConversion({ conversion }: PropertyPlan, index: number, writing: Writing): string {
  const { use, copy, numberOf } = writing;
  if (conversion.kind === 'copy') {
    return `if (typeof x === "object" && x !== null && (x = ${use(copy)}(x, d + 1)) === undefined) return undefined;`;
  }
  if (conversion.kind === 'scalar') {
    const convert = use(createConversion(conversion.type, conversion.takesArrays));
    return `if (x !== undefined && x !== null && (x = ${convert}(x, d + 1)) === undefined) return undefined;`;
  }
  const number = String(numberOf(conversion.plan()));
  const single = `check${number}(x, d + 1)`;
  const made = conversion.takesArrays ? `Array.isArray(x) ? items${number}(x, d + 1) : ${single}` : single;
  return `if (typeof x === "object" && x !== null) { x = ${made}; if (x === undefined) return undefined; ${stateOf(index)} = 2; }`;
}

/** Fills in the default of a property that is not there; one of a nested class is left to the libraries. */
export function writePreset(property: PropertyPlan, index: number, writing: Writing): string {
  const { preset, conversion, name } = property;
  if (preset === undefined) return '';
  const fill =
    conversion.kind === 'instance'
      ? 'return undefined;'
      : `let x = ${writing.use(preset.value)}; ${writeConversion(property, index, writing)} o[${JSON.stringify(name)}] = x;`;
  return `if (${stateOf(index)} === 0) { ${fill} }`;
}
