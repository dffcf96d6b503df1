import { appendRecord } from '../metadata/record-store.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { parameterDecorator } from './decorator-target.ts';

/**
 * Marks the parameter that receives the action's input, or the fields that its group has in common.
 * The DTO is the parameter's own class by default, which needs emitted types.
 *
 * @example
 * create(@Input(CreateTask) input: CreateTask & Workspace) {}
 */
export function Input(type?: SchemaSource): ParameterDecorator {
  return parameterDecorator('@Input', (target, member, index) => {
    appendRecord(target, {
      kind: 'parameter',
      member,
      index,
      source: Object.freeze({ kind: 'input', type }),
    });
  });
}
