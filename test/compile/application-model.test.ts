import { expect, test } from '@jest/globals';
import { createTool } from '../../src/builder/grouped-tool-builder.ts';
import { growToolTree } from '../../src/compile/application-model.ts';
import type { ToolSet } from '../../src/compile/tools/compile-tool-set.ts';
import { TOOL_SET } from '../../src/registry/tool-registry.ts';
import type { Group } from '../../src/model/group.ts';

const handler = (): string => 'done';

function modelOf(builder: ReturnType<typeof createTool>): Group {
  return growToolTree((builder[TOOL_SET]({}) as ToolSet).prepared);
}

test('a flat tool is a root group with a leaf for each action', () => {
  const root = modelOf(
    createTool('books')
      .description('Manage books')
      .action({ name: 'find', description: 'Search', readOnly: true, handler })
      .action({ name: 'drop', destructive: true, handler }),
  );
  expect(root.isRoot()).toBe(true);
  expect(root.getFullyQualifiedName()).toBe('books');
  expect(root.description).toBe('Manage books');
  expect(root.childTools.map(({ name, description }) => [name, description])).toEqual([
    ['find', 'Search'],
    ['drop', undefined],
  ]);
  expect(root.childTools[0]?.toolAnnotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  expect(root.childTools[1]?.getParentGroupRoots()).toEqual([root]);
});

test('a hierarchical tool has its groups below the root', () => {
  const root = modelOf(
    createTool('office')
      .group('rooms', 'Meeting rooms', (group) => group.action({ name: 'book', handler }))
      .group('desks', (group) =>
        group.action({
          name: 'free',
          schema: { type: 'object', properties: { desk: { type: 'string' } } },
          handler,
        }),
      ),
  );
  expect(root.childTools).toEqual([]);
  expect(root.childGroups.map((group) => [group.getFullyQualifiedName(), group.description])).toEqual([
    ['office.rooms', 'Meeting rooms'],
    ['office.desks', undefined],
  ]);
  expect(root.childGroups[1]?.childTools[0]?.inputSchema?.properties).toEqual({ desk: { type: 'string' } });
});
