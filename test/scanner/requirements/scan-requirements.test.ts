import { describe, expect, test } from '@jest/globals';
import { Action, Complete, Prompt, Resource } from '../../../src/decorators/members.ts';
import { Injectable, Module, ToolGroup } from '../../../src/decorators/classes.ts';
import { Authenticated, Policy, Public, Roles, Scopes } from '../../../src/decorators/requirements.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import type { ScannedRequirements } from '../../../src/scanner/requirements/scanned-requirements.ts';
import { problemsOf, scan } from '../../support/scan-helpers.ts';

function moduleWith(controllers: readonly Class[], providers: readonly Class[] = []): Class {
  @Module({ controllers, providers })
  class Root {}
  return Root;
}

/** What is required of callers, in short: `public`, or one word for each. */
function say(requirements: ScannedRequirements | undefined): string | undefined {
  if (requirements === undefined) return undefined;
  if (requirements.isPublic) return 'public';
  return requirements.all
    .map((each) => {
      if (each.kind === 'scopes') return each.allOf.map((anyOf) => anyOf.join('|')).join(' ');
      if (each.kind === 'roles') return each.anyOf.join('/');
      return each.kind === 'policy' ? each.policy.name : each.kind;
    })
    .join(', ');
}

function actions(...controllers: readonly Class[]): Record<string, string | undefined> {
  const found = scan(moduleWith(controllers)).tools.flatMap((tool) => tool.actions);
  return Object.fromEntries(found.map(({ key, requirements }) => [key, say(requirements)]));
}

describe('requirements of actions', () => {
  test('add up from the groups to the method, and only @Public on a method lifts them', () => {
    @ToolGroup('office')
    @Authenticated()
    class Office {}
    @ToolGroup({ name: 'rooms', parent: Office })
    @Scopes('rooms:read')
    class Rooms {
      @Action() list(): void {}
      @Action() @Scopes('rooms:write', ['a', 'b']) @Roles('admin', 'owner') book(): void {}
      @Action() @Public() about(): void {}
    }
    expect(actions(Office, Rooms)).toEqual({
      'rooms.list': 'authenticated, rooms:read',
      'rooms.book': 'authenticated, rooms:read, rooms:write a|b, admin/owner',
      'rooms.about': 'public',
    });
  });

  test('are unknown where nothing is said, and public where a class says so and its method nothing', () => {
    @ToolGroup('plain')
    class Plain {
      @Action() one(): void {}
    }
    @ToolGroup('open')
    @Public()
    class Open {
      @Action() two(): void {}
      @Action() @Roles('admin') three(): void {}
    }
    expect(actions(Plain, Open)).toEqual({ one: undefined, two: 'public', three: 'admin' });
  });

  test('of a class hold in further groups of the action as well', () => {
    @ToolGroup('shelf')
    @Roles('reader')
    class Shelf {
      @Action() read(): void {}
    }
    @ToolGroup('books')
    @Scopes('books')
    class Books {
      @Action({ groups: [Shelf] }) find(): void {}
    }
    const tools = scan(moduleWith([Shelf, Books])).tools;
    expect(
      tools.map(({ name, actions: all }) => [name, ...all.map(({ requirements }) => say(requirements))]),
    ).toEqual([
      ['shelf', 'reader', 'reader, books'],
      ['books', 'books'],
    ]);
  });

  test('are kept by an override, which has to repeat @Public', () => {
    class Base {
      @Action() @Scopes('a') first(): void {}
      @Action() @Public() second(): void {}
      @Action() @Scopes('b') third(): void {}
    }
    @ToolGroup('derived')
    @Roles('member')
    class Derived extends Base {
      @Action() @Roles('admin') override first(): void {}
      @Action() override second(): void {}
      @Action() @Public() override third(): void {}
    }
    expect(actions(Derived)).toEqual({ first: 'member, a, admin', second: 'member', third: 'public' });
  });

  test('of a base class hold once, also where a group extends its own parent', () => {
    @ToolGroup('parent')
    @Roles('member')
    class Parent {}
    @ToolGroup({ name: 'child', parent: Parent })
    class Child extends Parent {
      @Action() go(): void {}
    }
    expect(actions(Parent, Child)).toEqual({ 'child.go': 'member' });
  });
});

describe('requirements of others', () => {
  test('stand on prompts, resources and templates; completions have those of what they complete, and their own', () => {
    @Injectable()
    @Roles('reader')
    class Docs {
      @Prompt() @Scopes('prompts') review(): void {}
      @Resource('docs://readme') readme(): void {}
      @Resource('docs://{page}') @Public() page(): void {}
      @Complete('page', 'page') @Roles('editor') pages(): string[] {
        return [];
      }
    }
    const { prompts, resources } = scan(moduleWith([Docs]));
    expect(prompts.map(({ requirements }) => say(requirements))).toEqual(['reader, prompts']);
    expect(resources.map(({ requirements }) => say(requirements))).toEqual(['reader', 'public']);
    expect(resources[1]?.completions.map(({ requirements }) => say(requirements))).toEqual(['editor']);
  });
});

describe('policies', () => {
  class OwnsTask {
    list(): boolean {
      return true;
    }
  }
  const isOwn = (): boolean => true;

  test('are functions, objects, and classes of providers', () => {
    @ToolGroup('tasks')
    @Policy(OwnsTask)
    class Tasks {
      @Action() @Policy(isOwn) one(): void {}
      @Action() @Policy({ call: () => true }, { denied: 'refuse' }) two(): void {}
    }
    const scanned = scan(moduleWith([Tasks], [OwnsTask]));
    const [one, two] = scanned.tools[0]?.actions ?? [];
    expect(say(one?.requirements)).toBe('OwnsTask, isOwn');
    expect(one?.requirements?.all).toMatchObject([
      { policy: { kind: 'provider', hasList: true, hasCall: false } },
      { policy: { kind: 'object', hasList: false, hasCall: true } },
    ]);
    expect(two?.requirements?.all[1]).toMatchObject({ kind: 'policy', denied: 'refuse' });
  });

  test('that decide nothing, are not provided, or live for one call are reported', () => {
    @Injectable({ scope: 'request' })
    class OfOneCall {
      call(): boolean {
        return true;
      }
    }
    class Nothing {}
    @ToolGroup('tasks')
    class Tasks {
      @Action() @Policy(OfOneCall) one(): void {}
      @Action() @Policy(Nothing) two(): void {}
      @Action() @Policy(OwnsTask) three(): void {}
      @Action() @Policy(undefined as never) four(): void {}
    }
    expect(problemsOf(moduleWith([Tasks], [OfOneCall])).map(({ code, where }) => `${code} ${where}`)).toEqual(
      [
        'TW_SCAN_UNDEFINED Tasks.four()',
        'TW_SCAN_POLICY_INVALID Tasks.one()',
        'TW_SCAN_DEPENDENCY_UNKNOWN Tasks.three()',
        'TW_SCAN_POLICY_INVALID Tasks.two()',
      ],
    );
  });
});

describe('problems', () => {
  test('are values that cannot be, requirements that contradict each other, and those of nothing', () => {
    @ToolGroup('office')
    @Roles('member')
    class Office {}
    @ToolGroup({ name: 'rooms', parent: Office })
    @Public()
    class Rooms {
      @Action() @Scopes() one(): void {}
      @Action() @Scopes('two words') two(): void {}
      @Action() @Roles('admin', { denied: 'challenge' }) three(): void {}
      @Action() @Scopes('a', { denied: 'hidden' } as never) four(): void {}
      @Action() @Public() @Scopes('a') five(): void {}
      @Scopes('a') six(): void {}
      @Action() @Scopes([]) seven(): void {}
      @Prompt() review(): void {}
    }
    expect(problemsOf(moduleWith([Office, Rooms])).map(({ code, where }) => `${code} ${where}`)).toEqual([
      'TW_SCAN_REQUIREMENT_CONFLICT Rooms',
      'TW_SCAN_REQUIREMENT_CONFLICT Rooms.five()',
      'TW_SCAN_OPTION_VALUE Rooms.four()',
      'TW_SCAN_OPTION_VALUE Rooms.one()',
      'TW_SCAN_OPTION_VALUE Rooms.seven()',
      'TW_SCAN_ACTION_MISSING Rooms.six()',
      'TW_SCAN_OPTION_VALUE Rooms.three()',
      'TW_SCAN_OPTION_VALUE Rooms.two()',
    ]);
  });

  test('are @Public on a completion, which would open more than what it completes', () => {
    @Injectable()
    class Docs {
      @Resource('docs://{page}') @Roles('reader') page(): void {}
      @Complete('page', 'page') @Public() pages(): string[] {
        return [];
      }
    }
    expect(problemsOf(moduleWith([Docs])).map(({ code, where }) => `${code} ${where}`)).toEqual([
      'TW_SCAN_REQUIREMENT_CONFLICT Docs.pages()',
    ]);
  });
});
