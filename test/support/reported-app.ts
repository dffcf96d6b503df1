import { IsOptional, IsString } from 'class-validator';
import { createTool, Injectable, McpApplication, Module, Resource, type JsonSchema } from 'toolwright';

/** What the handlers got. */
export const received: unknown[] = [];

const INPUT: JsonSchema = {
  type: 'object',
  description: 'What is kept',
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 80, description: 'What to keep' },
    count: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    ids: { type: 'array', description: 'Any values' },
    level: { type: ['string', 'null'], enum: ['low', 'high', null] },
    direction: { anyOf: [{ type: 'string', enum: ['in', 'out'] }, { type: 'null' }] },
    order: {
      type: 'object',
      properties: {
        customer: { type: 'object', properties: { city: { type: 'string' } } },
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { product: { type: 'string' }, quantity: { type: 'integer' } },
            required: ['product'],
          },
        },
      },
    },
  },
};

/** Without an end, with items that have no common schema, with several types, and with names of what every object has. */
const BROKEN: JsonSchema = {
  type: 'object',
  properties: {
    endless: { $ref: '#' },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
    any: { type: ['string', 'object'] },
    constructor: { type: 'string' },
    right: { type: 'string' },
  },
};

export const GIF = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

function keep(input: unknown): string {
  received.push(input);
  return 'kept';
}

const kept = createTool('kept')
  .action({
    name: 'keep',
    schema: INPUT,
    handler: (input) => ({
      content: [{ type: 'text', text: keep(input) }],
      structuredContent: { count: received.length },
    }),
  })
  .action({
    name: 'picture',
    handler: () => ({
      content: [
        { type: 'image', mimeType: 'image/gif', data: GIF },
        { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zy8+' },
        { type: 'image', mimeType: 'image/png', data: '"><script>' },
        { type: 'resource_link', uri: 'https://example.com/\u202Egnp.exe', name: 'a page' },
        { type: 'resource_link', uri: ' javascript:document.title=1', name: 'a script' },
        { type: 'resource_link', uri: 'data:text/html,<script>', name: 'a document' },
      ],
      _meta: { 'example.com/cost': 3 },
    }),
  })
  .action({ name: 'nothing', handler: () => ({ content: [], isError: false }) })
  .action({ name: 'data', handler: () => ({ content: [], structuredContent: { rows: [1, 2] } }) });

const broken = createTool('broken').action({ name: 'draw', schema: BROKEN, handler: keep });

class Book {
  @IsString() isbn!: string;
  @IsOptional() @IsString() lang?: string;
}

@Injectable()
class Books {
  @Resource('books://{isbn}{?lang}')
  read({ isbn, lang = 'any language' }: Book): string {
    return `${isbn} in ${lang}`;
  }
}

@Module({ controllers: [Books] })
class Root {}

export async function createReported(): Promise<McpApplication> {
  const application = await McpApplication.create(Root, { name: 'reported' });
  application.registry.registerAll(kept, broken);
  return application;
}
