import { afterEach, expect, test } from '@jest/globals';
import { Controller, Get, Logger, Module, Param, Query, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiExcludeEndpoint, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { Module as ToolModule } from 'toolwright';
import { NestApi } from 'toolwright/nest';
import { createTestApplication, json } from 'toolwright/testing';
import { loadNest } from './shop.ts';

class FindBooks {
  @ApiProperty({ description: 'What the title contains', example: 'sea' })
  @IsString()
  @IsOptional()
  text?: string;
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
    expect(JSON.stringify(tool?.inputSchema)).toContain('What the title contains');
    expect(JSON.stringify(tools)).not.toContain('secret');
    expect(json(await app.call('library.find', { text: 'sea' }))).toEqual({ text: 'sea', version: 2 });
    expect(json(await app.call('library.read', { id: '7' }))).toEqual({ id: '7' });
  },
);
