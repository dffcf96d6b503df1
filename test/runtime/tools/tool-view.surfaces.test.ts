import { expect, test } from '@jest/globals';
import { createTool } from '../../../src/builder/grouped-tool-builder.ts';
import { readSurfaces } from '../../../src/application/surface-options.ts';
import type { ToolSet } from '../../../src/compile/tools/compile-tool-set.ts';
import type { Surface } from '../../../src/compile/surfaces/surface.ts';
import { TOOL_SET } from '../../../src/registry/tool-registry.ts';
import { RequirementTable, Verdicts } from '../../../src/runtime/requirements/verdicts.ts';
import { ToolEntry, ToolViews } from '../../../src/runtime/tools/tool-view.ts';

function setOf(name: string, ...actions: readonly string[]): ToolSet {
  const tool = createTool(name);
  for (const action of actions)
    tool.action({ name: action, readOnly: action === 'find', handler: () => action });
  return tool[TOOL_SET]({}) as unknown as ToolSet;
}

function viewsOf(maxViews: number) {
  const surfaces = readSurfaces('grouped-by-risk', { verify: [], maxViews })!;
  const views = new ToolViews({}, surfaces);
  views.entries = [new ToolEntry(setOf('notes', 'find', 'add'))];
  const [byRisk, flat] = ['grouped-by-risk', 'flat'].map((name) => surfaces.all.get(name) as Surface);
  return { views, byRisk: byRisk as Surface, flat: flat as Surface };
}

const verdictsOf = (bits: string) => new Verdicts(bits, new RequirementTable(false));

test('a view is made once for equal verdicts on a surface', () => {
  const { views, byRisk } = viewsOf(10);
  const view = views.on(byRisk).seenBy(verdictsOf('0'), undefined);
  expect(view.names).toEqual(['notes_read', 'notes_write']);
  expect(views.on(byRisk).seenBy(verdictsOf('0'), undefined)).toBe(view);
  expect(views.seenBy(verdictsOf('0'), undefined)).not.toBe(view);
  expect(Object.isFrozen(view.definitions)).toBe(true);
});

test('views of all surfaces together are kept up to the limit', () => {
  const { views, byRisk, flat } = viewsOf(2);
  const first = views.on(byRisk).seenBy(verdictsOf('0'), undefined);
  const second = views.on(flat).seenBy(verdictsOf('0'), undefined);
  expect(views.on(byRisk).seenBy(verdictsOf('0'), undefined)).toBe(first);
  views.seenBy(verdictsOf('0'), undefined);
  expect(views.on(byRisk).seenBy(verdictsOf('0'), undefined)).toBe(first);
  expect(views.on(flat).seenBy(verdictsOf('0'), undefined)).not.toBe(second);
});

test('a change of the tools reaches the surfaces that are in use, and a wrong one none of them', () => {
  const { views, byRisk } = viewsOf(10);
  expect(views.on(byRisk).of(undefined).names).toEqual(['notes_read', 'notes_write']);
  const entries = [...views.entries, new ToolEntry(setOf('late', 'find'))];
  views.entries = entries;
  expect(views.on(byRisk).of(undefined).names).toEqual(['notes_read', 'notes_write', 'late_read']);
  const taken = new ToolEntry(setOf('notes_read', 'find'));
  expect(() => {
    views.entries = [...entries, taken];
  }).toThrow('TW_COMPILE_NAME_TAKEN');
  expect(views.entries).toEqual(entries);
});
