import { DEEPEST_LEVEL } from '../copy-json.ts';
import type { ClassPlan, PropertyPlan } from '../plan/check-plan.ts';
import { hasState, stateOf, writeConversion, writePreset, type Writing } from './write-conversion.ts';
import { writeJudgement } from './write-judgement.ts';

/**
 * The function of a class: from a plain object to a checked instance, or to undefined. Properties are set in the
 * order of the input, as class-transformer does it, and judged when all of them are set.
 */
export function writeClass(plan: ClassPlan, writing: Writing): string {
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
${plan.properties.map((property, index) => writeJudgement(property, index, use)).join('\n')}
return o;
}`;
}

function writeCase(property: PropertyPlan, index: number, writing: Writing): string {
  const name = JSON.stringify(property.name);
  const state = hasState(property) ? `${stateOf(index)} = 1; ` : '';
  const skip = property.nullIsAbsent ? 'if (x === null) break; ' : '';
  return `case ${name}: { let x = v[${name}]; ${skip}${state}${writeConversion(property, index, writing)} o[${name}] = x; break; }`;
}

/** The function of an array of instances; an item that is no object is left to the libraries. */
export function writeItemsFunction(plan: ClassPlan, { numberOf }: Writing): string {
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
