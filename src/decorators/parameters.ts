import type { InjectOptions } from '../metadata/options.ts';
import { appendRecord } from '../metadata/records.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { Token } from '../shared/class-type.ts';
import { copyOptions } from './copy-options.ts';
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

/**
 * Marks the parameter that receives the ToolContext of the call.
 * Not needed on a parameter typed `ToolContext` when the compiler emits types.
 *
 * @example
 * list(@Ctx() ctx: ToolContext) {}
 */
export function Ctx(): ParameterDecorator {
  return parameterDecorator('@Ctx', (target, member, index) => {
    appendRecord(target, { kind: 'parameter', member, index, source: Object.freeze({ kind: 'context' }) });
  });
}

/**
 * Injects what a token stands for, into a constructor's or an action's parameter.
 * Use `() => TheClass` when files import each other. Not optional by default; an optional one is `undefined`
 * when nobody provides it.
 *
 * @example
 * constructor(@Inject('DATABASE') private readonly db: Database, @Inject(Cache, { optional: true }) cache?: Cache) {}
 */
export function Inject(token: Token | (() => Token), options: InjectOptions = {}): ParameterDecorator {
  const copy = copyOptions(options);
  return parameterDecorator('@Inject', (target, member, index) => {
    const source = Object.freeze({ kind: 'inject', token, options: copy } as const);
    appendRecord(target, { kind: 'parameter', member, index, source });
  });
}
