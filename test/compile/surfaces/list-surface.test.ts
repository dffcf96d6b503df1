import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, Destructive, Module, ReadOnly, ToolGroup } from 'toolwright';
import { countToolTokens } from 'toolwright/tokens';
import { FEATURES } from '../../../src/app/features.ts';
import { prepareApplication } from '../../../src/compile/compile-application.ts';
import { checkSurface, listSurface, type SurfaceTool } from '../../../src/compile/surfaces/list-surface.ts';
import { presentTool } from '../../../src/compile/surfaces/present-tool.ts';
import { createSurface, RISK_NAMES, type RiskNames } from '../../../src/compile/surfaces/surface.ts';
import type { Surface } from '../../../src/compile/surfaces/surface.ts';
import type { ToolFilter } from '../../../src/compile/tools/tool-filter.ts';
import { ProblemList, type Problem } from '../../../src/errors/problem-list.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { createCrm } from '../../support/crm-app.ts';
import { scan } from '../../support/scan-helpers.ts';

function prepare(module: Class, filter?: ToolFilter) {
  const problems = new ProblemList();
  const { tools } = prepareApplication(scan(module, { features: FEATURES }), problems, filter, FEATURES);
  problems.throwIfAny('test');
  return tools;
}

function list(
  module: Class,
  name: Surface['name'],
  { riskNames, filter }: { riskNames?: RiskNames; filter?: ToolFilter } = {},
): readonly SurfaceTool[] {
  const sets = prepare(module, filter).map((prepared) => ({ prepared }));
  return listSurface(sets, createSurface(name, riskNames && { riskNames }));
}

function check(module: Class, name: Surface['name'], riskNames?: RiskNames): readonly Problem[] {
  const problems = new ProblemList();
  const surface = createSurface(name, riskNames && { riskNames }) as Surface;
  const presented = prepare(module).map((tool) => presentTool(tool, surface, problems));
  checkSurface(presented, surface, problems);
  return problems.problems;
}

const namesIn = (tools: readonly SurfaceTool[]) => tools.map(({ name }) => name);

class Input {
  @IsString() text!: string;
}

describe('grouped by risk', () => {
  test('21: the CRM has a tool for each risk of each group, with exact hints', () => {
    const tools = list(createCrm('plain'), 'grouped-by-risk');
    expect(namesIn(tools)).toEqual([
      'crm_read',
      'crm_write',
      'crm_destructive',
      'tickets_read',
      'tickets_write',
      'tickets_destructive',
      'orders_read',
      'orders_destructive',
      'reports_read',
    ]);
    for (const { name, annotations } of tools) {
      expect([name, annotations.readOnlyHint]).toEqual([name, name.endsWith('_read')]);
      expect([name, annotations.destructiveHint]).toEqual([name, name.endsWith('_destructive')]);
    }
    expect(tools[0]).toMatchObject({
      title: 'Crm (read)',
      discriminator: 'action',
      actions: [
        { root: 'crm', key: 'customers.records.find' },
        { root: 'crm', key: 'customers.records.get' },
        { root: 'crm', key: 'customers.contacts.list' },
      ],
      inputSchema: { properties: { action: { description: 'One of the actions above' } } },
    });
    expect(tools.map(({ title }) => title).slice(0, 3)).toEqual([
      'Crm (read)',
      'Crm (change)',
      'Crm (destructive)',
    ]);
  });

  test('22: a group that only reads has the suffix as well', () => {
    expect(namesIn(list(createCrm('plain'), 'grouped-by-risk'))).toContain('reports_read');
  });

  test('23: risks with equal names are one tool', () => {
    const riskNames = { ...RISK_NAMES, destructive: 'write' };
    const tools = list(createCrm('plain'), 'grouped-by-risk', { riskNames });
    expect(namesIn(tools).slice(0, 2)).toEqual(['crm_read', 'crm_write']);
    expect(tools[1]).toMatchObject({ title: 'Crm (change, destructive)' });
    expect(tools[1]?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  test('hints of the group do not hide what a part of it does', () => {
    @ToolGroup({ name: 'notes', annotations: { readOnlyHint: true, openWorldHint: false } })
    class Notes {
      @Action() @ReadOnly() find(): void {}
      @Action() @Destructive() remove(): void {}
    }
    @Module({ controllers: [Notes] })
    class NotesModule {}
    const [read, destructive] = list(NotesModule, 'grouped-by-risk');
    expect(read?.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(destructive?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  test('a key is where the most dangerous of its versions is', () => {
    @ToolGroup({ name: 'notes' })
    class Notes {
      @Action({ name: 'tidy', version: '1.0.0' }) @Destructive() tidyFirst(): void {}
      @Action({ name: 'tidy', version: '2.0.0' }) @ReadOnly() tidy(): void {}
    }
    @Module({ controllers: [Notes] })
    class NotesModule {}
    const tools = list(NotesModule, 'grouped-by-risk');
    expect(namesIn(tools)).toEqual(['notes_destructive']);
    expect(tools[0]?.annotations.readOnlyHint).toBe(false);
  });

  test('69: what clients would cut is split by its groups, and then flat', () => {
    @ToolGroup({ name: 'large', description: 'x'.repeat(2010) })
    class Large {}
    @ToolGroup({ name: 'left', parent: Large, description: 'Left' })
    class Left {
      @Action('Look') @ReadOnly() look(_input: Input): void {}
    }
    @ToolGroup({ name: 'right', parent: Large, description: 'y'.repeat(2040) })
    class Right {
      @Action('Look') @ReadOnly() look(_input: Input): void {}
      @Action('Push') push(_input: Input): void {}
    }
    @Module({ controllers: [Large, Left, Right] })
    class LargeModule {}
    expect(namesIn(list(LargeModule, 'grouped-by-risk'))).toEqual([
      'large_left_read',
      'large_right_look',
      'large_write',
    ]);
  });

  test('24: a group that has the name of a part of another group is a problem', () => {
    @ToolGroup({ name: 'crm' })
    class Crm {
      @Action() @ReadOnly() find(): void {}
    }
    @ToolGroup({ name: 'crm_read' })
    class CrmRead {
      @Action() create(): void {}
    }
    @Module({ controllers: [Crm, CrmRead] })
    class Both {}
    const [problem, ...others] = check(Both, 'grouped-by-risk');
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'TW_COMPILE_NAME_TAKEN', where: 'surface "grouped-by-risk"' });
    expect(problem?.what).toContain('"crm_read" (CrmRead)');
    expect(problem?.what).toContain('"crm" (Crm)');
    expect(problem?.fix).toContain('riskNames');
    expect(check(Both, 'grouped-by-risk', { ...RISK_NAMES, read: 'look' })).toEqual([]);
  });
});

describe('flat', () => {
  test('the CRM has one tool for each action, whose hints are its own', () => {
    const tools = list(createCrm('plain'), 'flat');
    expect(tools).toHaveLength(20);
    expect(tools[0]).toMatchObject({
      name: 'crm_customers_records_find',
      discriminator: undefined,
      actions: [{ root: 'crm', key: 'customers.records.find' }],
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
  });

  test('two actions of one name are a problem, and so is a name that models cannot call', () => {
    @ToolGroup({ name: 'notes' })
    class Notes {}
    @ToolGroup({ name: 'a', parent: Notes })
    class First {
      @Action({ name: 'b_c' }) run(): void {}
      @Action({ name: 'ü' }) other(): void {}
    }
    @ToolGroup({ name: 'a_b', parent: Notes })
    class Second {
      @Action({ name: 'c' }) run(): void {}
    }
    @Module({ controllers: [Notes, First, Second] })
    class NotesModule {}
    expect(check(NotesModule, 'flat').map(({ code }) => code)).toEqual([
      'TW_COMPILE_TOOL_NAME',
      'TW_COMPILE_NAME_TAKEN',
    ]);
    expect(check(NotesModule, 'grouped')).toEqual([]);
  });
});

test('grouped lists what an application exposes flat, and finds a free discriminator', () => {
  @ToolGroup({ name: 'notes', expose: 'flat', describe: 'plain' })
  class Notes {
    @Action({
      description: 'Find',
      input: { type: 'object', properties: { action: { type: 'string' } } },
    })
    find(): void {}
    @Action('Add') add(_input: Input): void {}
  }
  @Module({ controllers: [Notes] })
  class NotesModule {}
  expect(list(NotesModule, 'grouped')).toMatchObject([
    {
      name: 'notes',
      discriminator: 'operation',
      description: expect.stringContaining('add(text): Add') as unknown,
    },
  ]);
});

test('the filter of the application hides actions, and decides no name', () => {
  @ToolGroup({ name: 'notes' })
  class Notes {
    @Action({ tags: ['safe'] }) @ReadOnly() find(): void {}
    @Action() @Destructive() remove(): void {}
  }
  @Module({ controllers: [Notes] })
  class NotesModule {}
  const filter = { tags: ['safe'] };
  expect(namesIn(list(NotesModule, 'grouped-by-risk', { filter }))).toEqual(['notes_read']);
  expect(namesIn(list(NotesModule, 'grouped', { filter }))).toEqual(['notes']);
});

test('the CRM costs less grouped than flat, and by risk not more than as plain text', async () => {
  const tokensOf = async (name: Surface['name']) => {
    const tools = list(createCrm('plain'), name).map(({ definition }) => definition);
    return (await countToolTokens(tools)).tokens;
  };
  const [grouped, byRisk, flat] = [
    await tokensOf('grouped'),
    await tokensOf('grouped-by-risk'),
    await tokensOf('flat'),
  ];
  expect(grouped).toBeLessThan(0.61 * flat);
  expect(byRisk).toBeLessThanOrEqual(1439);
});
