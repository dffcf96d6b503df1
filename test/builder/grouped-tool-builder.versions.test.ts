import { describe, expect, test } from '@jest/globals';
import { createTool, ToolRegistry } from 'toolwright';
import { textOf } from '../support/text-of.ts';

describe('versions of actions of a builder', () => {
  const books = () =>
    createTool('books', { version: '1.0.0', deprecated: { since: '1.1.0' } })
      .action({ name: 'find', description: 'Old', handler: () => 'one' })
      .action({ name: 'find', version: '1.2.0', description: 'Newer', handler: () => 'two' })
      .action({ name: 'find', version: 'v2.0.0', description: 'New', handler: () => 'three' });

  test('are chosen as those of decorated classes are', async () => {
    expect(textOf(await books().execute({ action: 'find' }))).toBe('three');
    expect(textOf(await books().execute({ action: 'find' }, undefined, { version: '^1' }))).toBe('two');
    const result = await books().execute({ action: 'find' }, undefined, { version: { find: '1.0' } });
    expect(result).toMatchObject({
      content: [{ text: 'one' }],
      _meta: { 'toolwright/version': '1.0.0', 'toolwright/deprecated': { since: '1.1.0' } },
    });
  });

  test('are asked for by keys of the object only, not by what every object has', async () => {
    const tool = createTool('tool').action({ name: 'toString', version: '1.0.0', handler: () => 'ran' });
    expect(textOf(await tool.execute({ action: 'toString' }, undefined, { version: {} }))).toBe('ran');
  });

  test('have as much of their versions in their names as it takes to distinguish them', () => {
    const registry = new ToolRegistry({ expose: 'flat' }).register(books());
    expect(registry.getTools().map(({ name }) => name)).toEqual([
      'books_find_v1_0',
      'books_find_v1_2',
      'books_find',
    ]);
  });

  test('are in what a builder says of its actions', () => {
    expect(books().getActionNames()).toEqual(['find']);
    expect(
      books()
        .getActionMetadata()
        .map(({ key, version }) => [key, version]),
    ).toEqual([
      ['find', '1.0.0'],
      ['find', '1.2.0'],
      ['find', '2.0.0'],
    ]);
  });

  test('stay in the table of a TOON description with a sentence only', () => {
    const { description } = books().toonDescription().buildToolDefinition();
    expect(description).toContain('All actions are deprecated');
    expect(description).toContain('find|New. Deprecated since 1.1.0|');
  });

  test.each([
    ['TW_BUILDER_ACTION_DUPLICATE', { name: 'find', version: '1.0.0+linux' }],
    ['TW_BUILDER_ACTION_DUPLICATE', { name: 'find', version: 'v1.2.0' }],
    ['TW_SCAN_VERSION_INVALID', { name: 'find', version: '1.2' }],
    ['TW_SCAN_VERSION_INVALID', { name: 'other', deprecated: { since: 'soon' } }],
    ['TW_SCAN_OPTION_VALUE', { name: 'other', deprecated: {} }],
  ])('are refused with %s', (code, action) => {
    const add = () => books().action({ ...(action as { name: string }), handler: () => '' });
    expect(add).toThrow(expect.objectContaining({ code }));
  });

  test('are not mixed with an action that has none, nor sent to one that does not exist', () => {
    const mixed = () =>
      createTool('books')
        .action({ name: 'find', handler: () => '' })
        .action({ name: 'find', version: '1.0.0', handler: () => '' });
    expect(mixed).toThrow(expect.objectContaining({ code: 'TW_SCAN_VERSION_MIXED' }));
    const lost = createTool('books').action({
      name: 'find',
      deprecated: { since: '1.0.0', use: 'fnd' },
      handler: () => '',
    });
    expect(() => lost.buildToolDefinition()).toThrow(
      expect.objectContaining({ code: 'TW_SCAN_REPLACEMENT_UNKNOWN' }),
    );
  });
});
