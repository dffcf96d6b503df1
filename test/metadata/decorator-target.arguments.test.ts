import { expect, test } from '@jest/globals';
import {
  Action,
  Destructive,
  Field,
  Idempotent,
  Injectable,
  Module,
  OpenWorld,
  Prompt,
  ReadOnly,
  Resource,
  ToolGroup,
} from 'toolwright';

/** As JavaScript calls them, where nobody refuses an argument. */
type Loose = (...args: readonly unknown[]) => unknown;
const loose = (decorator: unknown): Loose => decorator as Loose;

test.each([
  ['@Action', () => loose(Action)('Create', { name: 'add' }), 'takes one argument, but was given 2'],
  ['@Prompt', () => loose(Prompt)('Explain', { name: 'why' }), 'takes one argument, but was given 2'],
  [
    '@Resource',
    () => loose(Resource)('a://b', {}, { mimeType: 'a/b' }),
    'takes 2 arguments, but was given 3',
  ],
  ['@Field', () => loose(Field)('Its title', { nullable: true }), 'takes one argument, but was given 2'],
  ['@ToolGroup', () => loose(ToolGroup)('tasks', { expose: 'flat' }), 'takes one argument, but was given 2'],
  ['@Injectable', () => loose(Injectable)({}, 'request'), 'takes one argument, but was given 2'],
  ['@Module', () => loose(Module)({}, []), 'takes one argument, but was given 2'],
  ['@Destructive', () => loose(Destructive)({ confirm: true }, {}), 'takes one argument, but was given 2'],
  ['@Idempotent', () => loose(Idempotent)({ key: 'arguments' }, {}), 'takes one argument, but was given 2'],
  ['@OpenWorld', () => loose(OpenWorld)(false, true), 'takes one argument, but was given 2'],
  ['@ReadOnly', () => loose(ReadOnly)(false), 'takes no argument, but was given 1'],
])('%s refuses what it would ignore, and says how it is written', (name, run, what) => {
  expect(run).toThrow(`TW_DECORATOR_ARGUMENTS: ${name} ${what}.`);
  expect(run).toThrow(`fix: write ${name}(`);
});

test('a decorator without its brackets is refused, too', () => {
  class Tasks {
    remove(): void {}
  }
  const descriptor = Object.getOwnPropertyDescriptor(Tasks.prototype, 'remove');
  for (const decorator of [Action, ReadOnly, Destructive]) {
    expect(() => loose(decorator)(Tasks.prototype, 'remove', descriptor)).toThrow('was given 3');
  }
});

test('TypeScript refuses it as well', () => {
  const written = [
    // @ts-expect-error: the description is one of the options
    () => Action('Create', { name: 'add' }),
    // @ts-expect-error: it has one argument
    () => Destructive({ confirm: true }, 'Really?'),
  ];
  for (const run of written) expect(run).toThrow('TW_DECORATOR_ARGUMENTS');
});
