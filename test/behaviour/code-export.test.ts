import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import {
  Action,
  content,
  Destructive,
  Field,
  image,
  McpApplication,
  Module,
  Roles,
  ToolContext,
  ToolGroup,
  type Class,
  type CodeExport,
  type CodeExportOptions,
} from 'toolwright';
import { View } from 'toolwright/apps';
import { authInfoOf, testVerifier } from '../support/callers.ts';
import { tries } from '../support/thorough.ts';

const done: string[] = [];

class NewTask {
  @IsString() @Field('What to do. */ declare const hidden: string; /*') title!: string;
  @IsOptional() @IsInt() priority?: number;
}

class Task {
  @IsString() id!: string;
  @IsString() title!: string;
}

@ToolGroup({ name: 'tasks', description: 'Tasks of people' })
class Tasks {
  @Action({ description: 'Create a task', output: Task }) create({ title, priority = 0 }: NewTask): Task {
    return { id: `t${String(priority)}`, title };
  }
  @Action('Delete a task') @Destructive({ confirm: true }) delete({ title }: NewTask): string {
    done.push(title);
    return 'deleted';
  }
  @Action('Count them') count(): number {
    return 3;
  }
  @Action('Who calls') @Roles('admin') who(ctx: ToolContext): string {
    return String(ctx.caller?.clientId);
  }
  @Action('Draw it') draw(): object {
    return image('AAAA', 'image/png');
  }
  @Action('Attach it') attach(): object {
    return content({ type: 'resource', resource: { uri: 'file:///a.txt', text: 'inner' } });
  }
  @Action('Only for the page') @View({ visibility: ['app'] }) refresh(): string {
    return 'fresh';
  }
}

@ToolGroup('home')
class Home {}

@ToolGroup({ name: 'lists', parent: Home })
class Lists {
  @Action('All lists') delete(): string {
    return 'lists';
  }
}

/** A name that TypeScript keeps for itself, and one that it writes in quotes. */
@ToolGroup('new')
class New {
  @Action('Is odd') ['with-dash'](): string {
    return 'dash';
  }
}

@Module({ controllers: [Tasks, Home, Lists, New] })
class TasksModule {}

const admin = authInfoOf({ clientId: 'desk', roles: ['admin'] });
const guest = authInfoOf({ clientId: 'door' });
let app: McpApplication;

beforeAll(async () => {
  const auth = { resource: 'http://localhost/mcp', verify: testVerifier };
  app = await McpApplication.create(TasksModule, { auth });
});
afterAll(() => app.close());

const GLOBALS = `
interface Array<T> { readonly length: number; [at: number]: T }
interface Promise<T> { then<U>(next: (value: T) => U): Promise<U> }
interface Boolean {} interface CallableFunction {} interface Function {} interface IArguments {}
interface NewableFunction {} interface Number {} interface Object {} interface RegExp {}
interface String { toUpperCase(): string }
`;

/** What the compiler says of code with the declarations. */
function compile(declarations: string, code: string): readonly string[] {
  const texts = new Map([
    ['/globals.d.ts', GLOBALS],
    ['/actions.d.ts', declarations],
    ['/code.ts', `export {};\n${code}`],
  ]);
  const options = {
    noLib: true,
    strict: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
  };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    fileExists: (name) => texts.has(name),
    readFile: (name) => texts.get(name),
    getSourceFile: (name, version) => {
      const text = texts.get(name);
      return text === undefined ? undefined : ts.createSourceFile(name, text, version);
    },
    writeFile: () => undefined,
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** Runs code as a host does, with `actions` as what leads to the calls. */
async function runCode({ call }: CodeExport, code: string): Promise<unknown> {
  const actions = (path: string): unknown =>
    new Proxy(() => undefined, {
      get: (_target, name) => actions(path === '' ? String(name) : `${path}.${String(name)}`),
      apply: (_target, _self, [input]) => call(path, input),
    });
  const { outputText } = ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  return runInNewContext(`(async () => { ${outputText} })()`, { actions: actions('') }) as unknown;
}

const exportFor = (options: CodeExportOptions = {}): Promise<CodeExport> => app.export('code', options);

describe('code with the declarations of an application', () => {
  test.each([
    ['const task = await actions.tasks.create({ title: "Write" }); return task.title;', 'Write'],
    ['const { id } = await actions.tasks.create({ title: "Write", priority: 4 }); return id;', 't4'],
    ['return (await actions.tasks.count()).toUpperCase();', '3'],
    ['return await actions.home.lists.delete();', 'lists'],
    ['return await actions.new["with-dash"]();', 'dash'],
    ['return await actions.tasks.who();', 'desk'],
    ['return await actions.tasks.attach();', 'inner'],
    ['return await actions.tasks.draw();', '(image of the type image/png, which cannot be shown here)'],
  ])('compiles, and runs: %s', async (code, expected) => {
    const exported = await exportFor({ authInfo: admin });
    expect(compile(exported.declarations, `async function main() { ${code} }`)).toEqual([]);
    expect(await runCode(exported, code)).toBe(expected);
  });

  test.each([
    ['actions.tasks.create({ title: 7 });', 'number'],
    ['actions.tasks.create();', 'Expected 1 arguments'],
    ['actions.tasks.create({ title: "a", prio: 1 });', 'prio'],
    ['actions.tasks.remove();', 'remove'],
    ['actions.tasks.count({ all: true });', 'Expected 0 arguments'],
    ['const id: number = (await actions.tasks.create({ title: "a" })).id;', 'number'],
    ['actions.tasks.refresh();', 'refresh'],
    ['hidden;', 'hidden'],
  ])('does not compile where it is wrong: %s', async (code, expected) => {
    const { declarations } = await exportFor({ authInfo: admin });
    const problems = compile(declarations, `async function main() { ${code} }`);
    expect(problems).toEqual([expect.stringContaining(expected)]);
  });

  test('has docs, and a value for each group and action', async () => {
    const { declarations } = await exportFor({ authInfo: admin });
    for (const text of [
      '/** Tasks of people */',
      '/** Create a task */',
      'delete(input: {',
      'declare const actions: {',
    ])
      expect(declarations).toContain(text);
  });
});

describe('a call of code', () => {
  test('that fails throws what a model would read', async () => {
    const { call } = await exportFor({ authInfo: guest });
    await expect(call('tasks.create', { title: 7 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('title'),
    });
    await expect(call('tasks.creat', {})).rejects.toMatchObject({
      code: 'UNKNOWN_ACTION',
      message: expect.stringContaining('did you mean tasks.create?'),
    });
    for (const path of ['__proto__', 'tasks', 'constructor', 'tasks.__proto__', '', 7 as never])
      await expect(call(path, {})).rejects.toMatchObject({ code: 'UNKNOWN_ACTION' });
    const polluted = JSON.parse('{"title":"a","__proto__":{"priority":9}}') as unknown;
    await expect(call('tasks.create', polluted)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('does what its caller may do, and nothing else', async () => {
    const { declarations, call } = await exportFor({ authInfo: guest });
    expect(declarations).not.toContain('who(');
    await expect(call('tasks.who')).rejects.toMatchObject({ code: 'UNKNOWN_ACTION' });
    await expect(call('tasks.refresh')).rejects.toMatchObject({ code: 'UNKNOWN_ACTION' });
    // What another caller was given does not help
    const { call: callAsAdmin } = await exportFor({ authInfo: admin });
    expect(await callAsAdmin('tasks.who')).toBe('desk');
    await expect(call('tasks.who')).rejects.toMatchObject({ code: 'UNKNOWN_ACTION' });
  });

  test('that needs consent is asked about, and runs once for each agreement', async () => {
    const { call } = await exportFor({ authInfo: guest });
    await expect(call('tasks.delete', { title: 'a' })).rejects.toMatchObject({ code: 'CONSENT_UNAVAILABLE' });
    const asked: unknown[] = [];
    const answers: readonly unknown[] = [false, 'yes', true];
    const approve = (question: unknown): boolean => {
      asked.push(question);
      return answers[asked.length - 1] as boolean;
    };
    const { call: asking } = await exportFor({ authInfo: guest, approve });
    const declined = { code: 'CONSENT_DECLINED' };
    await expect(asking('tasks.delete', { title: 'a' })).rejects.toMatchObject(declined);
    await expect(asking('tasks.delete', { title: 'a' })).rejects.toMatchObject(declined);
    expect(done).toEqual([]);
    expect(await asking('tasks.delete', { title: 'a' })).toBe('deleted');
    expect(done).toEqual(['a']);
    expect(asked[0]).toEqual({ path: 'tasks.delete', input: { title: 'a' } });
    await asking('tasks.count');
    expect(asked).toHaveLength(3);
  });

  test('does what a person was asked about, although the code changes its object', async () => {
    const shared = { title: 'agreed' };
    const approve = (): boolean => {
      shared.title = 'changed';
      return true;
    };
    const { call } = await exportFor({ authInfo: guest, approve });
    expect(await call('tasks.delete', shared)).toBe('deleted');
    expect(done.at(-1)).toBe('agreed');
    const refused = { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('JSON') };
    await expect(call('tasks.delete', { title: 1n })).rejects.toMatchObject(refused);
  });

  test('ends with its signal', async () => {
    const { call } = await exportFor({ authInfo: guest });
    const aborted = call('tasks.count', {}, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

/** A thousand actions in the long run. */
const GROUP_COUNT = tries(2, 20);

/** Groups with fifty actions each. */
function makeGroups(count: number): readonly Class[] {
  return Array.from({ length: count }, (_, number) => {
    @ToolGroup(`group${String(number)}`)
    class Group {}
    for (let action = 0; action < 50; action += 1) {
      const name = `action-${String(action)}`;
      const descriptor = { value: () => 'here' };
      Object.defineProperty(Group.prototype, name, descriptor);
      Action('Do something')(Group.prototype, name, descriptor);
    }
    return Group;
  });
}

test('many actions are declared, and compile', async () => {
  @Module({ controllers: [...makeGroups(GROUP_COUNT)] })
  class ManyModule {}
  const many = await McpApplication.create(ManyModule);
  const { declarations, call } = await many.export('code');
  expect(compile(declarations, 'void actions.group1["action-49"]();')).toEqual([]);
  expect(await call('group1.action-49')).toBe('here');
  const { namespaces } = await many.export('openai-agents', { deferred: true });
  expect(namespaces.flatMap(({ tools }) => tools)).toHaveLength(GROUP_COUNT * 50);
  await many.close();
});

test('there are few options', async () => {
  await expect(exportFor({ surface: 'flat' } as never)).rejects.toMatchObject({
    code: 'TW_APPLICATION_OPTION',
  });
});
