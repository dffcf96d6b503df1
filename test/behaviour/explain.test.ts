import { expect, test } from '@jest/globals';
import { Transform, Type } from 'class-transformer';
import { IsArray, IsEmail, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Action, createTool, McpApplication, Module, Prompt, ToolGroup, ToolRegistry } from 'toolwright';
import { z } from 'zod';

class Workspace {
  @IsString() workspaceId!: string;
}

class Line {
  @IsInt() count!: number;
}

class Order {
  @IsEmail() @IsOptional() customer?: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
}

class Trimmed {
  @IsString() @Transform(({ value }) => String(value).trim()) text!: string;
}

@ToolGroup({ name: 'orders', common: Workspace })
class OrderTools {
  @Action()
  place(order: Order): number {
    return order.lines.length;
  }

  @Action({ input: z.object({ id: z.string() }) })
  cancel(): void {}

  @Prompt()
  ask(input: Trimmed): string {
    return input.text;
  }
}

@Module({ controllers: [OrderTools] })
class OrderModule {}

test('an application reports how each input is checked, and why', async () => {
  const app = await McpApplication.create(OrderModule);
  const workspace = { dto: 'Workspace', path: 'generated' };
  const [place, cancel, ask, ...others] = app.explain();
  expect(place).toMatchObject({
    ...{ kind: 'action', tool: 'orders', name: 'place' },
    checks: [workspace, { dto: 'Order', path: 'generated' }],
  });
  expect(place?.checks[1]?.rules).toEqual([
    { property: 'customer', rule: 'isOptional', how: 'inline' },
    { property: 'customer', rule: 'isEmail', how: 'called', why: 'no code stands for this validator' },
    { property: 'lines', rule: 'isArray', how: 'inline' },
    { property: 'lines.count', rule: 'isInt', how: 'inline' },
  ]);
  expect(cancel).toMatchObject({ name: 'cancel', checks: [workspace] });
  expect(ask).toEqual({
    ...{ kind: 'prompt', tool: undefined, name: 'ask' },
    checks: [{ dto: 'Trimmed', path: 'class-stack', reason: 'Trimmed.text has @Transform', rules: [] }],
  });
  expect(others).toEqual([]);
  await app.close();
});

test('a definition says the same of its own actions, in a member that is not listed', async () => {
  const app = await McpApplication.create(OrderModule);
  const [definition] = app.definitions;
  expect(definition?.explain()).toEqual(app.explain().filter(({ kind }) => kind === 'action'));
  expect(Object.keys({ ...definition })).not.toContain('explain');
  expect(JSON.stringify(definition)).not.toContain('explain');
  await app.close();
});

test('a definition of a builder explains itself without an application', () => {
  const flat = createTool('orders').action({ name: 'place', schema: Order, handler: () => 'placed' });
  const [explained, ...others] = flat.buildToolDefinition().explain();
  expect(explained).toMatchObject({
    kind: 'action',
    tool: 'orders',
    name: 'place',
    checks: [{ dto: 'Order' }],
  });
  expect(others).toEqual([]);
  const [registered] = new ToolRegistry().register(flat).disable('orders').enable('orders').getTools();
  expect(registered?.explain()).toEqual([explained]);
});
