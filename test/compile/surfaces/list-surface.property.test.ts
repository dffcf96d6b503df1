import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTool } from '../../../src/builder/grouped-tool-builder.ts';
import { listSurface } from '../../../src/compile/surfaces/list-surface.ts';
import { createSurface, SURFACE_NAMES } from '../../../src/compile/surfaces/surface.ts';
import type { ToolSet } from '../../../src/compile/tools/compile-tool-set.ts';
import { TOOL_SET } from '../../../src/registry/tool-registry.ts';
import { tries } from '../../support/thorough.ts';

/** What a random action does, and how long its description is. */
interface RandomAction {
  readonly group: number;
  readonly risk: 'read' | 'write' | 'destructive';
  readonly length: number;
}

const actionArbitrary: fc.Arbitrary<RandomAction> = fc.record({
  group: fc.integer({ min: 0, max: 3 }),
  risk: fc.constantFrom('read', 'write', 'destructive'),
  length: fc.constantFrom(0, 20, 400),
});
const toolArbitrary = fc.record({
  isNested: fc.boolean(),
  actions: fc.array(actionArbitrary, { minLength: 1, maxLength: 60 }),
});

function build({ isNested, actions }: { isNested: boolean; actions: readonly RandomAction[] }): ToolSet {
  const optionsOf = ({ risk, length }: RandomAction, index: number) => ({
    name: `a-long-name-of-an-action-${String(index)}`,
    description: 'x'.repeat(length),
    readOnly: risk === 'read',
    destructive: risk === 'destructive',
    handler: () => 'done',
  });
  const tool = createTool('desk');
  const each = actions.map((action, index) => ({ action, options: optionsOf(action, index) }));
  if (!isNested) for (const { options } of each) tool.action(options);
  else
    for (const group of new Set(actions.map((action) => action.group)))
      tool.group(`g${String(group)}`, (members) => {
        for (const { action, options } of each) if (action.group === group) members.action(options);
      });
  return tool[TOOL_SET]({}) as unknown as ToolSet;
}

test('each surface lists each action once, under legal names, the same from each start', () => {
  fc.assert(
    fc.property(toolArbitrary, (random) => {
      const [set, again] = [build(random), build(random)];
      const keys = set.prepared.actions.map(({ scanned }) => scanned.key);
      for (const name of SURFACE_NAMES) {
        const tools = listSurface([set], createSurface(name));
        expect(tools.flatMap(({ actions }) => actions.map(({ key }) => key)).sort()).toEqual(
          [...keys].sort(),
        );
        const names = tools.map((tool) => tool.name);
        expect(new Set(names).size).toBe(names.length);
        for (const each of names) expect(each).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
        expect(JSON.stringify(listSurface([again], createSurface(name)))).toBe(JSON.stringify(tools));
      }
      for (const { annotations, actions } of listSurface([set], createSurface('grouped-by-risk'))) {
        const risks = actions.map(({ key }) => random.actions[Number(/\d+$/.exec(key)?.[0])]?.risk);
        expect(new Set(risks).size).toBe(1);
        expect(annotations.readOnlyHint).toBe(risks[0] === 'read');
        expect(annotations.destructiveHint).toBe(risks[0] === 'destructive');
      }
      for (const { description } of listSurface([set], createSurface('grouped-by-risk')))
        expect(description.length).toBeLessThanOrEqual(2048);
      // Where signatures are too long, what is listed in their place costs at most what plain text does
      const [first, ...others] = listSurface([set], createSurface('grouped'));
      if (others.length > 0 || first?.description.includes('Actions:\n') === true) return;
      const [own] = listSurface([set], undefined);
      expect(JSON.stringify(first?.definition).length).toBeLessThanOrEqual(
        JSON.stringify(own?.definition).length,
      );
    }),
    { numRuns: tries(20, 500) },
  );
});
