import { describe, expect, test } from '@jest/globals';
import { Action } from '../../../src/decorators/members.ts';
import { Module, ToolGroup } from '../../../src/decorators/classes.ts';
import { problemsOf, scan } from '../../support/scan-helpers.ts';

describe('the option `task` of an action', () => {
  test('becomes the way in which the action is a task', () => {
    @ToolGroup('jobs')
    class Jobs {
      @Action({ task: true })
      always() {}
      @Action({ task: 'required' })
      only() {}
      @Action({ task: 'on-demand' })
      sometimes() {}
      @Action({ task: false })
      never() {}
      @Action()
      silent() {}
    }
    @Module({ controllers: [Jobs] })
    class Root {}
    const [tool] = scan(Root).tools;
    expect(tool?.actions.map(({ task }) => task)).toEqual([
      'optional',
      'required',
      'on-demand',
      undefined,
      undefined,
    ]);
  });

  test('is a problem when it is anything else', () => {
    @ToolGroup('jobs')
    class Jobs {
      @Action({ task: 'require' } as never)
      misspelt() {}
      @Action({ task: 1 } as never)
      number() {}
    }
    @Module({ controllers: [Jobs] })
    class Root {}
    const found = problemsOf(Root).map(({ code, where, fix }) => ({ code, where, fix }));
    expect(found).toEqual([
      { code: 'TW_SCAN_OPTION_VALUE', where: 'Jobs.misspelt()', fix: 'did you mean "required"?' },
      {
        code: 'TW_SCAN_OPTION_VALUE',
        where: 'Jobs.number()',
        fix: 'let task be true or false, or one of "required", "on-demand", or an object with queue',
      },
    ]);
  });
});
