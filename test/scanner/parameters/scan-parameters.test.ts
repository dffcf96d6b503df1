import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { ToolContext } from '../../../src/call/tool-context.ts';
import { Action, Ctx, Inject, Input } from '../../../src/decorators/members.ts';
import { Injectable, Module, ToolGroup } from '../../../src/decorators/classes.ts';
import type { ActionOptions } from '../../../src/metadata/options.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { actionOf, decorate, problemOf, problemsOf, providerOf, scan } from '../../support/scan-helpers.ts';

class Workspace {
  @IsString() workspaceId!: string;
}
class Create {
  @IsString() title!: string;
}
interface Erased {
  readonly x: string;
}
@Injectable()
class Clock {}

function moduleWith(...controllers: readonly Class[]): Class {
  @Module({ controllers, providers: [Clock, { provide: 'URL', useValue: 1 }] })
  class Root {}
  return Root;
}

/** A controller whose compiler emitted no types. */
function untyped(
  run: (...args: never[]) => unknown,
  options: ActionOptions,
  parameters: Readonly<Record<number, ParameterDecorator>> = {},
): Class {
  class NoteTools {
    go(): void {}
  }
  Object.defineProperty(NoteTools.prototype, 'go', { value: run, configurable: true, writable: true });
  decorate(NoteTools.prototype, 'go', [Action(options)], parameters);
  ToolGroup()(NoteTools);
  return moduleWith(NoteTools);
}

const INPUT = { kind: 'input' };
const CONTEXT = { kind: 'context' };

describe('by type', () => {
  test('finds input, common class, provider and context, in any order', () => {
    @ToolGroup({ common: Workspace })
    class NoteTools {
      @Action() go(_clock: Clock, _ctx: ToolContext, _input: Create, _workspace: Workspace): void {}
    }
    const application = scan(moduleWith(NoteTools));
    expect(actionOf(application, 'go')).toMatchObject({
      input: Create,
      handler: {
        parameters: [
          { kind: 'provider', key: providerOf(application, 'Clock').key },
          CONTEXT,
          INPUT,
          { kind: 'common', source: Workspace },
        ],
      },
    });
  });

  test('an action may take nothing, or its common class alone', () => {
    @ToolGroup({ common: Workspace })
    class NoteTools {
      @Action() none(): void {}
      @Action() list(_workspace: Workspace): void {}
    }
    const application = scan(moduleWith(NoteTools));
    expect(actionOf(application, 'none')).toMatchObject({ input: undefined, handler: { parameters: [] } });
    expect(actionOf(application, 'list')).toMatchObject({
      input: undefined,
      handler: { parameters: [{ kind: 'common' }] },
    });
  });

  test('a parameter with a default value counts', () => {
    @ToolGroup()
    class NoteTools {
      @Action() go(_input: Create = new Create(), _ctx?: ToolContext): void {}
    }
    expect(actionOf(scan(moduleWith(NoteTools)), 'go')).toMatchObject({
      input: Create,
      handler: { parameters: [INPUT, CONTEXT] },
    });
  });

  test('the class that @Action names marks the input, even among other DTOs', () => {
    @ToolGroup({ common: Workspace })
    class NoteTools {
      @Action({ input: Create }) go(_w: Workspace, _input: Create): void {}
    }
    expect(actionOf(scan(moduleWith(NoteTools)), 'go').handler).toMatchObject({
      parameters: [{ kind: 'common' }, INPUT],
    });
  });
});

describe('explicitly', () => {
  test('decorators win over types', () => {
    @ToolGroup({ common: Workspace })
    class NoteTools {
      @Action() go(
        @Input(Create) _input: Create & Workspace,
        @Inject('URL') _url: string,
        @Ctx() _ctx: Erased,
      ): void {}
    }
    const application = scan(moduleWith(NoteTools));
    expect(actionOf(application, 'go')).toMatchObject({
      input: Create,
      handler: {
        parameters: [INPUT, { kind: 'provider', key: providerOf(application, '"URL"').key }, CONTEXT],
      },
    });
  });

  test('@Input with the common class of the group marks the common parameter', () => {
    @ToolGroup({ common: Workspace })
    class NoteTools {
      @Action() go(@Input(Create) _input: Erased, @Input(Workspace) _workspace: Erased): void {}
      @Action({ input: Workspace }) own(@Input(Workspace) _input: Erased): void {}
    }
    const application = scan(moduleWith(NoteTools));
    expect(actionOf(application, 'go')).toMatchObject({
      input: Create,
      handler: { parameters: [INPUT, { kind: 'common', source: Workspace }] },
    });
    expect(actionOf(application, 'own').handler).toMatchObject({ parameters: [INPUT] });
  });

  test('@Action({ input }) wins over the type of the parameter', () => {
    class Special extends Create {}
    @ToolGroup()
    class NoteTools {
      @Action({ input: Special }) go(_input: Create): void {}
    }
    expect(actionOf(scan(moduleWith(NoteTools)), 'go')).toMatchObject({
      input: Special,
      handler: { parameters: [INPUT] },
    });
  });

  test('a JSON Schema may be the input of a parameter of any type', () => {
    @ToolGroup()
    class NoteTools {
      @Action({ input: { type: 'object' } }) go(_input: Erased): void {}
    }
    expect(actionOf(scan(moduleWith(NoteTools)), 'go')).toMatchObject({
      input: { type: 'object' },
      handler: { parameters: [INPUT] },
    });
  });

  test('an optional dependency without a provider has no key', () => {
    @ToolGroup()
    class NoteTools {
      @Action() go(@Inject('NONE', { optional: true }) _x: unknown): void {}
    }
    expect(actionOf(scan(moduleWith(NoteTools)), 'go').handler).toMatchObject({
      parameters: [{ kind: 'provider', key: undefined }],
    });
  });
});

describe('without emitted types', () => {
  test('parameter 0 is the input that @Action names', () => {
    expect(actionOf(scan(untyped((_input) => 0, { input: Create })), 'go')).toMatchObject({
      input: Create,
      handler: { parameters: [INPUT] },
    });
    expect(actionOf(scan(untyped((_input = {}) => 0, { input: Create })), 'go').handler).toMatchObject({
      parameters: [INPUT],
    });
  });

  test('decorated parameters need no types', () => {
    const root = untyped((_ctx, _url, _input) => 0, { input: Create }, { 0: Ctx(), 1: Inject('URL') });
    expect(actionOf(scan(root), 'go').handler).toMatchObject({
      parameters: [CONTEXT, { kind: 'provider' }, INPUT],
    });
    expect(actionOf(scan(untyped((_input) => 0, {}, { 0: Input(Create) })), 'go').input).toBe(Create);
  });

  test('TW_SCAN_INPUT_UNKNOWN says why and what to write', () => {
    expect(problemOf(untyped((_input) => 0, {}))).toEqual({
      code: 'TW_SCAN_INPUT_UNKNOWN',
      where: 'NoteTools.go()',
      what: 'takes one parameter, but its class is not known.',
      why: 'the compiler wrote no parameter types: `emitDecoratorMetadata` is off, or it is esbuild or tsx, which never do.',
      fix: 'set "emitDecoratorMetadata": true in tsconfig.json (tsc, swc and oxc obey it), or @Action({ input: TheClass })',
    });
  });

  test('TW_SCAN_PARAMETER_UNKNOWN names every further undecorated parameter', () => {
    const problems = problemsOf(untyped((_a, _b, _c) => 0, { input: Create }));
    expect(problems.map(({ code, where }) => `${code} ${where}`)).toEqual([
      'TW_SCAN_PARAMETER_UNKNOWN NoteTools.go() #2',
      'TW_SCAN_PARAMETER_UNKNOWN NoteTools.go() #3',
    ]);
    expect(problems[0]?.fix).toBe('@Inject(Token) or @Ctx() on parameter #2');
  });
});
