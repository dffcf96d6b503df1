import { expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, ReadOnly, Inject } from '../../src/decorators/members.ts';
import { Destructive } from '../../src/features/consent/destructive.ts';
import { Injectable, Module, ToolGroup, Middleware } from '../../src/decorators/classes.ts';
import { ApplicationError } from '../../src/errors/problem-list.ts';
import { problemsOf, scan } from '../support/scan-helpers.ts';

class Guard {
  use(): void {}
}
@Injectable()
class A {
  constructor(@Inject('MISSING') readonly missing: unknown) {}
}

@ToolGroup({ name: 'one', descripton: 'x' } as object)
class One {
  @Action() first(_input: string): void {}
  @Action() @ReadOnly() @Destructive() second(): void {}
  @Action() @Middleware(Guard) third(): void {}
  @Destructive() fourth(): void {}
}
@ToolGroup('two')
class Two {}
@ToolGroup({ parent: Guard })
class Lost {
  @Action() go(): void {}
}
@Module({ controllers: [One, Two, Lost], providers: [A], exports: ['NOTHING'] })
class Root {}

test('reports all problems of an application at once, sorted by class and member', () => {
  expect(problemsOf(Root).map(({ code, where }) => `${code} ${where}`)).toEqual([
    'TW_SCAN_DEPENDENCY_UNKNOWN A constructor #1',
    'TW_SCAN_PARENT_UNKNOWN Lost',
    'TW_SCAN_OPTION_UNKNOWN One',
    'TW_SCAN_INPUT_UNKNOWN One.first()',
    'TW_SCAN_ACTION_MISSING One.fourth()',
    'TW_SCAN_MARK_CONFLICT One.second()',
    'TW_SCAN_MIDDLEWARE_UNKNOWN One.third()',
    'TW_SCAN_EXPORT_UNKNOWN Root',
    'TW_SCAN_TOOL_EMPTY Two',
  ]);
});

test('looks into groups whose parent is lost, and blames nothing that the parent would explain', () => {
  class Common {
    @IsString() a!: string;
  }
  class Dto {
    @IsString() b!: string;
  }
  @ToolGroup({ common: Common })
  class Unlisted {}
  @ToolGroup({ parent: Unlisted })
  class Sub {
    @Action() @Middleware(Guard) go(_common: Common, _dto: Dto): void {}
  }
  @Module({ controllers: [Sub] })
  class Orphaned {}
  expect(problemsOf(Orphaned).map(({ code, where }) => `${code} ${where}`)).toEqual([
    'TW_SCAN_PARENT_UNKNOWN Sub',
    'TW_SCAN_MIDDLEWARE_UNKNOWN Sub.go()',
  ]);
});

test('the error shows code, place, reason and fix of each', () => {
  expect(() => scan(Root)).toThrow(ApplicationError);
  expect(() => scan(Root)).toThrow(
    [
      '  TW_SCAN_INPUT_UNKNOWN: One.first() takes one parameter, but its class is not known.',
      '    why: its type is String, and an input must be one class.',
      '    fix: @Action({ input: TheClass }), or wrap it in a DTO class',
    ].join('\n'),
  );
});

test('gives equal answers for equal applications', () => {
  @ToolGroup()
  class Fine {
    @Action() go(): void {}
  }
  @Module({ controllers: [Fine] })
  class Good {}
  expect(JSON.stringify(scan(Good).tools)).toBe(JSON.stringify(scan(Good).tools));
});
