import type { PropertyPlan, RulePlan } from './check-plan.ts';

/** What class-validator asks of a property of a finished instance. */
export interface PropertyTests {
  /** With @IsOptional nothing is asked of a value that is not there. */
  readonly isOptional: boolean;
  /** Nothing is asked of null. */
  readonly isNullable: boolean;
  /** Every one is asked, whatever the others say: one that throws makes the value invalid. */
  readonly conditions: readonly ((object: object, value: unknown) => unknown)[];
  readonly tests: readonly Test[];
  /** Has to come from an object of the input, which was checked when it was converted. */
  readonly isInstance: boolean;
}

type Test = (value: unknown, object: object, whole: unknown) => boolean;

export function createTests({ conditions, rules, conversion, isOwn }: PropertyPlan): PropertyTests {
  const asked = conditions.flatMap((one) => (one.asks === 'test' ? [one.test] : []));
  const tests = rules.map((rule) => (rule.each ? testItems(rule) : testValue(rule)));
  return {
    isOptional: conditions.some(({ asks }) => asks === 'present'),
    isNullable: conditions.length > asked.length,
    conditions: asked,
    // where another contract checks the property, only what throws counts
    tests: isOwn ? tests : tests.map(ignoreAnswer),
    isInstance: isOwn && conversion.kind === 'instance',
  };
}

/** True when class-validator would accept the property. */
export function passes(asked: PropertyTests, object: object, value: unknown, isChecked: boolean): boolean {
  if (isOff(asked, object, value)) return true;
  const { tests, isInstance } = asked;
  for (let index = 0; index < tests.length; index += 1) {
    if (!(tests[index] as Test)(value, object, value)) return false;
  }
  return !isInstance || isChecked || value === undefined || (Array.isArray(value) && value.length === 0);
}

function isOff(
  { conditions, isOptional, isNullable }: PropertyTests,
  object: object,
  value: unknown,
): boolean {
  let isOn = true;
  for (const condition of conditions) isOn = Boolean(condition(object, value)) && isOn;
  return !isOn || (isOptional && value === undefined) || (isNullable && value === null);
}

function ignoreAnswer(test: Test): Test {
  return (value, object, whole) => {
    test(value, object, whole);
    return true;
  };
}

function testValue({ inline, call, condition }: RulePlan): Test {
  const test = inline?.test ?? call;
  if (condition === undefined) return test;
  return (value, object) => !condition(object, value) || test(value, object, value);
}

/** Rules for items take any other value than an array for an item; sets and maps are left to the libraries. */
function testItems({ inline, call, condition }: RulePlan): Test {
  const test = inline?.test ?? call;
  const testAll: Test = (value, object) => {
    if (!Array.isArray(value)) {
      return !(value instanceof Set || value instanceof Map) && test(value, object, value);
    }
    const items: readonly unknown[] = value;
    for (const item of items) if (!test(item, object, items)) return false;
    return true;
  };
  if (condition === undefined) return testAll;
  return (value, object) => !condition(object, value) || testAll(value, object, value);
}
