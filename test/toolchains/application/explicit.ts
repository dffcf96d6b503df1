import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  Action,
  Ctx,
  Destructive,
  Field,
  Inject,
  Injectable,
  Input,
  Module,
  ReadOnly,
  ToolContext,
  ToolGroup,
} from 'toolwright';
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

// The same as implicit.ts for compilers that emit no parameter types: everything is said.
@ToolGroup({ name: 'books', description: 'Manage the books of a shelf', common: Shelf })
class BookTools {
  constructor(@Inject(Catalogue) readonly catalogue: Catalogue) {}

  @Action('Find books')
  @ReadOnly()
  find(
    @Input(FindBook) input: FindBook,
    @Input(Shelf) shelf: Shelf,
    @Inject(Catalogue) catalogue: Catalogue,
    @Ctx() ctx: ToolContext,
  ): string {
    return `${input.text} ${shelf.shelf} ${String(catalogue === this.catalogue)} ${String(ctx instanceof ToolContext)}`;
  }

  @Action({ description: 'Remove a book', input: BookReference })
  @Destructive()
  remove(input: BookReference): string {
    return input.isbn;
  }
}

@Module({ controllers: [BookTools], providers: [Catalogue] })
class BooksModule {}

await printSurface(BooksModule);
