import type { CheckPlan, ClassPlan, PropertyPlan, RulePlan, RunCheck, UseConstant } from './check-plan.ts';
import { DEEPEST_LEVEL } from './copy-input.ts';
import { createConversion, createCopy, type CopyValue } from './plain-values.ts';
import { createTests, passes } from './closure-check.ts';

/** Writes a check as code. Undefined if the platform forbids code generated at run time. */
export function generateCheck({ root, classes, unknownFields }: CheckPlan): RunCheck | undefined {
  const constants = createConstants();
  const writing: Writing = {
    use: constants.use,
    copy: createCopy(unknownFields),
    numberOf: (plan) => classes.indexOf(plan),
    isStrict: unknownFields === 'strict',
  };
  const functions = classes.flatMap((plan) => [writeClass(plan, writing), writeItemsFunction(plan, writing)]);
  // names that every object inherits would be taken for members of the input
  const source = `"use strict"; ${constants.declaration('values')}
${functions.join('\n')}
return function check(v) {
for (const k in {}) return undefined;
return check${String(classes.indexOf(root))}(v, 0);
};`;
  return evaluate(source, constants.values);
}

function evaluate(source: string, values: readonly unknown[]): RunCheck | undefined {
  try {
    // The text holds names as JSON strings, numbers of this file and the code of rules; every other value is
    // handed in.
    // oxlint-disable-next-line typescript/no-implied-eval
    return (new Function('values', source) as (values: readonly unknown[]) => RunCheck)(values);
  } catch (error) {
    // an EvalError mostly; a text that cannot be parsed would be a mistake made here
    if (error instanceof SyntaxError) throw error;
    return undefined;
  }
}

/**
 * The function of a class: from a plain object to a checked instance, or to undefined. Properties are set in the
 * order of the input, as class-transformer does it, and tested when all of them are set.
 */
function writeClass(plan: ClassPlan, writing: Writing): string {
  const { use, numberOf, isStrict } = writing;
  const states = plan.properties.flatMap((property, index) =>
    hasState(property) ? [`let ${stateOf(index)} = 0;`] : [],
  );
  return `function check${String(numberOf(plan))}(v, d) {
const p = Object.getPrototypeOf(v);
if (d > ${String(DEEPEST_LEVEL)} || (p !== Object.prototype && p !== null)) return undefined;
const o = new ${use(plan.type)}();
${states.join(' ')}
for (const k in v) {
switch (k) {
${plan.properties.map((property, index) => writeCase(property, index, writing)).join('\n')}
default: ${isStrict ? 'return undefined;' : 'break;'}
}
}
${plan.properties.map((property, index) => writePreset(property, index, writing)).join('\n')}
${plan.properties.map((property, index) => writeTests(property, index, use)).join('\n')}
return o;
}`;
}

function writeCase(property: PropertyPlan, index: number, writing: Writing): string {
  const name = JSON.stringify(property.name);
  const state = hasState(property) ? `${stateOf(index)} = 1; ` : '';
  const skip = property.nullIsAbsent ? 'if (x === null) break; ' : '';
  const fits = property.fits && writing.use(property.fits);
  const test = fits === undefined ? '' : `if (x !== undefined && !${fits}(x)) return undefined; `;
  return `case ${name}: { let x = v[${name}]; ${skip}${test}${state}${writeConversion(property, index, writing)} o[${name}] = x; break; }`;
}

/** The function of an array of instances; an item of another type is left to the libraries. */
function writeItemsFunction(plan: ClassPlan, { numberOf }: Writing): string {
  const number = String(numberOf(plan));
  return `function items${number}(v, d) {
if (d > ${String(DEEPEST_LEVEL)}) return undefined;
const items = [];
for (let n = 0; n < v.length; n++) {
const x = v[n];
if (typeof x !== "object" || x === null || Array.isArray(x)) return undefined;
const made = check${number}(x, d + 1);
if (made === undefined) return undefined;
items.push(made);
}
return items;
}`;
}

/** What the code of all classes of one DTO shares. */
interface Writing {
  readonly use: UseConstant;
  readonly copy: CopyValue;
  /** The number of a class, which its functions are named by. */
  readonly numberOf: (plan: ClassPlan) => number;
  readonly isStrict: boolean;
}

/** The variable for the state of a property: 1 if it is present, 2 if its nested value was checked as well. */
function stateOf(index: number): string {
  return `s${String(index)}`;
}

function hasState({ conversion, preset }: PropertyPlan): boolean {
  return conversion.kind === 'instance' || preset !== undefined;
}

/** Converts the value in `x`, one level below `d`, or gives up. */
function writeConversion({ conversion }: PropertyPlan, index: number, writing: Writing): string {
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
function writePreset(property: PropertyPlan, index: number, writing: Writing): string {
  const { preset, conversion, name } = property;
  if (preset === undefined) return '';
  const fill =
    conversion.kind === 'instance'
      ? 'return undefined;'
      : `let x = ${writing.use(preset.value)}; ${writeConversion(property, index, writing)} o[${JSON.stringify(name)}] = x;`;
  return `if (${stateOf(index)} === 0) { ${fill} }`;
}

/**
 * Tests a property of the finished instance `o`, as class-validator does: undefined means rejected. Closures test
 * the author's own conditions, and rules that count only if they throw.
 */
function writeTests(property: PropertyPlan, index: number, use: UseConstant): string {
  const { name, conditions, rules, conversion } = property;
  const isNested = conversion.kind === 'instance';
  if (rules.length === 0 && conditions.length === 0 && !isNested) return '';
  const value = `const x = o[${JSON.stringify(name)}];`;
  const isChecked = isNested ? `${stateOf(index)} === 2` : 'false';
  if (!isPlainlyAsked(property)) {
    const tests = createTests(property);
    const test = (object: object, x: unknown, isDone: boolean): boolean => passes(tests, object, x, isDone);
    return `{ ${value} if (!${use(test)}(o, x, ${isChecked})) return undefined; }`;
  }
  const ofValue = rules.filter(({ each }) => !each).map((rule) => writeRule(rule, 'x', use));
  const ofItems = rules.filter(({ each }) => each).map((rule) => writeRule(rule, 'i', use));
  const lines = [...ofValue, ...writeItems(ofItems.join(' '))];
  if (isNested) {
    lines.push(refuseUnless(`${isChecked} || x === undefined || (Array.isArray(x) && x.length === 0)`));
  }
  const isOptional = conditions.some(({ asks }) => asks === 'present');
  const present = `${isOptional ? 'x !== undefined && ' : ''}x !== null`;
  const body = lines.join('\n');
  return `{ ${value} ${conditions.length === 0 ? body : `if (${present}) { ${body} }`} }`;
}

function isPlainlyAsked({ conditions, rules, isOwn }: PropertyPlan): boolean {
  return (
    isOwn &&
    conditions.every(({ asks }) => asks !== 'test') &&
    rules.every(({ condition }) => condition === undefined)
  );
}

function refuseUnless(test: string): string {
  return `if (!(${test})) return undefined;`;
}

function writeRule({ inline, call }: RulePlan, value: string, use: UseConstant): string {
  if (inline === undefined) return refuseUnless(`${use(call)}(${value}, o, x)`);
  return refuseUnless(inline.code?.(value, use) ?? `${use(inline.test)}(${value})`);
}

/** Rules for items treat any value other than an array as an item; sets and maps are left to the libraries. */
function writeItems(rules: string): readonly string[] {
  if (rules === '') return [];
  return [
    `if (Array.isArray(x)) { for (let n = 0; n < x.length; n++) { const i = x[n]; ${rules} } }`,
    `else { if (x instanceof Set || x instanceof Map) return undefined; const i = x; ${rules} }`,
  ];
}

/** The values that generated code uses; none of them is written into its source text. */
interface Constants {
  readonly use: UseConstant;
  /** The statement that gives the values their names; `values` is the parameter that holds them. */
  readonly declaration: (parameter: string) => string;
  readonly values: readonly unknown[];
}

function createConstants(): Constants {
  const names = new Map<unknown, string>();
  return {
    use: (value) => {
      const name = names.get(value) ?? `k${String(names.size)}`;
      // a map treats 0 and -0 as one key, and so does every check here
      names.set(value, name);
      return name;
    },
    declaration: (parameter) =>
      names.size === 0 ? '' : `const [${[...names.values()].join(', ')}] = ${parameter};`,
    get values() {
      return [...names.keys()];
    },
  };
}
