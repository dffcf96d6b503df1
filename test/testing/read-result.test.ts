import { afterAll, describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, image, Module, ToolError, ToolGroup } from 'toolwright';
import { createTestApplication, json, matchers, text, type ToolMatchers } from 'toolwright/testing';

declare module 'expect' {
  // oxlint-disable-next-line typescript/no-empty-object-type
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ToolMatchers<R> {}
}
expect.extend(matchers);

class Title {
  @IsString() title!: string;
}

@ToolGroup('tasks')
class Tasks {
  @Action() list(): readonly string[] {
    return ['write'];
  }
  @Action() create({ title }: Title): string {
    return `Created ${title}`;
  }
  @Action() picture(): object {
    return image('aGk=', 'image/png');
  }
  @Action() fail(): never {
    throw new ToolError('NO_ROOM', 'There is no room');
  }
}

@ToolGroup({ name: 'users', discriminator: 'operation' })
class Users {
  @Action() list(): string {
    return 'users';
  }
}

@Module({ controllers: [Tasks, Users] })
class AppModule {}

const app = await createTestApplication(AppModule);
afterAll(() => app.close());

describe('a call by the name of an action', () => {
  test('is a call of its tool', async () => {
    expect(await app.call('tasks.create', { title: 'write' })).toHaveText('Created write');
    expect(await app.call('tasks.list')).toEqual(await app.call('tasks', { action: 'list' }));
    expect(text(await app.call('users.list'))).toBe('users');
  });

  test('of what does not exist is answered as any other', async () => {
    expect(await app.call('tasks.crate', { title: 'a' })).toBeToolError('UNKNOWN_ACTION');
    expect(await app.call('task.create')).toBeToolError('UNKNOWN_TOOL');
    expect(await app.call('tasks.')).toBeToolError();
  });
});

describe('text()', () => {
  test('reads all blocks of text, of failures too', async () => {
    expect(
      text({ content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] }),
    ).toBe('a\nb');
    expect(text(await app.call('tasks.fail'))).toContain('There is no room');
  });

  test('says what a result without text has', async () => {
    const result = await app.call('tasks.picture');
    expect(() => text(result)).toThrow(/TW_TESTING_RESULT: text\(\) was given a result with no text: image/);
    expect(() => text({})).toThrow('no content');
  });
});

describe('json()', () => {
  test('reads structured content before text', async () => {
    expect(json<string[]>(await app.call('tasks.list'))[0]).toBe('write');
    expect(json({ structuredContent: { a: 1 }, content: [{ type: 'text', text: '2' }] })).toEqual({ a: 1 });
  });

  test('says what keeps it from reading', async () => {
    const failed = await app.call('tasks.fail');
    expect(() => json(failed)).toThrow(/an error: .*There is no room/);
    const created = await app.call('tasks.create', { title: 'a' });
    expect(() => json(created)).toThrow('a text that is not JSON: Created a');
  });
});

describe('the matchers', () => {
  test('tell errors from successes, and say what was found', async () => {
    const failed = await app.call('tasks.fail');
    const created = await app.call('tasks.create', { title: 'a' });
    expect(failed).toBeToolError();
    expect(failed).toBeToolError('NO_ROOM');
    expect(created).not.toBeToolError();
    expect(() => expect(failed).toBeToolError('OTHER')).toThrow(
      'Expected the error OTHER, and got the error NO_ROOM with the text',
    );
    expect(() => expect(created).toBeToolError()).toThrow('a success with the text "Created a"');
    expect(() => expect(failed).not.toBeToolError('NO_ROOM')).toThrow('anything but the error NO_ROOM');
  });

  test('compare texts as a whole, or by a pattern', async () => {
    const created = await app.call('tasks.create', { title: 'a' });
    expect(created).toHaveText('Created a');
    expect(created).not.toHaveText('Created');
    expect(created).toHaveText(/^Created/);
    expect(() => expect(created).toHaveText(/b$/)).toThrow('the text /b$/');
  });
});
