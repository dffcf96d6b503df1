import type { TargetMap } from 'class-transformer';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';
import type { Class } from '../shared/class-type.ts';
import { PLAIN_TO_CLASS } from './transformer-metadata.ts';

/**
 * class-transformer compares all names of an object with each other, so one of a hundred thousand takes seconds. Where
 * no class has a say in its names, they are what they are.
 */
class FastExecutor extends TransformOperationExecutor {
  protected override getKeys(target: unknown, object: object, isMap: boolean | undefined): string[] {
    const isPlain = (target === undefined || target === Object) && !(object instanceof Map);
    return isPlain ? Object.keys(object) : super.getKeys(target, object, isMap);
  }
}

/** `plainToInstance` of class-transformer; it throws what the class's constructor, transforms or conversions throw. */
export function toInstance(type: Class, plain: unknown, targetMaps: TargetMap[]): object {
  const executor = new FastExecutor(PLAIN_TO_CLASS, { exposeUnsetFields: true, targetMaps });
  return executor.transform(undefined, plain, type) as object;
}
