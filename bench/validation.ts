import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { createChecker } from '../src/compile/checker/create-checker.ts';
import { createClassContract } from '../src/compile/contracts/class-contract.ts';
import type { CheckPath } from '../src/compile/checker/explanation.ts';
import { readShape } from '../src/shape/read-shape.ts';
import type { Class } from '../src/shared/class-type.ts';
import { compare, type Side } from './measure.ts';
import { Contact, contact, Order, order } from './order.ts';

// The checks of a DTO against class-transformer and class-validator; run it on a machine that does nothing else.

const FEW = 500;
const MANY = 50_000;

function libraries(type: Class, value: object): Side {
  const run = (): unknown => validateSync(plainToInstance(type as new () => object, value));
  return { name: 'class-transformer and class-validator', run, times: FEW };
}

function checker(type: Class, value: Record<string, unknown>, path: CheckPath): Side {
  const { run } = createChecker(readShape(type), { unknownFields: 'strict', path });
  if (run(value) === undefined) throw new Error(`${type.name} is not accepted`);
  return { name: path, run: () => run(value), times: MANY };
}

function contract(type: Class, value: Record<string, unknown>, path: CheckPath): Side {
  const { check } = createClassContract(type, { unknownFields: 'strict', where: 'bench', path });
  return { name: path, run: () => check(value), times: FEW };
}

function compilation(type: Class, path: CheckPath): Side {
  const shape = readShape(type);
  const run = (): unknown => createChecker(shape, { unknownFields: 'strict', path });
  return { name: `compiling: ${path}`, run, times: FEW };
}

function report(title: string, goals: Readonly<Record<string, number>>, sides: readonly Side[]): void {
  console.log(title);
  for (const { name, speed } of compare(sides)) {
    const goal = goals[name];
    console.log(
      `  ${name.padEnd(40)} ${speed.toFixed(2).padStart(8)}${goal === undefined ? '' : `   goal ${goal.toFixed(2)}`}`,
    );
  }
}

const invalid = { ...order(), id: 0 };

report('valid input, inline rules', { generated: 100, closures: 25 }, [
  libraries(Order, order()),
  checker(Order, order(), 'generated'),
  checker(Order, order(), 'closures'),
]);
report('valid input, called validators', { generated: 3, closures: 3 }, [
  libraries(Contact, contact()),
  checker(Contact, contact(), 'generated'),
  checker(Contact, contact(), 'closures'),
]);
report('invalid input, with the answer', { generated: 1 / 1.2, closures: 1 / 1.2 }, [
  contract(Order, invalid, 'class-stack'),
  contract(Order, invalid, 'generated'),
  contract(Order, invalid, 'closures'),
]);
report('compiling, against one validation', { 'compiling: generated': 1 / 6, 'compiling: closures': 1 / 6 }, [
  libraries(Order, order()),
  compilation(Order, 'generated'),
  compilation(Order, 'closures'),
]);
