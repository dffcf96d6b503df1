import { describe, expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { McpApplication, Module, ToolGroup, type ApplicationError } from 'toolwright';

@ToolGroup('empty')
class EmptyTools {}
@Module({ controllers: [EmptyTools] })
class EmptyModule {}

async function start(): Promise<unknown> {
  return await McpApplication.create(EmptyModule, { name: 'shop' });
}

async function failure(): Promise<ApplicationError> {
  return start().then(
    () => Promise.reject(new Error('It started.')),
    (error: unknown) => error as ApplicationError,
  );
}

/** The innermost frame that is not Node's own. */
function firstFrame(stack: string): string | undefined {
  return stack.split('\n').find((line) => /^ {4}at /.test(line) && !line.includes('node:'));
}

describe('an error at start-up that is not caught', () => {
  test('is printed once: the message says everything, so nothing of it is listed below', async () => {
    // The form in which Node prints an uncaught error
    const printed = inspect(await failure(), { customInspect: false });
    expect(printed.split('TW_SCAN_TOOL_EMPTY')).toHaveLength(2);
    expect(printed).not.toMatch(/(problems|what|fix): [['{]|Symbol\(/);
    expect(printed).toMatch(/^ApplicationError: TW_APPLICATION_INVALID: shop has 1 problem:/);
  });

  test('points at the caller of create, who has the mistake', async () => {
    const { stack = '' } = await failure();
    expect(firstFrame(stack)).toContain('start-up-error.test.ts');
    expect(stack).not.toMatch(/assemble-application|problem-list/);
  });

  test('points there as well where the caller does not await', async () => {
    const error: unknown = await new Promise((resolve) => {
      McpApplication.create(EmptyModule).then(resolve, resolve);
    });
    const { stack = '' } = error as Error;
    expect(firstFrame(stack)).toContain('start-up-error.test.ts');
    expect(stack).toContain('TW_SCAN_TOOL_EMPTY');
  });

  test('keeps its facts for programs', async () => {
    const error = await failure();
    expect(error).toMatchObject({ code: 'TW_APPLICATION_INVALID', where: 'shop' });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'ApplicationError',
      code: 'TW_APPLICATION_INVALID',
      where: 'shop',
      fix: 'correct what is listed above',
      problems: [{ code: 'TW_SCAN_TOOL_EMPTY', where: 'EmptyTools' }],
    });
  });
});
