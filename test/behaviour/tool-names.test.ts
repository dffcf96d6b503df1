import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  Action,
  ApplicationError,
  createTool,
  McpApplication,
  Module,
  ToolGroup,
  ToolRegistry,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';

function moduleOf(group: object, action: object = {}): new () => object {
  @ToolGroup(group)
  class NamedTools {
    @Action(action) run(): string {
      return 'ran';
    }
  }
  @Module({ controllers: [NamedTools] })
  class NamedModule {}
  return NamedModule;
}

const problemsOf = async (module: new () => object) => {
  const failure: unknown = await McpApplication.create(module).then(
    () => undefined,
    (error: unknown) => error,
  );
  return failure instanceof ApplicationError ? failure.problems : [];
};

describe('the name of a tool that models refuse', () => {
  test.each([
    ['Bad Name!', 'Bad_Name_'],
    ['grün', 'gr_n'],
    ['🚀', '_'],
    ['a/b', 'a_b'],
  ])('is a problem with a proposal: %s', async (name, proposed) => {
    expect(await problemsOf(moduleOf({ name }))).toEqual([
      expect.objectContaining({
        code: 'TW_COMPILE_TOOL_NAME',
        where: 'NamedTools',
        what: expect.stringContaining(`"${name}"`),
        fix: `name it "${proposed}"`,
      }),
    ]);
    expect(() =>
      createTool(name)
        .action({ name: 'run', handler: () => 1 })
        .buildToolDefinition(),
    ).toThrow(`name it "${proposed}"`);
  });

  test('is too long from 129 characters on', async () => {
    expect(await problemsOf(moduleOf({ name: 'a'.repeat(128) }))).toEqual([]);
    const [problem] = await problemsOf(moduleOf({ name: 'a'.repeat(129) }));
    expect(problem?.fix).toMatch(/^name it "a{119}_[0-9a-f]{8}"$/);
  });

  test('may be made of its parts, and is reported at the action', async () => {
    expect(await problemsOf(moduleOf({ name: 'named', expose: 'flat' }, { name: 'ü' }))).toEqual([
      expect.objectContaining({
        where: 'NamedTools.run()',
        what: expect.stringContaining('"named_ü"'),
        fix: expect.stringContaining('"named__"'),
      }),
    ]);
    expect(await problemsOf(moduleOf({ name: 'named', expose: 'flat', separator: ' ' }))).toHaveLength(1);
    const registry = new ToolRegistry({ expose: 'flat' });
    expect(() => registry.register(createTool('named').action({ name: 'ü', handler: () => 1 }))).toThrow(
      'TW_COMPILE_TOOL_NAME',
    );
  });

  test('is none that an action of a grouped tool could have, also where it is exported flat', async () => {
    const app = await createTestApplication(moduleOf({ name: 'named' }, { name: 'ü' }));
    const result = await app.call('named', { action: 'ü' });
    expect(result.isError).toBeUndefined();
    const { tools } = await app.app.export('openai', { expose: 'flat' });
    expect(tools).toHaveLength(1);
    await app.close();
  });

  test('is proposed so that it is one, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), (name) => {
        // Those with white space around them, or with control characters, are names of nothing
        fc.pre(
          !name.includes('.') && name.trim() === name && !/[\p{C}\p{Z}]/u.test(name.replaceAll(' ', '')),
        );
        const build = (given: string) =>
          createTool(given)
            .action({ name: 'run', handler: () => 1 })
            .buildToolDefinition();
        const isGood = /^[A-Za-z0-9_.-]{1,128}$/.test(name);
        if (isGood) expect(build(name).name).toBe(name);
        else {
          const [, proposed = ''] = /fix: name it "(.*)"/.exec(messageOf(() => build(name))) ?? [];
          expect(build(proposed).name).toBe(proposed);
        }
      }),
    );
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return String(error);
  }
  return '';
}
