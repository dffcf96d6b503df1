/** A tool for each schema that is swept; a tool of its own for what no check looks at. */
import { Action, McpApplication, Module, ToolGroup, type Class, type SchemaSource } from 'toolwright';
import { serveAttacked } from '../serve-attacked.ts';
import { SWEPT } from '../swept.ts';

function toolOf(input: SchemaSource, index: number): Class {
  @ToolGroup(`swept${String(index)}`)
  class Tool {
    @Action({ input })
    run(_input: object): string {
      return 'done';
    }
  }
  return Tool;
}

@Module({ controllers: [...SWEPT.values()].map(toolOf) })
class Swept {}
await serveAttacked(await McpApplication.create(Swept, { expose: 'flat' }));
