import { expect, test, describe } from '@jest/globals';
import { createTool, McpApplication, Action, Module, ToolGroup, type ToolAction } from 'toolwright';
import { aggregateAnnotations } from '../../../src/compile/tools/list-tools.ts';
import { booksTool, makeAction, makeTool } from './make-facts.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { MemoryLogger } from '../../support/fake-application.ts';
import { textOf } from '../../support/text-of.ts';

test('gives the worked example', () => {
  expect(aggregateAnnotations(booksTool())).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
  });
});

test('is read-only and idempotent only when every action is', () => {
  const both = { isReadOnly: true, isIdempotent: true };
  expect(aggregateAnnotations(makeTool([makeAction('a', both), makeAction('b', both)]))).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
  });
  expect(aggregateAnnotations(makeTool([makeAction('a', both), makeAction('b')]))).toEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
  });
});

test.each([
  [[true, undefined], true],
  [[true, false], true],
  [[false, false], false],
  [[false, undefined], undefined],
  [[undefined], undefined],
])('open world of %j is %j', (marks, hint) => {
  const actions = marks.map((isOpenWorld, index) => makeAction(String(index), { isOpenWorld }));
  const hints = aggregateAnnotations(makeTool(actions));
  expect(hints.openWorldHint).toBe(hint);
  expect('openWorldHint' in hints).toBe(hint !== undefined);
});

test('lets explicit values win, false included, and ignores an explicit undefined', () => {
  const annotations = {
    destructiveHint: false,
    readOnlyHint: undefined,
    openWorldHint: false,
    title: 'Books',
    returnDirect: true,
  };
  const hints = aggregateAnnotations(makeTool([makeAction('a', { isDestructive: true })], { annotations }));
  expect(hints).toStrictEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
    title: 'Books',
    returnDirect: true,
  });
  expect(Object.isFrozen(hints)).toBe(true);
  expect(Object.isFrozen(annotations)).toBe(false);
});

test('always says of a single action whether it is destructive', () => {
  expect(aggregateAnnotations(makeTool([makeAction('a', { isReadOnly: true })]))).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: false,
  });
  const annotations = { destructiveHint: true };
  expect(aggregateAnnotations(makeTool([makeAction('a')], { annotations }))).toMatchObject(annotations);
});

const schemaOf = (properties: Record<string, JsonSchema>) => ({ type: 'object', properties });
const run = (version: string, others: Partial<ToolAction> = {}) => ({
  name: 'run',
  version,
  handler: () => ({ version }),
  ...others,
});

describe('a version that is not listed', () => {
  test('may have a field of another type, which its own schema checks', async () => {
    const tool = createTool('tool')
      .action(run('1.0.0', { schema: schemaOf({ count: { type: 'string' } }) }))
      .action(run('2.0.0', { schema: schemaOf({ count: { type: 'integer' } }) }));
    const listed = tool.buildToolDefinition().inputSchema.properties?.['count'];
    expect(listed).toMatchObject({ type: 'integer' });
    const old = await tool.execute({ action: 'run', count: 'two' }, undefined, { version: '^1' });
    expect(old.isError).toBeUndefined();
    const wrong = await tool.execute({ action: 'run', count: 2 }, undefined, { version: '^1' });
    expect(wrong).toMatchObject({ isError: true, _meta: { 'toolwright/version': '1.0.0' } });
  });

  test('may not have a field that says which action to run', () => {
    const tool = createTool('tool')
      .discriminator('action')
      .action(run('1.0.0', { schema: schemaOf({ action: { type: 'string' } }) }))
      .action(run('2.0.0'));
    expect(() => tool.buildToolDefinition()).toThrow(
      expect.objectContaining({ code: 'TW_COMPILE_FIELD_IS_DISCRIMINATOR' }),
    );
  });

  test('counts for the output that the tool promises', () => {
    const output = schemaOf({ version: { type: 'string' } });
    const wider = schemaOf({ version: { type: 'string' }, extra: { type: 'string' } });
    const both = createTool('tool')
      .action(run('1.0.0', { output: wider }))
      .action(run('2.0.0', { output }));
    expect(Object.keys(both.buildToolDefinition().outputSchema?.properties ?? {})).toEqual([
      'version',
      'extra',
    ]);
    const one = createTool('tool').action(run('1.0.0')).action(run('2.0.0', { output }));
    expect(one.buildToolDefinition()).not.toHaveProperty('outputSchema');
  });
});

@ToolGroup({ name: 'tool', expose: 'flat' })
class Clashing {
  @Action({ name: 'run', version: '1.0.0' }) first() {}
  @Action({ name: 'run', version: '2.0.0' }) second() {}
  @Action({ name: 'run_v1' }) third() {}
}
@Module({ controllers: [Clashing] })
class ClashingModule {}

test('A version whose name another action has as a tool is a problem', async () => {
  const made = McpApplication.create(ClashingModule, { logger: new MemoryLogger() });
  await expect(made).rejects.toMatchObject({
    problems: [{ code: 'TW_COMPILE_NAME_TAKEN', where: 'tool "tool_run_v1"' }],
  });
});

@ToolGroup({ name: 'tool', expose: 'flat' })
class FlatTool {
  @Action() run() {}
}
@ToolGroup('tool_run')
class GroupedTool {
  @Action() stop() {}
}
@Module({ controllers: [FlatTool, GroupedTool] })
class FlatFirst {}
@Module({ controllers: [GroupedTool, FlatTool] })
class GroupedFirst {}

test.each([FlatFirst, GroupedFirst])(
  'A flat tool and a grouped one of one name are a problem in %p',
  async (module) => {
    await expect(McpApplication.create(module, { logger: new MemoryLogger() })).rejects.toMatchObject({
      problems: [{ code: 'TW_COMPILE_NAME_TAKEN', where: 'tool "tool_run"' }],
    });
  },
);

test('A list of versions is the same text each time, whatever the order of the methods', () => {
  const definition = (...versions: readonly string[]) => {
    const tool = createTool('tool');
    for (const version of versions) tool.action(run(version));
    return JSON.stringify(tool.buildToolDefinition());
  };
  expect(definition('1.0.0', '2.0.0', '1.10.0')).toBe(definition('2.0.0', '1.10.0', '1.0.0'));
});

test('A handler gives its own `_meta` beside the version', async () => {
  const handler = () => ({
    content: [{ type: 'text', text: 'a' }],
    _meta: { mine: 1, 'toolwright/version': '9' },
  });
  const result = await createTool('tool')
    .action({ name: 'run', version: '1.0.0', handler })
    .execute({ action: 'run' });
  expect(textOf(result)).toBe('a');
  expect(result._meta).toEqual({ mine: 1, 'toolwright/version': '1.0.0' });
});
