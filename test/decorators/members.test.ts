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
import { ownRecords } from '../../src/metadata/records.ts';

const Roles = createDecorator<readonly string[]>('Roles');
const audit = (_call: unknown, next: () => Promise<unknown>): Promise<unknown> => next();

class Dto {
  @Field('Its title') title!: string;
  @Field({ format: 'date' }) due!: string;
}

@Injectable({ scope: 'request' })
@ToolGroup('notes')
@Middleware(audit)
@Roles(['reader'])
class NoteTools {
  constructor(@Inject('DB', { optional: true }) readonly db: unknown) {}

  @Action('Delete a note')
  @Destructive()
  @Idempotent()
  @OpenWorld()
  @Roles(['admin'])
  delete(@Input(Dto) _input: Dto, @Ctx() _ctx: unknown, @Inject(() => Dto) _dto: unknown): void {}

  @Action({ name: 'find', tags: ['read'] })
  @ReadOnly()
  @Middleware(audit)
  search(@Input() _input: Dto): void {}

  @Action()
  static make(): void {}
}

test('@ToolGroup with a text names the group', () => {
  expect(ownRecords(NoteTools, 'toolGroup')).toEqual([{ kind: 'toolGroup', options: { name: 'notes' } }]);
});

test('@Injectable keeps the scope', () => {
  expect(ownRecords(NoteTools, 'injectable')[0]?.options).toEqual({ scope: 'request' });
});

test('@Action with a text describes the action, and marks static methods', () => {
  expect(ownRecords(NoteTools, 'action')).toEqual([
    { kind: 'action', member: 'delete', isStatic: false, options: { description: 'Delete a note' } },
    { kind: 'action', member: 'search', isStatic: false, options: { name: 'find', tags: ['read'] } },
    { kind: 'action', member: 'make', isStatic: true, options: {} },
  ]);
});

test('@Prompt, @Resource and @Complete write one record each, with copies of their options', () => {
  const tags = ['x'];
  const annotations = { audience: ['user'] as const };
  class Docs {
    @Prompt('Review a file') review(): void {}
    @Prompt({ name: 'fix', tags }) repair(): void {}
    @Prompt() static make(): void {}
    @Resource('docs://all') all(): void {}
    @Resource('docs://{name}', { list: 'names', annotations }) one(): void {}
    @Complete('review', 'path') @Complete('one', 'name') names(): void {}
  }
  tags.push('y');
  expect(ownRecords(Docs, 'prompt')).toEqual([
    { kind: 'prompt', member: 'review', isStatic: false, options: { description: 'Review a file' } },
    { kind: 'prompt', member: 'repair', isStatic: false, options: { name: 'fix', tags: ['x'] } },
    { kind: 'prompt', member: 'make', isStatic: true, options: {} },
  ]);
  expect(ownRecords(Docs, 'resource')).toEqual([
    { kind: 'resource', member: 'all', isStatic: false, uri: 'docs://all', options: {} },
    {
      kind: 'resource',
      member: 'one',
      isStatic: false,
      uri: 'docs://{name}',
      options: { list: 'names', annotations: { audience: ['user'] } },
    },
  ]);
  expect(Object.isFrozen(ownRecords(Docs, 'resource')[1]?.options.annotations)).toBe(true);
  expect(Object.isFrozen(annotations)).toBe(false);
  expect(ownRecords(Docs, 'complete')).toEqual([
    { kind: 'complete', member: 'names', of: 'one', argument: 'name' },
    { kind: 'complete', member: 'names', of: 'review', argument: 'path' },
  ]);
});

test('marks are evaluated bottom-up', () => {
  expect(ownRecords(NoteTools, 'mark').map(({ member, mark }) => [member, mark])).toEqual([
    ['delete', 'idempotent'],
    ['delete', 'destructive'],
    ['search', 'readOnly'],
  ]);
});

test('@OpenWorld says on methods and classes whether a world is open', () => {
  @OpenWorld(false)
  class Inside {
    @OpenWorld() out(): void {}
  }
  expect(ownRecords(NoteTools, 'openWorld')).toEqual([{ kind: 'openWorld', member: 'delete', isOpen: true }]);
  expect(ownRecords(Inside, 'openWorld')).toEqual([
    { kind: 'openWorld', member: 'out', isOpen: true },
    { kind: 'openWorld', member: undefined, isOpen: false },
  ]);
});

test('parameter decorators know their member and index', () => {
  const records = ownRecords(NoteTools, 'parameter');
  expect(records.find((record) => record.member === undefined)).toEqual({
    kind: 'parameter',
    member: undefined,
    index: 0,
    source: { kind: 'inject', token: 'DB', options: { optional: true } },
  });
  const ofDelete = records.filter((record) => record.member === 'delete');
  expect(ofDelete.map(({ index, source }) => [index, source.kind]).sort()).toEqual([
    [0, 'input'],
    [1, 'context'],
    [2, 'inject'],
  ]);
});

test('@Middleware and user decorators stand on classes and methods', () => {
  expect(ownRecords(NoteTools, 'middleware').map((record) => record.member)).toEqual(['search', undefined]);
  expect(ownRecords(NoteTools, 'user').map(({ member, value }) => [member, value])).toEqual([
    ['delete', ['admin']],
    [undefined, ['reader']],
  ]);
  expect(Roles.decoratorName).toBe('Roles');
});

test('@Field takes a description or options', () => {
  expect(ownRecords(Dto, 'field').map(({ property, options }) => [property, options])).toEqual([
    ['title', { description: 'Its title' }],
    ['due', { format: 'date' }],
  ]);
});

test('options are copied and frozen, never changed', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } } as const;
  const options = { name: 'a', tags: ['x'], input: schema };
  class Target {
    @Action(options) act(): void {}
  }
  options.tags.push('y');
  const record = ownRecords(Target, 'action')[0];
  expect(record?.options.tags).toEqual(['x']);
  expect(Object.isFrozen(record?.options.tags)).toBe(true);
  expect(record?.options.input).toEqual(schema);
  expect(Object.isFrozen(schema.properties)).toBe(false);
});

test('provided values and dynamic modules are shared, for they are identities', () => {
  class Other {}
  const value = { url: 'x' };
  const dynamic = { module: Other };
  const provider = { provide: 'CONFIG', useValue: value };
  const providers = [provider];
  @Module({ imports: [dynamic], providers })
  class Target {}
  providers.pop();
  const options = ownRecords(Target, 'module')[0]?.options;
  expect(options?.imports?.[0]).toBe(dynamic);
  expect((options?.providers?.[0] as typeof provider).useValue).toBe(value);
  expect(options?.providers?.[0]).not.toBe(provider);
  expect(Object.isFrozen(value)).toBe(false);
  expect(Object.isFrozen(provider)).toBe(false);
});
