import { appendRecord } from '../metadata/record-store.ts';
import { parameterDecorator } from './decorator-target.ts';

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
