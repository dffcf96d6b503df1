import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Notifier } from '../../../src/call/notifier.ts';
import { ToolContext } from '../../../src/call/tool-context.ts';
import { Action, Prompt, Ctx, Inject, Input } from '../../../src/decorators/members.ts';
import { createDecorator, Injectable, Module, ToolGroup } from '../../../src/decorators/classes.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { moduleWith, problemOf, problemsOf, promptOf, providerOf, scan } from '../../support/scan-helpers.ts';

class Review {
  @IsString() path!: string;
}
class Other {
  @IsString() name!: string;
}
class Common {
  @IsString() workspace!: string;
}
@Injectable()
class Clock {}

function moduleOf(...controllers: readonly Class[]): Class {
  return moduleWith(controllers, [Clock, { provide: 'URL', useValue: 1 }]);
}

test('a prompt is plain data with everything in place', () => {
  const Audit = createDecorator<string>('Audit');
  @Injectable()
  class Docs {
    @Prompt({
      name: 'review.code',
      title: 'Review',
      description: 'Review a file',
      icons: [{ src: 'x.png' }],
      tags: ['code'],
      unknownFields: 'strip',
      meta: { a: 1 },
    })
    @Audit('yes')
    review(_input: Review, @Inject('URL') _url: string, _clock: Clock, _ctx: ToolContext): void {}
  }
  const application = scan(moduleOf(Docs));
  expect(application.prompts).toEqual([
    {
      kind: 'prompt',
      name: 'review.code',
      where: 'Docs.review()',
      group: undefined,
      title: 'Review',
      description: 'Review a file',
      icons: [{ src: 'x.png' }],
      meta: { a: 1 },
      tags: ['code'],
      input: Review,
      unknownFields: 'strip',
      slots: {},
      middleware: [],
      handler: {
        kind: 'method',
        controller: providerOf(application, 'Docs').key,
        member: 'review',
        parameters: [
          { kind: 'input' },
          { kind: 'provider', key: providerOf(application, '"URL"').key },
          { kind: 'provider', key: providerOf(application, 'Clock').key },
          { kind: 'context' },
        ],
      },
      metadata: [{ decorator: Audit, value: 'yes' }],
      completions: [],
    },
  ]);
  expect(Object.isFrozen(application.prompts[0])).toBe(true);
  expect(application.tools).toEqual([]);
});

describe('the input', () => {
  test('is the remaining parameter, the class of @Input or @Prompt, or nothing', () => {
    @ToolGroup({ common: Common })
    class Docs {
      @Action() act(): void {}
      @Prompt() none(): void {}
      @Prompt() context(@Ctx() _ctx: unknown): void {}
      @Prompt() typed(_ctx: ToolContext, _input: Review): void {}
      @Prompt({ input: Other }) named(_input: object): void {}
      @Prompt() explicit(@Input(Other) _input: object): void {}
      @Prompt({ input: Review }) untaken(): void {}
    }
    const inputs = scan(moduleOf(Docs)).prompts.map(({ name, input }) => [name, input]);
    expect(inputs).toEqual([
      ['none', undefined],
      ['context', undefined],
      ['typed', Review],
      ['named', Other],
      ['explicit', Other],
      ['untaken', Review],
    ]);
  });

  test("the group's common class means nothing to a prompt", () => {
    @ToolGroup({ common: Common })
    class Docs {
      @Action() act(): void {}
      @Prompt() go(_input: Common): void {}
    }
    expect(promptOf(scan(moduleOf(Docs)), 'go')).toMatchObject({
      input: Common,
      handler: { parameters: [{ kind: 'input' }] },
    });
  });

  test('TW_SCAN_INPUT_UNKNOWN and TW_SCAN_INPUT_CONFLICT speak of @Prompt', () => {
    @Injectable()
    class Unknown {
      @Prompt() go(_path: string): void {}
    }
    expect(problemOf(moduleOf(Unknown))).toMatchObject({
      code: 'TW_SCAN_INPUT_UNKNOWN',
      where: 'Unknown.go()',
      fix: '@Prompt({ input: TheClass }), or wrap it in a DTO class',
    });
    @Injectable()
    class Conflict {
      @Prompt({ input: Review }) go(@Input(Other) _input: object): void {}
    }
    expect(problemOf(moduleOf(Conflict))).toMatchObject({
      code: 'TW_SCAN_INPUT_CONFLICT',
      fix: 'name it once: remove `input` from @Prompt, or write @Input() without a class',
    });
  });

  test('looks for dependencies in the module of the controller', () => {
    @Injectable()
    class Hidden {}
    @Module({ providers: [Hidden] })
    class Other {}
    @Injectable()
    class Docs {
      @Prompt() go(_hidden: Hidden): void {}
    }
    @Module({ imports: [Other], controllers: [Docs] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_DEPENDENCY_HIDDEN',
      where: 'Docs.go() #1',
      fix: '@Module({ exports: [Hidden] }) on Other',
    });
  });
});

test('the notifier is injected like the logger', () => {
  @Injectable()
  class Docs {
    constructor(readonly notifier: Notifier) {}
    @Prompt() go(_notifier: Notifier): void {}
  }
  const notifier = { name: 'mine' } as unknown as Notifier;
  const application = scan(moduleOf(Docs), { notifier });
  const provider = providerOf(application, 'Notifier');
  expect(provider).toMatchObject({ token: Notifier, recipe: { kind: 'value', value: notifier } });
  expect(promptOf(application, 'go').handler).toMatchObject({
    parameters: [{ kind: 'provider', key: provider.key }],
  });
  expect(providerOf(application, 'Docs').dependencies).toEqual([{ key: provider.key }]);
});

describe('problems', () => {
  test('TW_SCAN_PROMPT_DUPLICATE: across the application', () => {
    @Injectable()
    class First {
      @Prompt() review(): void {}
    }
    @Injectable()
    class Second {
      @Prompt({ name: 'review' }) check(): void {}
    }
    expect(problemOf(moduleOf(First, Second))).toMatchObject({
      code: 'TW_SCAN_PROMPT_DUPLICATE',
      where: 'Second.check()',
      what: 'is a second prompt with the name "review", beside First.review().',
      fix: "@Prompt({ name: '…' }) on one of them",
    });
  });

  test('TW_SCAN_OPTION_UNKNOWN, TW_SCAN_OPTION_VALUE and TW_SCAN_NAME_INVALID', () => {
    @Injectable()
    class Docs {
      @Prompt({ titel: 'x' } as object) a(): void {}
      @Prompt({ unknownFields: 'stripp' as 'strip' }) b(): void {}
      @Prompt({ name: '' }) c(): void {}
    }
    expect(problemsOf(moduleOf(Docs)).map(({ code, where, fix }) => [code, where, fix])).toEqual([
      ['TW_SCAN_OPTION_UNKNOWN', 'Docs.a()', 'did you mean "title"?'],
      ['TW_SCAN_OPTION_VALUE', 'Docs.b()', 'did you mean "strip"?'],
      ['TW_SCAN_NAME_INVALID', 'Docs.c()', "@Prompt({ name: 'a-name' })"],
    ]);
  });

  test('TW_SCAN_TOOL_EMPTY says what a class with prompts alone needs', () => {
    @ToolGroup()
    class Docs {
      @Prompt() go(): void {}
    }
    expect(problemOf(moduleOf(Docs))).toMatchObject({
      code: 'TW_SCAN_TOOL_EMPTY',
      fix: "@Action('…') on a method of Docs, or of a group with parent: Docs; prompts and resources need no more than @Injectable() on Docs",
    });
  });

  test('finds problems of prompts in a group whose parent is lost', () => {
    @ToolGroup({ parent: () => Missing })
    class Docs {
      @Prompt() go(_path: string): void {}
    }
    @ToolGroup()
    class Missing {}
    expect(problemsOf(moduleOf(Docs)).map(({ code, where }) => `${code} ${where}`)).toEqual([
      'TW_SCAN_PARENT_UNKNOWN Docs',
      'TW_SCAN_INPUT_UNKNOWN Docs.go()',
    ]);
  });
});
