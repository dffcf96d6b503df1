import { expect, test } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { Allow, IsInt, IsString, registerDecorator, ValidateNested, ValidatePromise } from 'class-validator';
import { createChecker } from '../../../src/dto/check/class-check.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { checkerOf } from './checkers.ts';

class Item {
  @IsString() sku!: string;
}
class Renamed {
  @IsString() @Expose({ name: 'other' }) text!: string;
}
class Hidden {
  @IsString() @Exclude() text!: string;
}
@Exclude()
class AllHidden {
  @IsString() text!: string;
}
class Trimmed {
  @IsString() @Transform(({ value }) => String(value).trim()) text!: string;
}
class Grouped {
  @IsString({ groups: ['a'] }) text!: string;
}
class Promised {
  @ValidatePromise() @IsString() text!: string;
}
class Typed {
  @IsInt()
  @Type(({ object }: { object?: { kind?: string } } = {}) => (object?.kind === 'n' ? Number : String))
  x: unknown;
}
class Accessor {
  #text = '';
  @IsString() get text(): string {
    return this.#text;
  }
  set text(text: string) {
    this.#text = text;
  }
}
class Mapped {
  @Allow() @Type(() => String) map!: Map<string, string>;
}
class Thenable {
  @Allow() then: unknown;
}
class Slow {
  text!: string;
}
registerDecorator({
  ...{ name: 'slow', target: Slow, propertyName: 'text', async: true },
  validator: { validate: async () => true },
});
class Outer {
  @ValidateNested() @Type(() => Trimmed) inner!: Trimmed;
}
class Unchecked {
  @Allow() @Type(() => Item) item!: Item;
}

const LEFT: readonly (readonly [Class, string])[] = [
  [Renamed, 'Renamed has @Expose or @Exclude'],
  [Hidden, 'Hidden has @Expose or @Exclude'],
  [AllHidden, 'AllHidden has @Expose or @Exclude'],
  [Trimmed, 'Trimmed.text has @Transform'],
  [Grouped, 'Grouped.text has validation groups'],
  [Promised, 'Promised.text has a validation of type "promiseValidation"'],
  [Typed, 'Typed.x has an @Type that looks at the input'],
  [Accessor, 'Accessor.text is not an ordinary property'],
  [Mapped, 'Mapped.map is a Map'],
  [Thenable, 'Thenable.then is not an ordinary property'],
  [Slow, 'Slow.text has an asynchronous validator'],
  [Outer, 'Trimmed.text has @Transform'],
  [Unchecked, 'Unchecked.item has @Type without @ValidateNested'],
];

test.each(LEFT.map(([type, reason]) => [reason, type] as const))(
  'left to the libraries: %s',
  (reason, type) => {
    const { explanation, run } = checkerOf(type);
    expect(explanation).toEqual({ dto: type.name, path: 'class-stack', reason, rules: [] });
    expect(run({})).toBeUndefined();
  },
);

test('left to the libraries: what cannot be compiled, which is tried once', () => {
  let attempts = 0;
  const shape = {
    ...readShape(Item),
    get properties(): never {
      attempts += 1;
      throw new Error('it has no properties');
    },
  };
  const { run, explanation } = createChecker(shape, { unknownFields: 'strict' });
  expect([run({ sku: 'a' }), run({ sku: 'b' })]).toEqual([undefined, undefined]);
  const reason = 'its compilation failed: it has no properties';
  expect(explanation).toEqual({ dto: 'Item', path: 'class-stack', reason, rules: [] });
  expect(attempts).toBe(1);
});
