import { afterEach, expect, test } from '@jest/globals';
import { Body, Controller, Get, Logger, Module, Param, Post, Query, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  ApiExcludeEndpoint,
  ApiExtension,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { Module as ToolModule } from 'toolwright';
import { NestApi, type NestApiOptions } from 'toolwright/nest';
import { createTestApplication, json } from 'toolwright/testing';
import { loadNest } from './shop.ts';

class FindBooks {
  // The rules are those of validators: this one would refuse what REST takes
  @ApiProperty({ description: 'What the title contains', example: 'sea', maxLength: 3 })
  @IsString()
  @IsOptional()
  text?: string;

  @IsInt()
  @IsOptional()
  @Type(() => Number)
  page?: number;

  /** As the plugin of @nestjs/swagger writes it into a class. */
  static _OPENAPI_METADATA_FACTORY() {
    return { page: { required: false, type: () => Number, description: 'Counts from 1', maximum: 9 } };
  }
}

@ApiTags('library')
@Controller({ path: 'books', version: '2' })
class BooksController {
  @Get()
  @ApiOperation({ summary: 'Find books', description: 'Looks into all shelves.' })
  find(@Query() { text = '' }: FindBooks) {
    return { text, version: 2 };
  }

  @Get(':id')
  read(@Param('id') id: string) {
    return { id };
  }

  @Get('hidden/of/all')
  @ApiExcludeEndpoint()
  secret() {
    return 'secret';
  }
}

@Module({ controllers: [BooksController] })
class LibraryModule {}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test.each(['express', 'fastify'] as const)(
  'on %s, before it listens, the texts of @nestjs/swagger are those of the actions',
  async (platform) => {
    Logger.overrideLogger(false);
    const nest = await NestFactory.create(LibraryModule, loadNest(11)[platform]() as never);
    nest.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI });
    ends.push(() => nest.close());
    await nest.init();

    @ToolModule({ imports: [NestApi.forRoot(nest)] })
    class Root {}
    const app = await createTestApplication(Root);
    ends.push(() => app.close());
    const { tools } = await (await app.client()).listTools();
    const [tool, ...others] = tools;
    expect([tool?.name, others]).toEqual(['library', []]);
    expect(tool?.description).toContain('Looks into all shelves.');
    const listed = JSON.stringify(tool?.inputSchema);
    expect(listed).toContain('What the title contains');
    expect(listed).toContain('Counts from 1');
    expect(listed).not.toMatch(/maxLength|maximum/);
    expect(JSON.stringify(tools)).not.toContain('secret');
    expect(json(await app.call('library.find', { text: 'sea' }))).toEqual({ text: 'sea', version: 2 });
    expect(json(await app.call('library.read', { id: '7' }))).toEqual({ id: '7' });
  },
);

class Shelf {
  @IsInt() id!: number;
  @IsString() @IsOptional() name?: string;
}

class SearchShelves {
  @IsString() text!: string;
}

@Controller('shelves')
@ApiExtension('x-mcp', { group: 'storage' })
class ShelvesController {
  @Post('search')
  @ApiExtension('x-mcp', { group: 'storage', name: 'search', readOnly: true, fields: ['id'] })
  @ApiOkResponse({ type: Shelf, isArray: true })
  find(@Body() { text }: SearchShelves) {
    return [{ id: text.length, name: text }];
  }

  @Get(':id')
  @ApiOkResponse({ type: Shelf })
  read(@Param('id') id: string) {
    return { id: Number(id), name: 'Sea', secret: true };
  }

  @Get(':id/keys')
  @ApiExtension('x-mcp', false)
  keys() {
    return [];
  }
}

@Module({ controllers: [ShelvesController] })
class ShelvesModule {}

async function openShelves(options: NestApiOptions) {
  Logger.overrideLogger(false);
  const nest = await NestFactory.create(ShelvesModule, loadNest(11).express() as never);
  ends.push(() => nest.close());
  await nest.init();
  const app = await createTestApplication(NestApi.forRoot(nest, { logger: () => undefined, ...options }));
  ends.push(() => app.close());
  return app;
}

test('x-mcp of a route says what options may say, false leaves it out, and options count more', async () => {
  const app = await openShelves({ actions: { 'ShelvesController.read': { name: 'get' } } });
  const { tools } = await (await app.client()).listTools();
  expect(tools.map(({ name }) => name)).toEqual(['storage']);
  expect((tools[0]?.inputSchema.properties?.['action'] as { enum: string[] }).enum).toEqual([
    'search',
    'get',
  ]);
  expect(tools[0]?.annotations?.readOnlyHint).toBe(true);
  expect(json(await app.call('storage.search', { text: 'sea' }))).toEqual([{ id: 3 }]);
  const other = await openShelves({
    include: ['ShelvesController.find', 'shelves.keys'],
    actions: { 'ShelvesController.find': { name: 'lookup', readOnly: false, group: 'shop' } },
  });
  const again = (await (await other.client()).listTools()).tools;
  expect(again.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['shop', false],
    ['shelves', true],
  ]);
});

test('output publishes the class of @ApiOkResponse, or a list of it', async () => {
  const app = await openShelves({ actions: { 'storage.*': { output: true } } });
  await (await app.client()).listTools();
  const read = await app.call('storage.read', { id: '7' });
  expect(read.structuredContent).toEqual({ id: 7, name: 'Sea', secret: true });
  expect((await app.call('storage.search', { text: 'sea' })).structuredContent).toEqual({
    result: [{ id: 3 }],
  });
});
