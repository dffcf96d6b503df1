import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { Action, Destructive, Field, Injectable, Module, ReadOnly, ToolContext, ToolGroup } from 'toolwright';
// After toolwright, which brings the reflect-metadata that tsyringe needs
import { container, inject, singleton } from 'tsyringe';
import { printSurface } from './print-surface.ts';

class Shelf {
  @IsString() @Field('Shelf to look at') shelf!: string;
}

class FindBook {
  @IsString() @Field('Words of the title') text!: string;
  @IsInt() @Min(1) @IsOptional() limit?: number;
}

class BookReference {
  @IsString() isbn!: string;
}

@Injectable()
class Catalogue {
  readonly books: string[] = [];
}

@singleton()
class Reader {}

container.registerInstance('press', 'press');

@ToolGroup({ name: 'books', description: 'Manage the books of a shelf', common: Shelf })
class BookTools {
  constructor(readonly catalogue: Catalogue) {}

  @Action('Find books')
  @ReadOnly()
  find(
    input: FindBook,
    shelf: Shelf,
    catalogue: Catalogue,
    ctx: ToolContext,
    reader: Reader,
    @inject('press') press: string,
  ): string {
    const isOwn = [
      catalogue === this.catalogue,
      ctx instanceof ToolContext,
      reader === container.resolve(Reader),
    ];
    return `${input.text} ${shelf.shelf} ${isOwn.join(' ')} ${press}`;
  }

  @Action('Remove a book')
  @Destructive()
  remove(input: BookReference): string {
    return input.isbn;
  }
}

@Module({ controllers: [BookTools], providers: [Catalogue] })
class BooksModule {}

await printSurface(BooksModule);
