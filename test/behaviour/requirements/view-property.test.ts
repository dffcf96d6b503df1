import { expect, test } from '@jest/globals';
import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import fc from 'fast-check';
import {
  Action,
  Destructive,
  Field,
  McpApplication,
  Module,
  ReadOnly,
  Roles,
  ToolGroup,
  type Class,
  type Describe,
  type Expose,
} from 'toolwright';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { testVerifier, tokenOf } from '../../support/callers.ts';
import { headers2026, message2026 } from '../../support/client-of-2026.ts';
import { JSON_HEADERS } from '../../support/raw-http.ts';

class Named {
  @IsString() @Field('The name') name!: string;
}
class Counted {
  @IsString() @MaxLength(9) @Field('The name') name!: string;
  @IsInt() @IsOptional() count?: number;
}
class Owned {
  @IsString() @Field('Who has it') owner!: string;
}
const INPUTS: readonly (Class | undefined)[] = [undefined, Named, Counted, Owned];
const ROLES = ['reader', 'writer', 'admin'] as const;

interface Shape {
  readonly input: number;
  readonly role: (typeof ROLES)[number] | undefined;
  readonly mark: 'none' | 'readOnly' | 'destructive';
  readonly group: 0 | 1;
  /** The index of what replaces it. */
  readonly use: number | undefined;
}

interface Form {
  readonly actions: readonly Shape[];
  readonly describe: Describe;
  readonly expose: Expose;
  readonly isTree: boolean;
  readonly roles: readonly string[];
}

const forms: fc.Arbitrary<Form> = fc.record({
  actions: fc.array(
    fc.record({
      input: fc.nat(INPUTS.length - 1),
      role: fc.option(fc.constantFrom(...ROLES), { nil: undefined }),
      mark: fc.constantFrom('none', 'readOnly', 'destructive'),
      group: fc.constantFrom(0, 1),
      use: fc.option(fc.nat(5), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  describe: fc.constantFrom('plain', 'toon'),
  expose: fc.constantFrom('grouped', 'flat'),
  isTree: fc.boolean(),
  roles: fc.uniqueArray(fc.constantFrom(...ROLES)),
});

/** The class of a form: with requirements and all actions, or with those that its caller sees and without requirements. */
function moduleOf(form: Form, isReduced: boolean): Class {
  const isSeen = ({ role }: Shape): boolean => role === undefined || form.roles.includes(role);
  const { describe, expose, isTree } = form;
  class Root {}
  ToolGroup({ name: 'made', description: 'Made by chance', describe, expose })(Root);
  class First {}
  class Second {}
  if (isTree) {
    ToolGroup({ name: 'first', parent: Root, description: 'The first ones' })(First);
    ToolGroup({ name: 'second', parent: Root })(Second);
  }
  form.actions.forEach((shape, index) => {
    if (isReduced && !isSeen(shape)) return;
    const owner = isTree ? [First, Second][shape.group]! : Root;
    const name = `act${String(index)}`;
    const run = (): string => name;
    Object.defineProperty(owner.prototype, name, { value: run, writable: true, configurable: true });
    const isNamed = (other: Shape): boolean => other !== shape && (!isReduced || isSeen(other));
    const decorators = [
      Action({ description: `Does ${name}`, ...inputOf(shape), ...deprecationOf(shape, form, isNamed) }),
      ...marksOf(shape),
      ...(shape.role === undefined || isReduced ? [] : [Roles(shape.role)]),
    ];
    const descriptor = Object.getOwnPropertyDescriptor(owner.prototype, name)!;
    for (const decorate of decorators) decorate(owner.prototype, name, descriptor);
  });
  class Made {}
  Module({ controllers: isTree ? [Root, First, Second] : [Root] })(Made);
  return Made;
}

function inputOf({ input }: Shape): { readonly input?: Class } {
  const type = INPUTS[input];
  return type === undefined ? {} : { input: type };
}

function deprecationOf(
  { use }: Shape,
  { actions, isTree }: Form,
  isNamed: (other: Shape) => boolean,
): { readonly deprecated?: { readonly since: string; readonly use?: string } } {
  if (use === undefined) return {};
  const other = actions[use];
  if (other === undefined || !isNamed(other)) return { deprecated: { since: '1.0.0' } };
  const prefix = isTree ? ['first.', 'second.'][other.group] : '';
  return { deprecated: { since: '1.0.0', use: `${String(prefix)}act${String(use)}` } };
}

function marksOf({ mark }: Shape): readonly MethodDecorator[] {
  if (mark === 'none') return [];
  return [mark === 'readOnly' ? ReadOnly() : Destructive()];
}

interface Listed {
  readonly title?: string;
}

async function listedTo(roles: readonly string[], form: Form): Promise<string> {
  const app = await McpApplication.create(moduleOf(form, false), {
    auth: { resource: 'http://localhost/mcp', verify: testVerifier },
    logger: new MemoryLogger(),
  });
  const headers = {
    ...JSON_HEADERS,
    ...headers2026('tools/list'),
    authorization: `Bearer ${tokenOf({ sub: 'a', roles })}`,
  };
  const body = JSON.stringify(message2026('tools/list'));
  const response = await app.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
  const { result } = (await response.json()) as { readonly result: { readonly tools: readonly Listed[] } };
  await app.close();
  // A title is added where a list is served
  return JSON.stringify(result.tools.map(({ title: _title, ...tool }) => tool));
}

async function definitionsOf(form: Form): Promise<string> {
  const isEmpty = form.actions.every(({ role }) => role !== undefined && !form.roles.includes(role));
  // A class without actions would not start
  if (isEmpty) return '[]';
  const app = await McpApplication.create(moduleOf(form, true), { logger: new MemoryLogger() });
  const text = JSON.stringify(app.definitions);
  await app.close();
  return text;
}

test('a view is, byte for byte, what the class without the hidden actions is compiled to', async () => {
  await fc.assert(
    fc.asyncProperty(forms, async (form) => {
      expect(await listedTo(form.roles, form)).toBe(await definitionsOf(form));
    }),
    { numRuns: 60 },
  );
});
