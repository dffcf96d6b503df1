import type { ConditionPlan, PropertyPlan, RulePlan } from '../plan/check-plan.ts';
import type { UseConstant } from '../rules/inline-rule.ts';
import { stateOf } from './write-conversion.ts';

/** Judges a property of the finished instance `o`, as class-validator does: undefined is a refusal. */
export function writeJudgement(property: PropertyPlan, index: number, use: UseConstant): string {
  const { name, conditions, rules, conversion, isJudged } = property;
  const settle = (test: string): string => (isJudged ? `if (!(${test})) return undefined;` : `(${test});`);
  const lines = [
    ...rules.filter(({ each }) => !each).map((rule) => writeRule(rule, settle, use)),
    ...writeItems(
      rules.filter(({ each }) => each),
      settle,
      use,
    ),
  ];
  if (conversion.kind === 'instance' && isJudged) {
    lines.push(settle(`${stateOf(index)} === 2 || x === undefined || (Array.isArray(x) && x.length === 0)`));
  }
  if (lines.length === 0 && conditions.length === 0) return '';
  return `{ const x = o[${JSON.stringify(name)}]; ${writeConditions(conditions, lines.join('\n'), use)} }`;
}

/** Each condition is asked, whatever the others say: one that throws makes the value invalid. */
function writeConditions(conditions: readonly ConditionPlan[], body: string, use: UseConstant): string {
  if (conditions.length === 0) return body;
  const asked = conditions.flatMap((one) => (one.asks === 'test' ? [`${use(one.test)}(o, x)`] : []));
  const names = asked.map((_, position) => `c${String(position)}`);
  const isOptional = conditions.some(({ asks }) => asks === 'present');
  const present = [
    ...(isOptional ? ['x !== undefined'] : []),
    ...(asked.length < conditions.length ? ['x !== null'] : []),
  ];
  const declared = asked.map((call, position) => `const c${String(position)} = ${call};`).join(' ');
  return `${declared} if (${[...names, ...present].join(' && ')}) { ${body} }`;
}

type Settle = (test: string) => string;

function writeRule({ inline, call, condition }: RulePlan, settle: Settle, use: UseConstant): string {
  const line = settle(inline === undefined ? `${use(call)}(x, o, x)` : inline.code('x', use));
  return condition === undefined ? line : `if (${use(condition)}(o, x)) { ${line} }`;
}

/** Rules for items take a value that is no array for an item; sets and maps are left to the libraries. */
function writeItems(rules: readonly RulePlan[], settle: Settle, use: UseConstant): readonly string[] {
  if (rules.length === 0) return [];
  const line = (rule: RulePlan): string => {
    const { inline, call, condition } = rule;
    const test = settle(inline === undefined ? `${use(call)}(i, o, x)` : inline.code('i', use));
    return condition === undefined ? test : `if (${conditionName(rule, rules)}) { ${test} }`;
  };
  const asked = rules
    .filter(({ condition }) => condition !== undefined)
    .map((rule) => `const ${conditionName(rule, rules)} = ${use(rule.condition)}(o, x);`);
  const body = rules.map(line).join(' ');
  return [
    ...asked,
    `if (Array.isArray(x)) { for (let n = 0; n < x.length; n++) { const i = x[n]; ${body} } }`,
    `else { if (x instanceof Set || x instanceof Map) return undefined; const i = x; ${body} }`,
  ];
}

function conditionName(rule: RulePlan, rules: readonly RulePlan[]): string {
  return `r${String(rules.indexOf(rule))}`;
}
