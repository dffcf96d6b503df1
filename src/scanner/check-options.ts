import { reportOptions, soundOptions, type OptionReport } from '../errors/option-errors.ts';
import type { ProblemList, ProblemPlace } from '../errors/problem-list.ts';
import { FIELD_RULES } from '../metadata/option-rules.ts';
import { classChain, ownRecords } from '../metadata/records.ts';
import { shapeProblems } from '../dto/shape/shape-problems.ts';
import { checkOptions, type OptionFault, type OptionRules } from '../shared/option-rules.ts';
import { isClass, type Class } from '../shared/class-type.ts';
import { isStandardSchema, type SchemaSource } from '../shared/schema-source.ts';

/** The valid options of a decorator, provider or module object; invalid ones are reported. */
export function readOptions<Options extends object>(
  options: Options,
  rules: OptionRules<Options>,
  of: string,
  here: ProblemPlace,
): Partial<Options> {
  return soundOptions(options, rules, reportOf(of, here), here.problems);
}

/** Reports faults of options; `of` names their owner, such as `@Action`. */
export function reportFaults(faults: readonly OptionFault[], of: string, here: ProblemPlace): void {
  reportOptions(faults, reportOf(of, here), here.problems);
}

function reportOf(of: string, { where }: ProblemPlace): OptionReport {
  return { where, of, code: 'TW_SCAN_OPTION_VALUE', unknown: 'TW_SCAN_OPTION_UNKNOWN' };
}

/** Reports a value that did not exist yet when the decorator ran. */
export function reportUndefined(place: string, fix: string, here: ProblemPlace): void {
  here.add('TW_SCAN_UNDEFINED', {
    what: `names something undefined: ${place}.`,
    why: 'files that import each other in a circle see a class before it exists; a misspelt import does the same.',
    fix,
  });
}

/** Reports what is wrong with the schemas that an options object names. */
export function checkSchemas(options: object, here: ProblemPlace): void {
  for (const name of ['input', 'output', 'common'] as const) {
    if (!Object.hasOwn(options, name)) continue;
    const source = (options as Readonly<Record<string, unknown>>)[name];
    if (source === undefined) reportUndefined(name, `break the import circle, or leave ${name} out`, here);
    else checkSchema(source as SchemaSource, name, here);
  }
}

/** Reports what is wrong with one schema; problems inside a DTO are those of its class. */
export function checkSchema(source: SchemaSource, name: string, here: ProblemPlace): void {
  if (isStandardSchema(source)) return;
  if (isClass(source)) checkDto(source, here.problems);
  else if (typeof source !== 'object' || (source as unknown) === null || Array.isArray(source)) {
    here.add('TW_SCAN_SCHEMA_INVALID', {
      what: `has ${name === 'common' ? 'a' : 'an'} ${name} that is neither a DTO class, a Standard Schema nor a JSON Schema.`,
      fix: `${name}: TheClass`,
    });
  }
}

function checkDto(type: Class, problems: ProblemList): void {
  for (const owner of classChain(type)) {
    for (const { property, options } of ownRecords(owner, 'field')) {
      const here = problems.at(`${owner.name}.${String(property)}`);
      reportFaults(checkOptions(options, FIELD_RULES), '@Field', here);
    }
  }
  for (const { code, ...facts } of shapeProblems(type)) problems.add(code, facts);
}

/** What `Class` or `() => Class` stands for; undefined when the class does not exist. */
export function resolveReference(reference: unknown): unknown {
  if (typeof reference !== 'function' || isClass(reference)) return reference;
  try {
    return (reference as () => unknown)();
  } catch {
    // `() => LateClass` throws a ReferenceError while LateClass has not been evaluated
    return undefined;
  }
}
