import { describe, expect, test } from '@jest/globals';
import { createTool, type GroupedToolBuilder } from '../../src/builder/grouped-tool-builder.ts';
import type { JsonSchema } from '../../src/shared/json-schema.ts';
import { BOOKS_DESCRIPTION, BOOKS_SCHEMA } from '../support/books-example.ts';

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
    expect(definition.inputSchema).toEqual(BOOKS_SCHEMA);
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
    expect(definition.description).toBe(BOOKS_DESCRIPTION);
  });

  test('is deep-equal to that of an equal builder', () => {
    expect(books().buildToolDefinition()).toEqual(definition);
  });
});
