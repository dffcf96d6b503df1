import type { FieldOptions } from '../metadata/options.ts';
import { classChain, ownRecords } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import { deepCopy, deepFreeze } from '../shared/deep-freeze.ts';
import type { FieldDoc } from './shape.ts';

/** What @Field says about each property; the class nearest to the DTO wins, option by option. */
export function fieldOptions(target: Class): ReadonlyMap<string, FieldOptions> {
  const options = new Map<string, FieldOptions>();
  for (const type of [...classChain(target)].reverse()) {
    for (const record of ownRecords(type, 'field')) {
      if (typeof record.property !== 'string') continue;
      options.set(record.property, { ...options.get(record.property), ...record.options });
    }
  }
  return options;
}

/** Joins what @Field says with the default of the field's initialiser; an explicit default wins. */
export function fieldDoc(options: FieldOptions = {}, initial: unknown): FieldDoc {
  const { title, description, examples, deprecated, format, header } = options;
  const value = options.default === undefined ? initial : deepCopy(options.default);
  return deepFreeze({
    isDefaultDeclared: options.default !== undefined,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
    ...(examples === undefined ? {} : { examples: deepCopy(examples) }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(format === undefined ? {} : { format }),
    ...(header === undefined ? {} : { header }),
  });
}
