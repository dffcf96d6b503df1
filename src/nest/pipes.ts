import type { Problem } from '../errors/problem-list.ts';
import type { Operation } from '../operations/operation.ts';
import { isClass } from '../shared/class-type.ts';
import { isObject } from '../shared/json.ts';
import { partsOfNest, type NestApplication } from './nest-application.ts';

/** Whether a pipe validates DTO classes: Nest's ValidationPipe, or a class that extends it. */
export function isValidationPipe(pipe: unknown): pipe is ValidationPipe {
  let type: unknown = isClass(pipe) ? pipe : isObject(pipe) ? pipe.constructor : undefined;
  for (; isClass(type); type = Object.getPrototypeOf(type)) if (type.name === 'ValidationPipe') return true;
  return false;
}

/** The members of Nest's ValidationPipe that say what it does; equal in 11 and 12. */
export interface ValidationPipe {
  readonly isTransformEnabled?: boolean;
  readonly transformOptions?: object;
  transform(value: unknown, metadata: object): Promise<unknown>;
}

/** The pipes that validate the inputs of a route, those of the application last. */
export function validationPipes(app: NestApplication, { metadata }: Operation): readonly ValidationPipe[] {
  const own = (metadata('__pipes__') ?? []) as readonly unknown[];
  const global = partsOfNest(app, 'the application').config.getGlobalPipes();
  return [...own, ...global].filter(isValidationPipe);
}

/** A second entry of an application easily lacks what its `main.ts` sets. */
export function findUnvalidated(app: NestApplication, operations: readonly Operation[]): readonly Problem[] {
  const open = operations.filter(
    (operation) =>
      operation.inputs.some(({ name, source }) => name === undefined && isClass(source)) &&
      validationPipes(app, operation).length === 0,
  );
  const [first] = open;
  if (first === undefined) return [];
  return [
    {
      code: 'TW_NEST_NO_VALIDATION',
      where: first.origin,
      what: `${open.length === 1 ? 'has' : `and ${String(open.length - 1)} more have`} a DTO class, and no ValidationPipe runs, so requests from elsewhere are not validated.`,
      fix: 'app.useGlobalPipes(new ValidationPipe()), as in main.ts',
    },
  ];
}
