import { reportOptions, type OptionReport } from '../errors/option-errors.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import { FIELD_RULES } from '../metadata/option-rules.ts';
import { classChain, ownRecords } from '../metadata/records.ts';
import { shapeProblems } from '../dto/shape/shape-problems.ts';
import { checkOptions } from '../shared/option-rules.ts';
import { isClass, type Class } from '../shared/class-type.ts';
import { isStandardSchema, type SchemaSource } from '../shared/schema-source.ts';

/** How wrong options of a decorator, provider or module object are told; `of` is `@Action`, or `a provider`. */
export function optionReport(place: { readonly where: string; readonly of: string }): OptionReport {
  return { ...place, code: 'TW_SCAN_OPTION_VALUE', unknown: 'TW_SCAN_OPTION_UNKNOWN' };
}

/** Reports something that does not exist yet when the decorator ran. */
export function reportUndefined(where: string, place: string, fix: string, problems: ProblemList): void {
  problems.add('TW_SCAN_UNDEFINED', {
    where,
    what: `names something undefined: ${place}.`,
    why: 'files that import each other in a circle see a class before it exists; a misspelt import does the same.',
    fix,
  });
}

/** Reports what is wrong with the schemas that an options object names. */
export function checkSchemas(
  options: object,
  names: readonly ('input' | 'output' | 'common')[],
  where: string,
  problems: ProblemList,
): void {
  for (const name of names) {
    if (!Object.hasOwn(options, name)) continue;
    const source = (options as Readonly<Record<string, unknown>>)[name];
    if (source === undefined) {
      reportUndefined(where, name, `break the import circle, or leave ${name} out`, problems);
    } else checkSchema(source as SchemaSource, name, where, problems);
  }
}

/** Reports what is wrong with one schema; problems inside a DTO are those of its class. */
export function checkSchema(source: SchemaSource, name: string, where: string, problems: ProblemList): void {
  if (isStandardSchema(source)) return;
  if (isClass(source)) checkDto(source, problems);
  else if (typeof source !== 'object' || (source as unknown) === null || Array.isArray(source)) {
    problems.add('TW_SCAN_SCHEMA_INVALID', {
      where,
      what: `has ${name === 'common' ? 'a' : 'an'} ${name} that is neither a DTO class, a Standard Schema nor a JSON Schema.`,
      fix: `${name}: TheClass`,
    });
  }
}

function checkDto(type: Class, problems: ProblemList): void {
  for (const owner of classChain(type)) {
    for (const { property, options } of ownRecords(owner, 'field')) {
      const report = optionReport({ where: `${owner.name}.${String(property)}`, of: '@Field' });
      reportOptions(checkOptions(options, FIELD_RULES), report, problems);
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
