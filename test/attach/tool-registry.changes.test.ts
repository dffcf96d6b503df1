import { describe, expect, test } from '@jest/globals';
import { createTool, type GroupedToolBuilder } from '../../src/builder/grouped-tool-builder.ts';
import { ToolRegistry } from '../../src/attach/tool-registry.ts';
import { codeOf } from '../support/thrown.ts';
import { textOf } from '../support/text-of.ts';

function books(answer: string): GroupedToolBuilder {
  return createTool('books')
    .action({ name: 'find', readOnly: true, handler: () => answer })
    .action({ name: 'drop', destructive: true, handler: () => answer });
}

function rooms(): GroupedToolBuilder {
  return createTool('rooms').action({ name: 'list', handler: () => 'rooms' });
}

describe('a registry at run time', () => {
  test('replaces a tool at its place, and leaves the others and old definitions as they are', async () => {
    const registry = new ToolRegistry().registerAll(books('old'), rooms());
    const [before, untouched] = registry.getAllTools();
    registry.replace(books('new').description('Changed'));
    const [after, same] = registry.getAllTools();
    expect(after?.description).toMatch(/^Changed/);
    expect(before?.description).toMatch(/^books/);
    expect(Object.isFrozen(after?.inputSchema)).toBe(true);
    expect(same).toBe(untouched);
    expect(textOf(await registry.routeCall('books', { action: 'find' }))).toBe('new');
  });

  test('disables an action: list, schema, hints and calls all know nothing of it', async () => {
    const registry = new ToolRegistry().register(books('done')).disable('books', 'drop');
    const [tool] = registry.getAllTools();
    expect(tool?.inputSchema.properties?.['action']?.enum).toEqual(['find']);
    expect(tool?.annotations.destructiveHint).toBe(false);
    expect(textOf(await registry.routeCall('books', { action: 'drop' }))).toMatch(/^Unknown action "drop"/);
    registry.enable('books', 'drop');
    expect(textOf(await registry.routeCall('books', { action: 'drop' }))).toBe('done');
  });

  test('disables a whole tool, and enables it again', async () => {
    const registry = new ToolRegistry().registerAll(books('done'), rooms()).disable('books');
    expect(registry.getAllTools().map(({ name }) => name)).toEqual(['rooms']);
    expect(textOf(await registry.routeCall('books', { action: 'find' }))).toMatch(/^Unknown tool "books"/);
    expect(registry.enable('books').size).toBe(2);
  });

  test('works on flat tools by the name of their group', () => {
    const registry = new ToolRegistry({ expose: 'flat' }).register(books('done')).disable('books', 'drop');
    expect(registry.getAllTools().map(({ name }) => name)).toEqual(['books_find']);
    registry.replace(createTool('books').action({ name: 'lend', handler: () => 'lent' }));
    expect(registry.getAllTools().map(({ name }) => name)).toEqual(['books_lend']);
  });

  test('takes a tool away', () => {
    const registry = new ToolRegistry().registerAll(books('done'), rooms());
    expect(registry.unregister('books')).toBe(true);
    expect(registry.unregister('books')).toBe(false);
    expect(registry.size).toBe(1);
  });

  test('notifies its listeners of every change, and of nothing else', () => {
    let changes = 0;
    const registry = new ToolRegistry().register(rooms());
    const unsubscribe = registry.onChange(() => (changes += 1));
    registry.register(books('done')).disable('books', 'drop').enable('books').replace(books('new'));
    expect(changes).toBe(4);
    expect(() => registry.register(books('twice'))).toThrow();
    expect(changes).toBe(4);
    unsubscribe();
    registry.clear();
    expect(changes).toBe(4);
  });

  test('names what it does not know, and what is near', () => {
    const registry = new ToolRegistry().register(books('done'));
    expect(codeOf(() => registry.replace(rooms()))).toBe('TW_REGISTRY_NAME_UNKNOWN');
    expect(codeOf(() => registry.disable('book'))).toBe('TW_REGISTRY_NAME_UNKNOWN');
    expect(() => registry.disable('book')).toThrow(/did you mean "books"/);
    expect(codeOf(() => registry.disable('books', 'fnd'))).toBe('TW_REGISTRY_ACTION_UNKNOWN');
    expect(() => registry.disable('books', 'fnd')).toThrow(/did you mean "find"/);
  });

  test('leaves everything as it was when a replacement clashes with a flat name', () => {
    const registry = new ToolRegistry({ expose: 'flat' }).registerAll(
      createTool('a').action({ name: 'b_c', handler: () => 1 }),
      createTool('a_b').action({ name: 'd', handler: () => 1 }),
    );
    const clash = createTool('a_b').action({ name: 'c', handler: () => 1 });
    expect(codeOf(() => registry.replace(clash))).toBe('TW_REGISTRY_NAME_TAKEN');
    expect(registry.getAllTools().map(({ name }) => name)).toEqual(['a_b_c', 'a_b_d']);
  });
});
