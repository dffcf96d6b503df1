import type { FieldOptions } from '../metadata/options.ts';
import { admitNull, appendRecord } from '../metadata/records.ts';
import { copyOptions } from './copy-options.ts';
import { propertyDecorator, refuseFurther } from './decorator-target.ts';

/**
 * Describes a field of a DTO to the model that fills it in.
 * Nothing is said by default; rules and types come from class-validator and the property itself.
 *
 * @example
 * class Workspace { @IsString() @Field('Workspace to work in') workspaceId!: string }
 */
export function Field(options: string | FieldOptions = {}, ...further: never[]): PropertyDecorator {
  refuseFurther('@Field', 1, further, "@Field({ description: 'Its title', examples: ['Moby-Dick'] })");
  const copy = copyOptions(typeof options === 'string' ? { description: options } : options);
  return propertyDecorator('@Field', (target, property) => {
    appendRecord(target, { kind: 'field', property, options: copy });
    if (copy.nullable === true) admitNull(target, property);
  });
}
