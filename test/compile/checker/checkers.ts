import { createChecker, type Checker } from '../../../src/compile/checker/create-checker.ts';
import type { UnknownFields } from '../../../src/metadata/options.ts';
import { readShape } from '../../../src/shape/read-shape.ts';
import type { Class } from '../../../src/shared/class-type.ts';

export const PATHS = ['generated', 'closures'] as const;

export interface Made {
  readonly unknownFields?: UnknownFields;
  readonly redeclared?: readonly string[];
  readonly path?: (typeof PATHS)[number];
}

export function checkerOf(type: Class, { unknownFields = 'strict', ...options }: Made = {}): Checker {
  return createChecker(readShape(type), { unknownFields, ...options });
}

/** How a rule of a property is checked. */
export function howOf(type: Class, rule: string): string | undefined {
  return checkerOf(type).explanation.rules.find((one) => one.rule === rule)?.how;
}
