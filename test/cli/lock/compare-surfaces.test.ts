import { describe, expect, test } from '@jest/globals';
import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import {
  Action,
  Destructive,
  Field,
  Injectable,
  Input,
  OpenWorld,
  Prompt,
  ReadOnly,
  Resource,
  ToolGroup,
} from 'toolwright';
import { compareSurfaces } from '../../../src/cli/lock/compare-surfaces.ts';
import { changes, surfaceOf } from '../../support/surface-changes.ts';

class Workspace {
  @IsString() workspace!: string;
}

class Create {
  @IsString() @Field('What to do') title!: string;
  @IsOptional() @IsIn(['low', 'high']) urgency?: string;
}

@ToolGroup({ name: 'tasks', description: 'Tasks of a team', common: Workspace })
class Before {
  @Action('List tasks') @ReadOnly() list(): string {
    return '';
  }
  @Action('Create a task') create(@Input(Create) _input: Create): string {
    return '';
  }
  @Action('Remove a task') @Destructive() remove(): string {
    return '';
  }
}

test('nothing differs from itself', async () => {
  expect(await changes(Before, Before)).toEqual([]);
});

describe('of the actions of a tool', () => {
  test('a required field is breaking, an optional one safe', async () => {
    class Stricter extends Create {
      @IsInt() hours!: number;
      @IsOptional() @IsString() note?: string;
    }
    @ToolGroup({ name: 'tasks', description: 'Tasks of a team', common: Workspace })
    class After extends Before {
      @Action('Create a task') override create(@Input(Stricter) _input: Stricter): string {
        return '';
      }
    }
    expect(await changes(Before, After)).toEqual([
      'breaking field-required-added tasks.create(hours)',
      'safe field-optional-added tasks.create(note)',
    ]);
  });

  test('a value of a list that is gone is breaking', async () => {
    class Narrower {
      @IsString() @Field('What to do') title!: string;
      @IsOptional() @IsIn(['low']) urgency?: string;
    }
    @ToolGroup({ name: 'tasks', description: 'Tasks of a team', common: Workspace })
    class After extends Before {
      @Action('Create a task') override create(@Input(Narrower) _input: Narrower): string {
        return '';
      }
    }
    expect(await changes(Before, After)).toEqual(['breaking value-removed tasks.create(urgency)']);
  });

  test('a name that changed is breaking, and the likely new one is said', async () => {
    @ToolGroup({ name: 'tasks', description: 'Tasks of a team', common: Workspace })
    class After {
      @Action('List tasks') @ReadOnly() list(): string {
        return '';
      }
      @Action('Create a task') add(@Input(Create) _input: Create): string {
        return '';
      }
      @Action('Remove a task') @Destructive() remove(): string {
        return '';
      }
    }
    const [renamed, ...others] = compareSurfaces(await surfaceOf(Before), await surfaceOf(After));
    expect(others).toEqual([]);
    expect(renamed).toMatchObject({
      rule: 'action-renamed',
      level: 'breaking',
      where: 'tasks.create',
      message: 'An action has another name: "add" takes the same',
    });
  });

  test('words are risky, white space is safe', async () => {
    @ToolGroup({ name: 'tasks', description: 'Tasks of a  team', common: Workspace })
    class After extends Before {
      @Action('Show tasks') @ReadOnly() override list(): string {
        return '';
      }
    }
    expect(await changes(Before, After)).toEqual([
      'risky description-changed tasks.list',
      'safe white-space-changed tasks',
    ]);
  });

  test('a field that all share is named once, with the actions', async () => {
    class Wider extends Workspace {
      @IsString() region!: string;
    }
    @ToolGroup({ name: 'tasks', description: 'Tasks of a team', common: Wider })
    class After extends Before {}
    const [added, ...others] = compareSurfaces(await surfaceOf(Before), await surfaceOf(After));
    expect(others).toEqual([]);
    expect(added).toMatchObject({
      rule: 'field-required-added',
      where: 'tasks.*(region)',
      message: 'A required field is new (list, create, remove)',
    });
  });

  test('what the tool promises counts once', async () => {
    @ToolGroup({ name: 'tasks' })
    class Harmless {
      @Action('List tasks') @ReadOnly() list(): string {
        return '';
      }
    }
    @ToolGroup({ name: 'tasks' })
    class Harmful {
      @Action('List tasks') @Destructive() list(): string {
        return '';
      }
    }
    expect(await changes(Harmless, Harmful)).toEqual([
      'breaking read-only-withdrawn tasks',
      'breaking destructive-added tasks',
    ]);
    expect(await changes(Harmful, Harmless)).toEqual([
      'risky read-only-added tasks',
      'risky destructive-withdrawn tasks',
    ]);
  });

  test('saying whether it reaches an open world is safe, and changing it is risky', async () => {
    @ToolGroup({ name: 'tasks' })
    class Silent {
      @Action('List tasks') list(): string {
        return '';
      }
    }
    @ToolGroup({ name: 'tasks' })
    @OpenWorld(false)
    class Closed extends Silent {}
    @ToolGroup({ name: 'tasks' })
    @OpenWorld()
    class Open extends Silent {}
    expect(await changes(Silent, Closed)).toEqual(['safe open-world-said tasks']);
    expect(await changes(Silent, Open)).toEqual(['safe open-world-said tasks']);
    expect(await changes(Closed, Open)).toEqual(['risky open-world-changed tasks']);
    expect(await changes(Open, Silent)).toEqual(['risky open-world-changed tasks']);
  });

  test('grouped actions that become tools are one change, not several that are gone', async () => {
    @ToolGroup({ name: 'tasks', description: 'Tasks of a team', common: Workspace, expose: 'flat' })
    class After extends Before {}
    const found = await changes(Before, After);
    expect(found.filter((change) => change.startsWith('breaking'))).toEqual([
      'breaking exposition-changed tasks',
    ]);
    expect(found).toContain('safe tool-added tasks_create');
  });

  test('a version that can no longer be called is breaking, a further one safe', async () => {
    @ToolGroup('tasks')
    class Versions {
      @Action({ name: 'create', version: '1.0.0' }) first(): string {
        return '';
      }
      @Action({ name: 'create', version: '2.0.0' }) second(): string {
        return '';
      }
    }
    @ToolGroup('tasks')
    class Later {
      @Action({ name: 'create', version: '2.0.0' }) second(): string {
        return '';
      }
      @Action({ name: 'create', version: '2.1.0' }) third(): string {
        return '';
      }
    }
    const found = await changes(Versions, Later);
    expect(found).toContain('breaking action-version-removed tasks.create');
    expect(found).toContain('safe action-version-added tasks.create');
    expect(found).toContain('risky action-version-changed tasks.create');
  });

  test('actions that take nothing are not taken for each other', async () => {
    @ToolGroup('tasks')
    class Listing {
      @Action('List tasks') list(): string {
        return '';
      }
    }
    @ToolGroup('tasks')
    class Clearing {
      @Action('Forget all tasks') clear(): string {
        return '';
      }
    }
    expect(await changes(Listing, Clearing)).toEqual([
      'breaking action-removed tasks.list',
      'safe action-added tasks.clear',
    ]);
  });

  test('the argument that names the action has another name', async () => {
    @ToolGroup({ name: 'tasks', description: 'Tasks of a team', common: Workspace, discriminator: 'do' })
    class After extends Before {}
    expect(await changes(Before, After)).toEqual(['breaking discriminator-renamed tasks']);
  });
});

describe('of prompts and resources', () => {
  class Topic {
    @IsString() topic!: string;
  }
  class TopicAndTone extends Topic {
    @IsString() tone!: string;
  }
  @Injectable()
  class Notes {
    @Prompt({ name: 'sum-up', description: 'Sum up' }) sumUp(@Input(Topic) _input: Topic): string {
      return '';
    }
    @Resource('notes://all', { name: 'all', mimeType: 'text/plain' }) all(): string {
      return '';
    }
    @Resource('notes://{id}', { name: 'one' }) one(): string {
      return '';
    }
  }
  @Injectable()
  class Changed {
    @Prompt({ name: 'sum-up', description: 'Sum up' }) sumUp(
      @Input(TopicAndTone) _input: TopicAndTone,
    ): string {
      return '';
    }
    @Resource('notes://every', { name: 'all', mimeType: 'text/plain' }) all(): string {
      return '';
    }
    @Resource('notes://{id}', { name: 'one', mimeType: 'text/html' }) one(): string {
      return '';
    }
  }

  test('a required argument, an address and a media type are breaking', async () => {
    expect(await changes(Notes, Changed)).toEqual([
      'breaking argument-required prompt sum-up(tone)',
      'breaking resource-uri-changed resource notes://all',
      'breaking mime-type-changed template notes://{id}',
    ]);
  });

  test('without them, they are gone', async () => {
    @ToolGroup('notes')
    class Empty {
      @Action('Nothing') nothing(): string {
        return '';
      }
    }
    expect(await changes(Notes, Empty)).toEqual([
      'breaking prompt-removed prompt sum-up',
      'breaking resource-removed resource notes://all',
      'breaking template-removed template notes://{id}',
      'safe tool-added notes',
    ]);
  });
});

test('a server that is only known by its lists is compared by them', async () => {
  const [known, seen] = [await surfaceOf(Before), await surfaceOf(Before)];
  const [tool] = seen.tools;
  const { actions: _, groups: __, ...listed } = tool!;
  const other = {
    ...listed,
    inputSchema: { ...listed.inputSchema, required: [...listed.inputSchema.required!, 'title'] },
  };
  const found = compareSurfaces(known, { ...seen, tools: [other] });
  expect(found.map(({ rule, where }) => `${rule} ${where}`)).toEqual(['field-made-required tasks(title)']);
});

test('the order of tools is risky', async () => {
  const surface = await surfaceOf(Before);
  const [tool] = surface.tools;
  const two = [tool!, { ...tool!, name: 'others' }];
  const found = compareSurfaces({ ...surface, tools: two }, { ...surface, tools: two.toReversed() });
  expect(found.map(({ rule }) => rule)).toEqual(['tools-reordered']);
});

test('an argument that is not required may say so or not', async () => {
  const surface = await surfaceOf(Before);
  const prompts = (argument: object) => [{ name: 'sum-up', arguments: [{ name: 'topic', ...argument }] }];
  const found = (before: object, after: object): readonly string[] =>
    compareSurfaces({ ...surface, prompts: prompts(before) }, { ...surface, prompts: prompts(after) }).map(
      ({ rule }) => rule,
    );
  expect(found({}, { required: false })).toEqual([]);
  expect(found({ required: false }, { required: true })).toEqual(['argument-required']);
  expect(found({ required: true }, {})).toEqual(['argument-optional']);
});
