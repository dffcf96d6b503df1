import type { Class } from '../shared/class-type.ts';
import { nestedType } from './nested-type.ts';
import type { ValidationReader } from './validation-metadata.ts';

/** A DTO and every class that its nested properties lead to, each once. */
export function nestedClasses(root: Class, reader: ValidationReader): readonly Class[] {
  const known = new Set<Class>([root]);
  for (const target of known) {
    for (const record of reader.recordsOf(target)) {
      if (record.type !== 'nestedValidation') continue;
      const nested = nestedType(target, record.propertyName);
      if (nested?.kind === 'class') known.add(nested.type);
      if (nested?.kind === 'union') for (const option of nested.options) known.add(option.type);
    }
  }
  return [...known];
}
