import type { ExplainedRule } from './explanation.ts';
import type { CheckPlan, ClassPlan, PropertyPlan } from './plan/check-plan.ts';

/** Lists how each rule of a plan is checked. */
export function explainPlan({ root }: CheckPlan): readonly ExplainedRule[] {
  const rules: ExplainedRule[] = [];
  const entered = new Set<ClassPlan>();
  const enter = (plan: ClassPlan, path: string): void => {
    if (entered.has(plan)) return;
    entered.add(plan);
    for (const property of plan.properties) {
      const place = path === '' ? property.name : `${path}.${property.name}`;
      rules.push(...explainProperty(property, place));
      if (property.conversion.kind === 'instance') enter(property.conversion.plan(), place);
    }
  };
  enter(root, '');
  return Object.freeze(rules.map((rule) => Object.freeze(rule)));
}

function explainProperty({ conditions, rules }: PropertyPlan, property: string): readonly ExplainedRule[] {
  return [
    ...conditions.map(({ asks }): ExplainedRule =>
      asks === 'test'
        ? { property, rule: 'validateIf', how: 'called', why: 'a condition of your own' }
        : { property, rule: asks === 'present' ? 'isOptional' : 'nullable', how: 'inline' },
    ),
    ...rules.map(({ name, why }): ExplainedRule =>
      why === undefined
        ? { property, rule: name, how: 'inline' }
        : { property, rule: name, how: 'called', why },
    ),
  ];
}
