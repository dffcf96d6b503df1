import { expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, McpApplication, Module, ToolGroup, type LogRecord } from 'toolwright';

class Book {
  @IsString() title!: string;
}

@ToolGroup('books')
class BookTools {
  @Action({ output: Book }) find(): object {
    return { title: 't' };
  }

  @Action() add(): string {
    return 'added';
  }
}

@ToolGroup('shelves')
class ShelfTools {
  @Action({ output: Book }) first(): object {
    return { title: 't' };
  }
}

@Module({ controllers: [BookTools, ShelfTools] })
class BooksModule {}

test('a declared output that cannot be published is reported at the start', async () => {
  const records: LogRecord[] = [];
  const app = await McpApplication.create(BooksModule, { logger: (record) => records.push(record) });
  expect(records.filter(({ event }) => event === 'schema.output-unpublished')).toMatchObject([
    {
      level: 'notice',
      message: 'books: the output of find is checked, but not published: add declares none',
    },
  ]);
  await app.close();
});
