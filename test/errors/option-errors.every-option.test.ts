import { describe, expect, test } from '@jest/globals';
import { createTool, McpApplication, ToolRegistry } from 'toolwright';
import {
  createWorkflowStorage,
  InMemoryWorkflowStorage,
  PostgresRunStore,
  WorkflowModule,
} from 'toolwright/workflow';
import { anything, checkedLater, type OptionRule } from '../../src/shared/option-rules.ts';
import { application, ENTRIES, handler, part } from './option-entries.ts';

/** Values of every kind; each rule but `anything` refuses one of them. */
const ODD: readonly unknown[] = [5, 'odd', true, [7], null, -1, {}, () => 1];

async function messageOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    return String(error);
  }
  return '';
}

describe.each(ENTRIES)('%s', (_name, rules, use) => {
  test.each(Object.keys(rules))('asks whether %s was meant', async (name) => {
    const message = await messageOf(() => use({ [`${name}z`]: undefined }));
    expect(message).toContain(`did you mean "${name}"?`);
  });

  test.each(Object.keys(rules).filter((name) => rules[name] !== anything))(
    'refuses wrong values of %s',
    async (name) => {
      const rule = rules[name] as OptionRule;
      const isLater = rule === checkedLater;
      const wrong = isLater ? [5] : ODD.filter((value) => rule.faultsOf(value, name).length > 0).slice(0, 3);
      expect(wrong).not.toEqual([]);
      for (const value of wrong) {
        const named = new RegExp(`(sets|has the option|lacks the option) "?([\\w[\\]]+\\.)?${name}`);
        expect(await messageOf(() => use({ [name]: value }))).toMatch(isLater ? /TW_[A-Z_]+: / : named);
      }
    },
  );
});

describe('options of workflows', () => {
  test('say nothing of what is secret', async () => {
    const written = [
      () => WorkflowModule.forRoot({ signingKeys: ['top secret'] as never }),
      () => WorkflowModule.forRoot({ signingKeys: [{ id: 'a', secrets: 'top secret' }] as never }),
      () => new PostgresRunStore({ connectionStrings: 'top secret' } as never),
      () => new PostgresRunStore({ connectionString: ['top secret'] } as never),
      () => new PostgresRunStore({ connectionString: 'top secret', pool: 5 } as never),
    ];
    for (const run of written) {
      const message = await messageOf(run);
      expect(message).toMatch(/^WorkflowError: TW_WORKFLOW_OPTION/);
      expect(message).not.toContain('top secret');
    }
  });

  test('are reported together, and programs get the first of them', () => {
    const run = () => WorkflowModule.forRoot({ store: 5, limits: { atempts: 3 } } as never);
    expect(run).toThrow(
      expect.objectContaining({
        details: { option: 'store' },
        message: expect.stringMatching(/has 2 mistakes(.|\n)*did you mean "attempts"\?/),
      }),
    );
  });

  test('take storages of your own that know a directory', () => {
    const own = Object.assign(new InMemoryWorkflowStorage(), { directory: 'mine', depth: 2 });
    expect(() => createWorkflowStorage({ sources: [own, [], 'workflows'] })).not.toThrow();
  });
});

describe('options that used to fail open', () => {
  test.each([
    [() => new ToolRegistry({ unknownFields: 'strp' as never }), 'did you mean "strip"?'],
    [() => part('create')({ unknownFields: 'strp' }), 'did you mean "strip"?'],
    [() => part('create')({ expose: 'flt' }), 'did you mean "flat"?'],
    [() => part('create')({ maskErrors: 'yes' }), 'let maskErrors be true or false'],
    [() => new ToolRegistry({ separator: 5 as never }), 'let separator be a text'],
    [() => part('create')({ exclude: 'danger' }), 'let exclude be a list of texts'],
    [
      () => new ToolRegistry({ filter: { exclude: 'danger' as never } }),
      'let filter.exclude be a list of texts',
    ],
    [() => part('create')({ drainTimeout: '5' }), 'let drainTimeout be a number of milliseconds'],
    [() => part('create')({ name: '' }), 'let name be a text that is not empty'],
    [() => part('create')({ logger: {} }), 'let logger be a logger with the method log, or a function'],
    [() => part('create')({ logger: class Log {} }), 'sets logger to the class Log'],
    [() => new ToolRegistry({ maskError: true } as never), 'did you mean "maskErrors"?'],
    [() => createTool('t', { unknowFields: 'strict' } as never), 'did you mean "unknownFields"?'],
    [() => createTool('t').annotations({ readonlyHint: true } as never), 'did you mean "readOnlyHint"?'],
    [() => McpApplication.create(class {}, null as never), 'sets the options to null'],
  ])('%s', async (run, fix) => {
    expect(await messageOf(run)).toContain(fix);
  });

  test('are reported together with all other problems of an application', async () => {
    const message = await messageOf(() =>
      application({
        create: { excludes: [], pageSize: 0 },
        action: { desciption: 'x' },
        group: { expose: 'flt' },
      }),
    );
    expect(message).toContain('has 4 problems');
  });

  test('a misspelt condition is refused although its filter looks like one that was asked for before', () => {
    const registry = new ToolRegistry().register(createTool('t').action({ name: 'a', handler }));
    expect(registry.getTools({})).toHaveLength(1);
    expect(() => registry.getTools({ exclud: ['danger'] } as never)).toThrow('did you mean "exclude"?');
  });

  test('a decorator that was given something else than options says so', async () => {
    for (const name of ['prompt', 'resource', 'injectable']) {
      expect(await messageOf(() => part(name)(5 as never))).toContain('sets the options to 5');
    }
  });
});
