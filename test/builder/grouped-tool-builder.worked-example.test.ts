import { describe, expect, test } from '@jest/globals';
import { createTool, type GroupedToolBuilder } from '../../src/builder/grouped-tool-builder.ts';
import type { JsonSchema } from '../../src/shared/json-schema.ts';

const string = { type: 'string' } as const;

function object(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required };
}

function books(): GroupedToolBuilder {
  const handler = (): string => 'done';
  const isbn = object({ isbn: string }, ['isbn']);
  return createTool('books')
    .description('Manage books.')
    .commonSchema(
      object({ branch: { ...string, description: 'Branch code' }, verbose: { type: 'boolean' } }, ['branch']),
    )
    .action({
      name: 'find',
      description: 'Search the catalogue',
      schema: object(
        {
          text: { ...string, description: 'Search text' },
          max: { type: 'integer', description: 'Page size' },
        },
        ['text'],
      ),
      handler,
    })
    .action({
      name: 'add',
      description: 'Add a copy',
      schema: object({ isbn: string, state: { ...string, enum: ['new', 'used'], default: 'new' } }, ['isbn']),
      handler,
    })
    .action({
      name: 'edit',
      schema: object(
        { isbn: string, text: string, max: { type: 'number' }, state: { ...string, enum: ['used', 'lost'] } },
        ['isbn'],
      ),
      handler,
    })
    .action({ name: 'drop', schema: isbn, destructive: true, handler })
    .action({ name: 'ping', handler });
}

describe('the books tool', () => {
  const definition = books().buildToolDefinition();

  test('has the merged schema, with a description that says which action needs what', () => {
    expect(definition.inputSchema).toEqual({
      type: 'object',
      properties: {
        action: {
          type: 'string',
          enum: ['find', 'add', 'edit', 'drop', 'ping'],
          description: 'The action to run',
        },
        branch: { type: 'string', description: 'Branch code. (always required)' },
        verbose: { type: 'boolean', description: 'For: find, add, edit, drop, ping' },
        text: { type: 'string', description: 'Search text. Required for: find. For: edit' },
        max: { type: 'number', description: 'Page size. For: find, edit' },
        isbn: { type: 'string', description: 'Required for: add, edit, drop' },
        state: { type: 'string', enum: ['new', 'used', 'lost'], description: 'For: add, edit' },
      },
      required: ['action', 'branch'],
    });
    expect(Object.keys(definition.inputSchema.properties ?? {})).toEqual([
      'action',
      'branch',
      'verbose',
      'text',
      'max',
      'isbn',
      'state',
    ]);
  });

  test('adds up its annotations', () => {
    expect(definition.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
  });

  test('describes its actions', () => {
    expect(definition.description).toBe(
      [
        'Manage books. Actions: find, add, edit, drop, ping',
        '',
        'Workflow:',
        "- 'find': Search the catalogue. Requires: text",
        "- 'add': Add a copy. Requires: isbn",
        "- 'edit': Requires: isbn",
        "- 'drop': Requires: isbn ⚠️ DESTRUCTIVE",
      ].join('\n'),
    );
  });

  test('is deep-equal to that of an equal builder', () => {
    expect(books().buildToolDefinition()).toEqual(definition);
  });
});
