import { expect } from '@jest/globals';
import { createChecker, type Checker } from '../../../src/dto/check/class-check.ts';
import type { UnknownFields } from '../../../src/metadata/options.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import type { Class } from '../../../src/shared/class-type.ts';

export const PATHS = ['generated', 'closures'] as const;

export interface Made {
  readonly unknownFields?: UnknownFields;
  readonly redeclared?: readonly string[];
  readonly path?: (typeof PATHS)[number];
}

/** A checker that is compiled already, as if it had checked a value before. */
export function checkerOf(type: Class, { unknownFields = 'strict', ...options }: Made = {}): Checker {
  const checker = createChecker(readShape(type), { unknownFields, ...options });
  expect(checker.explanation.dto).toBe(type.name);
  return checker;
}

/** How a rule of a property is checked. */
export function howOf(type: Class, rule: string): string | undefined {
  return checkerOf(type).explanation.rules.find((one) => one.rule === rule)?.how;
}
