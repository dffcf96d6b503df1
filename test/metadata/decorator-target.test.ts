import { expect, test } from '@jest/globals';
import {
  Action,
  Complete,
  Prompt,
  Resource,
  Ctx,
  Inject,
  Input,
  ReadOnly,
  Field,
} from '../../src/decorators/members.ts';
import { Destructive } from '../../src/features/consent/destructive.ts';
import { Idempotent } from '../../src/features/idempotency/decorator.ts';
import {
  createDecorator,
  Middleware,
  Injectable,
  Module,
  OpenWorld,
  ToolGroup,
} from '../../src/decorators/classes.ts';
import { ToolwrightError } from '../../src/errors/toolwright-error.ts';
import { errorOf } from '../support/thrown.ts';

type Loose = (...args: unknown[]) => void;

const onClass: Readonly<Record<string, unknown>> = {
  '@Module': Module(),
  '@Injectable': Injectable(),
  '@ToolGroup': ToolGroup(),
};
const onMember: Readonly<Record<string, unknown>> = {
  '@Action': Action(),
  '@Prompt': Prompt(),
  '@Resource': Resource('x://y'),
  '@Complete': Complete('go', 'a'),
  '@Destructive': Destructive(),
  '@ReadOnly': ReadOnly(),
  '@Idempotent': Idempotent(),
  '@OpenWorld': OpenWorld(),
  '@Middleware': Middleware(),
  '@Mine': createDecorator<string>('Mine')('x'),
  '@Field': Field(),
  '@Inject': Inject('X'),
  '@Input': Input(),
  '@Ctx': Ctx(),
};

const refusalOf = (work: () => unknown): ToolwrightError => errorOf(work, ToolwrightError);

test.each(Object.entries({ ...onClass, ...onMember }))(
  '%s called the standard way throws with the two tsconfig lines',
  (name, decorator) => {
    const kind = name in onClass ? 'class' : 'method';
    const error = refusalOf(() => {
      (decorator as Loose)(class Target {}, { kind, name: 'x' });
    });
    expect(error.code).toBe('TW_DECORATOR_DIALECT');
    expect(error.where).toBe(name);
    expect(error.fix).toContain('"experimentalDecorators": true');
    expect(error.fix).toContain('"emitDecoratorMetadata": true');
  },
);

test('a decorator on the wrong thing says where it belongs', () => {
  class Target {}
  expect(
    refusalOf(() => {
      (Action() as Loose)(Target.prototype, 'field');
    }).message,
  ).toContain('TW_DECORATOR_TARGET: @Action belongs on a method, but stands on Target.field.');
  expect(
    refusalOf(() => {
      (Ctx() as Loose)(Target.prototype, 'field');
    }).fix,
  ).toBe('move @Ctx to a parameter');
  expect(
    refusalOf(() => {
      (Module() as Loose)(Target.prototype, 'm', { value: () => 1 });
    }).fix,
  ).toBe('move @Module to a class');
  expect(
    refusalOf(() => {
      (Field() as Loose)(Target);
    }).fix,
  ).toBe('move @Field to a property');
  expect(
    refusalOf(() => {
      (ReadOnly() as Loose)(Target);
    }).what,
  ).toBe('belongs on a method, but stands on Target.');
});
