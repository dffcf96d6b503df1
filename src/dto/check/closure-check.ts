import type { CallValidator, CheckPlan, ClassPlan, PropertyPlan, RunCheck, RulePlan } from './check-plan.ts';
import { DEEPEST_LEVEL } from './copy-input.ts';
import type { Fits } from './published-values.ts';
import { createConversion, createCopy, isPlain, type ConvertValue, type CopyValue } from './plain-values.ts';

const NOTHING = {};

/** The check of a DTO for platforms that do not allow code generated at run time. */
export function createClosures({ root, classes, unknownFields }: CheckPlan): RunCheck {
  const made = new Map<ClassPlan, CheckClass>();
  const checks: ClassChecks = {
    checkOf: (plan) => made.get(plan) as CheckClass,
    copy: createCopy(unknownFields),
    isStrict: unknownFields === 'strict',
  };
  for (const plan of classes) made.set(plan, createClassCheck(plan, checks));
  const checkRoot = checks.checkOf(root);
  return (value) => {
    // names that every object inherits would be mistaken for members of the input
    for (const name in NOTHING) return undefined;
    return checkRoot(value, 0);
  };
}

type CheckClass = (value: object, depth: number) => object | undefined;

/** What the closures of all classes of one DTO share. */
interface ClassChecks {
  /** Asked while a call runs: classes may contain each other. */
  readonly checkOf: (plan: ClassPlan) => CheckClass;
  readonly copy: CopyValue;
  readonly isStrict: boolean;
}

interface PropertyCheck {
  readonly name: string;
  readonly index: number;
  readonly nullIsAbsent: boolean;
  readonly fits: Fits | undefined;
  readonly convert: ConvertValue;
  /** True where values other than objects are converted, too. */
  readonly convertsScalars: boolean;
  readonly tests: PropertyTests;
}

type Members = Record<string, unknown>;

const REFUSED = Symbol('refused');
/** The number of properties that are recorded as bits of a number. */
const BITS = 31;

/** The properties of an object that one call found: a bit for each, and the numbers of those that have no bit. */
interface Found {
  bits: number;
  further: Set<number> | undefined;
}

/** The check of a class as a closure: the same steps as the generated code. */
function createClassCheck({ type: Type, properties }: ClassPlan, checks: ClassChecks): CheckClass {
  const { isStrict } = checks;
  const all = properties.map((property, index) => createPropertyCheck(property, index, checks));
  const byName = new Map(all.map((property) => [property.name, property]));
  // reading from the instance is slow, and only user code can change the values or look at other properties
  const isPure = properties.every(isInlined);
  const presets = createPresets(properties, all);

  const setAll = (value: Members, instance: Members, found: Found, depth: number): boolean => {
    let expected = 0;
    for (const name in value) {
      const item = value[name];
      let property = all[expected];
      if (property?.name !== name) property = byName.get(name);
      if (property !== undefined) {
        if (!setOne(property, item, instance, found, depth)) return false;
        expected = property.index + 1;
      } else if (isStrict) return false;
    }
    return true;
  };
  const setOne = (
    property: PropertyCheck,
    item: unknown,
    instance: Members,
    found: Found,
    depth: number,
  ): boolean => {
    if (item === null && property.nullIsAbsent) return true;
    if (item !== undefined && property.fits?.(item) === false) return false;
    const isObject = typeof item === 'object' && item !== null;
    const converted = isObject || property.convertsScalars ? property.convert(item, depth) : item;
    if (converted === REFUSED) return false;
    instance[property.name] = converted;
    markAsThere(property.index, found);
    return !isPure || passes(property.tests, instance, converted, isObject);
  };
  const passesAll = (instance: Members, found: Found): boolean => {
    for (const { name, index, tests } of all) {
      const wasThere = isThere(index, found);
      if (isPure && wasThere) continue;
      const current = instance[name];
      const isChecked = wasThere && typeof current === 'object' && current !== null;
      if (!passes(tests, instance, current, isChecked)) return false;
    }
    return true;
  };

  return (value, depth) => {
    if (depth > DEEPEST_LEVEL || !isPlain(value)) return undefined;
    const instance = new Type();
    const found: Found = { bits: 0, further: undefined };
    const isAccepted =
      setAll(value as Members, instance as Members, found, depth + 1) &&
      fillIn(presets, instance as Members, found, depth + 1) &&
      passesAll(instance as Members, found);
    return isAccepted ? instance : undefined;
  };
}

function markAsThere(index: number, found: Found): void {
  if (index < BITS) found.bits |= 1 << index;
  else (found.further ??= new Set()).add(index);
}

function isThere(index: number, { bits, further }: Found): boolean {
  return index < BITS ? (bits & (1 << index)) !== 0 : further?.has(index) === true;
}

function isInlined({ conditions, rules }: PropertyPlan): boolean {
  return (
    conditions.every(({ asks }) => asks !== 'test') &&
    rules.every(({ inline, condition }) => inline !== undefined && condition === undefined)
  );
}

interface Preset extends PropertyCheck {
  readonly preset: unknown;
}

/** The defaults of @Field; one of a nested class is left to the libraries. */
function createPresets(
  properties: readonly PropertyPlan[],
  checks: readonly PropertyCheck[],
): readonly Preset[] {
  return checks.flatMap((check, index) => {
    const { preset, conversion } = properties[index] as PropertyPlan;
    if (preset === undefined) return [];
    const convert = conversion.kind === 'instance' ? () => REFUSED : check.convert;
    return [{ ...check, preset: preset.value, convert }];
  });
}

function fillIn(presets: readonly Preset[], instance: Members, found: Found, depth: number): boolean {
  for (const { name, index, preset, convert } of presets) {
    if (isThere(index, found)) continue;
    const converted = convert(preset, depth);
    if (converted === REFUSED) return false;
    instance[name] = converted;
  }
  return true;
}

function createPropertyCheck(property: PropertyPlan, index: number, checks: ClassChecks): PropertyCheck {
  return {
    name: property.name,
    index,
    nullIsAbsent: property.nullIsAbsent,
    fits: property.fits,
    convert: createConvert(property, checks),
    convertsScalars: property.conversion.kind === 'scalar',
    tests: createTests(property),
  };
}

function createConvert({ conversion }: PropertyPlan, { copy, checkOf }: ClassChecks): ConvertValue {
  if (conversion.kind === 'scalar') {
    const convert = createConversion(conversion.type, conversion.takesArrays);
    return (value, depth) =>
      value === undefined || value === null ? value : (convert(value, depth) ?? REFUSED);
  }
  const ofObject = conversion.kind === 'copy' ? copy : createNested(conversion, checkOf);
  return (value, depth) =>
    typeof value === 'object' && value !== null ? (ofObject(value, depth) ?? REFUSED) : value;
}

function createNested(
  { plan, takesArrays }: Extract<PropertyPlan['conversion'], { readonly kind: 'instance' }>,
  checkOf: ClassChecks['checkOf'],
): CheckClass {
  let known: CheckClass | undefined;
  const checkItems = (items: readonly unknown[], depth: number): object | undefined => {
    if (depth > DEEPEST_LEVEL) return undefined;
    const check = (known ??= checkOf(plan()));
    const made: object[] = [];
    for (const item of items) {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
      const one = check(item, depth + 1);
      if (one === undefined) return undefined;
      made.push(one);
    }
    return made;
  };
  return (value, depth) => {
    if (!Array.isArray(value)) return (known ??= checkOf(plan()))(value, depth);
    return takesArrays ? checkItems(value, depth) : undefined;
  };
}

/** The tests of class-validator for a property of a finished instance. */
interface PropertyTests {
  /** With @IsOptional a missing value is not tested. */
  readonly isOptional: boolean;
  /** Null is not tested. */
  readonly isNullable: boolean;
  /** All conditions are called, whatever the others return: one that throws makes the value invalid. */
  readonly conditions: readonly ((object: object, value: unknown) => unknown)[];
  readonly tests: readonly CallValidator[];
  /** The value has to come from an object of the input, which was checked when it was converted. */
  readonly isInstance: boolean;
}

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
    if (!(tests[index] as CallValidator)(value, object, value)) return false;
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

function ignoreAnswer(test: CallValidator): CallValidator {
  return (value, object, whole) => {
    test(value, object, whole);
    return true;
  };
}

function testValue({ inline, call, condition }: RulePlan): CallValidator {
  const test = inline?.test ?? call;
  if (condition === undefined) return test;
  return (value, object) => !condition(object, value) || test(value, object, value);
}

/** Rules for items treat any value other than an array as an item; sets and maps are left to the libraries. */
function testItems({ inline, call, condition }: RulePlan): CallValidator {
  const test = inline?.test ?? call;
  const testAll: CallValidator = (value, object) => {
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
