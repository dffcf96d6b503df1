import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { z } from 'zod';
import { Action, Prompt, Field, Input } from '../../../src/decorators/members.ts';
import { Injectable, Module, ToolGroup } from '../../../src/decorators/classes.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { decorate, problemOf, problemsOf } from '../../support/scan-helpers.ts';

class Workspace {
  @IsString() workspaceId!: string;
}
class Create {
  @IsString() title!: string;
}
class Other {
  @IsString() name!: string;
}
class NoDto {
  name!: string;
}
@Injectable()
class Clock {}

function moduleWith(...controllers: readonly Class[]): Class {
  @Module({ controllers, providers: [Clock, { provide: 'URL', useValue: 1 }] })
  class Root {}
  return Root;
}

describe('TW_SCAN_INPUT_UNKNOWN with emitted types', () => {
  function typed(type: unknown): Class {
    class NoteTools {
      go(_input: unknown): void {}
    }
    Reflect.metadata('design:paramtypes', [type])(NoteTools.prototype, 'go');
    decorate(NoteTools.prototype, 'go', [Action()]);
    ToolGroup()(NoteTools);
    return moduleWith(NoteTools);
  }

  test.each([
    [Object, 'an interface, an alias, a union, a type parameter', 'use a class, imported without `type`'],
    [Function, 'a callback type', 'use a class, imported without `type`'],
    [undefined, 'circle', 'break the import circle'],
    [String, 'its type is String, and an input must be one class.', 'wrap it in a DTO class'],
    [Array, 'its type is Array', 'wrap it in a DTO class'],
    [Promise, 'its type is Promise', 'wrap it in a DTO class'],
  ])('%p', (type, why, repair) => {
    const problem = problemOf(typed(type));
    expect(problem.code).toBe('TW_SCAN_INPUT_UNKNOWN');
    expect(problem.why).toContain(why);
    expect(problem.fix).toContain(`@Action({ input: TheClass }), or ${repair}`);
  });

  test('TW_SCAN_INPUT_NOT_DTO: the class is a global that a type-only import left behind', () => {
    expect(problemOf(typed(Request))).toMatchObject({
      code: 'TW_SCAN_INPUT_NOT_DTO',
      why: 'that is the global Request; a class of that name imported with `import type` leaves it behind.',
      fix: 'rename the class, and import it without `type`',
    });
  });
});

describe('other problems', () => {
  test('TW_SCAN_INPUT_NOT_DTO: neither a provider nor a DTO', () => {
    @ToolGroup()
    class NoteTools {
      @Action() go(_x: NoDto): void {}
    }
    expect(problemOf(moduleWith(NoteTools))).toMatchObject({
      code: 'TW_SCAN_INPUT_NOT_DTO',
      where: 'NoteTools.go()',
      what: 'takes NoDto (parameter #1), which is neither injectable in Root nor a DTO.',
      fix: 'class-validator decorators on the fields of NoDto, or @Module({ providers: [NoDto] }) on Root',
    });
  });

  test('TW_SCAN_DEPENDENCY_HIDDEN: a provider of another module', () => {
    @Injectable()
    class Far {}
    @Module({ providers: [Far] })
    class FarModule {}
    @ToolGroup()
    class NoteTools {
      @Action() go(_far: Far): void {}
      @Action() run(_input: Create, _far: Far): void {}
    }
    @Module({ imports: [FarModule], controllers: [NoteTools] })
    class Root {}
    expect(problemsOf(Root).map(({ where, fix }) => `${where}: ${fix}`)).toEqual([
      'NoteTools.go() #1: @Module({ exports: [Far] }) on FarModule',
      'NoteTools.run() #2: @Module({ exports: [Far] }) on FarModule',
    ]);
  });

  test('TW_SCAN_INPUT_AMBIGUOUS: two DTOs', () => {
    @ToolGroup()
    class NoteTools {
      @Action() go(_a: Create, _b: Other): void {}
    }
    const problem = problemOf(moduleWith(NoteTools));
    expect(problem).toMatchObject({
      code: 'TW_SCAN_INPUT_AMBIGUOUS',
      where: 'NoteTools.go()',
      what: 'has 2 parameters that could be its input: Create (#1) and Other (#2).',
    });
    expect(problem.fix).toContain('put the fields in one DTO');
  });

  test('TW_SCAN_INPUT_AMBIGUOUS: two @Input', () => {
    @ToolGroup()
    class NoteTools {
      @Action() go(@Input(Create) _a: unknown, @Input(Other) _b: unknown): void {}
    }
    expect(problemOf(moduleWith(NoteTools)).code).toBe('TW_SCAN_INPUT_AMBIGUOUS');
  });

  test('TW_SCAN_INPUT_CONFLICT: @Action and @Input disagree', () => {
    @ToolGroup()
    class NoteTools {
      @Action({ input: Create }) go(@Input(Other) _input: unknown): void {}
    }
    expect(problemOf(moduleWith(NoteTools))).toMatchObject({
      code: 'TW_SCAN_INPUT_CONFLICT',
      fix: 'name it once: remove `input` from @Action, or write @Input() without a class',
    });
  });

  test('TW_SCAN_INPUT_TYPE: the class that is named and that of the parameter', () => {
    class Special extends Create {}
    @ToolGroup()
    class NoteTools {
      @Action({ input: Create }) other(_input: Other): void {}
      @Action() named(@Input(Create) _input: Other): void {}
      @Prompt({ input: Create }) prompt(_input: Other): void {}
      @Action({ input: Special }) base(_input: Create): void {}
      @Action({ input: Create }) special(_input: Special): void {}
      @Action({ input: Create }) both(_input: Create & Other): void {}
      @Action({ input: z.object({ text: z.string() }) }) schema(_input: Other): void {}
    }
    expect(
      problemsOf(moduleWith(NoteTools)).map(({ code, where, what, fix }) => [code, where, what, fix]),
    ).toEqual(
      ['named', 'other', 'prompt'].map((member) => [
        'TW_SCAN_INPUT_TYPE',
        `NoteTools.${member}() #1`,
        'has the class Other, but its input is named as Create.',
        'write Create for the type of the parameter, or name Other as the input',
      ]),
    );
  });

  test('TW_SCAN_PARAMETER_UNKNOWN: a class beside the input without a provider', () => {
    @ToolGroup()
    class NoteTools {
      @Action() go(_input: Create, _x: NoDto, _n: number): void {}
    }
    expect(
      problemsOf(moduleWith(NoteTools)).map(({ code, where, fix }) => `${code} ${where}: ${fix}`),
    ).toEqual([
      'TW_SCAN_PARAMETER_UNKNOWN NoteTools.go() #2: add it to providers: @Module({ providers: [NoDto] }) on Root, or @Inject(NoDto, { optional: true }) where it may be missing',
      'TW_SCAN_PARAMETER_UNKNOWN NoteTools.go() #3: @Inject(Token) or @Ctx() on parameter #3',
    ]);
  });

  test('TW_SCAN_SCHEMA_INVALID: a schema of no accepted kind', () => {
    @ToolGroup({ common: (() => Workspace) as never })
    class NoteTools {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith(NoteTools))).toMatchObject({
      code: 'TW_SCAN_SCHEMA_INVALID',
      where: 'NoteTools',
      what: 'has a common that is neither a DTO class, a Standard Schema nor a JSON Schema.',
      fix: 'common: TheClass',
    });
  });

  test('TW_SCAN_UNDEFINED: an input that does not exist yet', () => {
    @ToolGroup()
    class NoteTools {
      @Action({ input: undefined as never }) go(): void {}
    }
    expect(problemOf(moduleWith(NoteTools))).toMatchObject({
      code: 'TW_SCAN_UNDEFINED',
      what: 'names something undefined: input.',
    });
  });

  test('problems of a DTO class are reported with the others, misspelt @Field options included', () => {
    class Odd {
      @IsString() @Field({ exmaples: [] } as object) title!: string;
    }
    @ToolGroup({ common: NoDto })
    class NoteTools {
      @Action() go(_odd: Odd): void {}
    }
    expect(
      problemsOf(moduleWith(NoteTools)).map(({ code, where, fix }) => [code, where, fix.slice(0, 24)]),
    ).toEqual([
      ['TW_SHAPE_UNDECORATED', 'NoDto', 'decorate its properties '],
      ['TW_SCAN_OPTION_UNKNOWN', 'Odd.title', 'did you mean "examples"?'],
    ]);
  });
});
