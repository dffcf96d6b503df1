import type { CheckPlan, ClassPlan, PropertyPlan } from './check-plan.ts';

/** How the input of a DTO class is checked. Frozen plain data. */
export interface CheckExplanation {
  /** The name of the class. */
  readonly dto: string;
  /**
   * `generated`: code written for the class. `closures`: the same steps if the platform forbids code generated
   * at run time. `class-stack`: class-transformer and class-validator do it all.
   */
  readonly path: CheckPath;
  /** Why the class is checked this way, in a sentence. */
  readonly reason: string;
  /** Every validator of the DTO and of the classes nested in it; empty for `class-stack`. */
  readonly rules: readonly ExplainedRule[];
}

/**
 * How an input is checked: `generated`, by code that was written for its DTO class; `closures`, by functions that were
 * put together for it; `class-stack`, by class-transformer and class-validator.
 */
export type CheckPath = 'generated' | 'closures' | 'class-stack';

/** One validator of a DTO class and how it is checked. */
export interface ExplainedRule {
  /** The names that lead to it, joined with dots. A class that is used twice is listed where it comes first. */
  readonly property: string;
  /** The name of the validator: `isString`, `isOptional`. */
  readonly rule: string;
  /** `inline`: written into the check. `called`: a call of the original validator. */
  readonly how: 'inline' | 'called';
  /** Why it is called. */
  readonly why?: string;
}

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
