import 'reflect-metadata';
import { IsArray, IsInt, IsString } from 'class-validator';
import {
  Action,
  content,
  image,
  McpApplication,
  Module,
  Page,
  ReadOnly,
  resourceLink,
  ToolError,
  ToolGroup,
} from 'toolwright';

class Row {
  @IsString() name!: string;
}
class Rows {
  @IsArray() @Page() rows!: Row[];
  @IsInt() total!: number;
}

const ROWS: Rows = { rows: [{ name: 'first' }, { name: 'second' }], total: 2 };

/** One action for each kind of result. */
@ToolGroup({ name: 'shop', description: 'A shop' })
class Shop {
  @Action({ description: 'Rows with an output', output: Rows }) @ReadOnly() rows(): Rows {
    return ROWS;
  }
  @Action('A text') @ReadOnly() text(): string {
    return 'a text';
  }
  @Action({ description: 'A table', output: Rows, result: 'toon' }) @ReadOnly() table(): Rows {
    return ROWS;
  }
  @Action('A picture') @ReadOnly() picture() {
    return content('Look:', image('iVBORw0KGgo=', 'image/png'));
  }
  @Action('A link') @ReadOnly() link() {
    return content('Read:', resourceLink({ uri: 'shop://terms', name: 'terms' }));
  }
  @Action('A refusal') @ReadOnly() refusal(): never {
    throw new ToolError('OUT_OF_STOCK', 'Out of stock');
  }
  @Action('A long text') @ReadOnly() long(): string {
    return 'a line of a long text\n'.repeat(5000);
  }
}
@Module({ controllers: [Shop] })
class ShopModule {}

const app = await McpApplication.create(ShopModule, { name: 'shop', version: '1.0.0', surface: 'auto' });
const { url } = await app.listen(0);
console.log(url);
process.stdin.on('end', () => void app.close()).resume();
