import { expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, Destructive, ToolGroup } from 'toolwright';
import { changes } from '../../support/surface-changes.ts';

class Workspace {
  @IsString() workspace!: string;
}

test('two actions are enough for a field that all share', async () => {
  class Wider extends Workspace {
    @IsString() region!: string;
  }
  @ToolGroup({ name: 'tasks', common: Workspace })
  class Two {
    @Action('List tasks') list(): string {
      return '';
    }
    @Action('Remove a task') remove(): string {
      return '';
    }
  }
  @ToolGroup({ name: 'tasks', common: Wider })
  class TwoWider extends Two {}
  expect(await changes(Two, TwoWider)).toEqual(['breaking field-required-added tasks.*(region)']);
});

test('an action that is gone takes its versions with it', async () => {
  @ToolGroup('tasks')
  class Versions {
    @Action({ name: 'create', description: 'Create', version: '1.0.0' }) create(): string {
      return '';
    }
    @Action('List tasks') list(): string {
      return '';
    }
    @Action('Count tasks') count(): string {
      return '';
    }
  }
  @ToolGroup('tasks')
  class Later {
    @Action('List tasks') list(): string {
      return '';
    }
    @Action('Count tasks') count(): string {
      return '';
    }
  }
  const found = await changes(Versions, Later);
  expect(found).toContain('breaking action-removed tasks.create');
  expect(found.filter((change) => change.includes('version'))).toEqual([]);
});

test('less of a consent is risky, more of it breaking', async () => {
  @ToolGroup({ name: 'tasks' })
  class Asks {
    @Action('Drop') @Destructive({ confirm: true }) drop(): string {
      return '';
    }
  }
  @ToolGroup({ name: 'tasks' })
  class AsksTwice {
    @Action('Drop') @Destructive({ confirm: 'twice' }) drop(): string {
      return '';
    }
  }
  expect(await changes(Asks, AsksTwice)).toContain('risky consent-weakened tasks.drop');
  expect(await changes(AsksTwice, Asks)).toContain('breaking consent-added tasks.drop');
});

test('says when an action becomes deprecated, and when it is so no longer', async () => {
  const replaced = { since: '1.0.0', use: 'count' };
  @ToolGroup('tasks')
  class Before {
    @Action({ description: 'List tasks', version: '1.0.0' }) list(): string {
      return '';
    }
    @Action({ description: 'Count tasks', version: '1.0.0' }) count(): string {
      return '';
    }
  }
  @ToolGroup('tasks')
  class After extends Before {
    @Action({ description: 'List tasks', version: '1.0.0', deprecated: replaced }) override list(): string {
      return '';
    }
  }
  const rules = async (before: typeof Before, after: typeof Before): Promise<readonly string[]> =>
    (await changes(before, after)).filter((change) => change.includes('deprecated'));
  expect(await rules(Before, After)).toEqual([expect.stringContaining(' action-deprecated tasks.list')]);
  expect(await rules(After, Before)).toEqual(['safe action-not-deprecated tasks.list']);
  expect(await rules(After, After)).toEqual([]);
});

test('what an action gives is compared where its tool publishes no output', async () => {
  class Task {
    @IsString() id!: string;
    @IsString() title!: string;
  }
  class Less {
    @IsString() id!: string;
  }
  const group = (output: typeof Task | typeof Less | undefined) => {
    @ToolGroup('tasks')
    class Tasks {
      @Action({ description: 'Read a task', ...(output && { output }) }) read(): unknown {
        return { id: '1', title: 'one' };
      }
      @Action('Remove a task') remove(): string {
        return '';
      }
    }
    return Tasks;
  };
  expect(await changes(group(Task), group(Less))).toEqual([
    'risky unpublished-output-broken tasks.read -> title',
  ]);
  expect(await changes(group(Less), group(Task))).toEqual([
    'safe unpublished-output-changed tasks.read -> title',
  ]);
  expect(await changes(group(undefined), group(Task))).toEqual([
    'safe unpublished-output-changed tasks.read ->',
  ]);
  expect(await changes(group(Task), group(undefined))).toEqual([
    'risky unpublished-output-broken tasks.read ->',
  ]);
});
